package meminfo

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"
)

// available returns how many bytes the process can still use and what limits it,
// as in "in the system".
func available() (free uint64, limit string, ok bool) {
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	free, limit = availableIn(os.DirFS("/"), heap.HeapReleased)
	return free, limit, limit != ""
}

// availableIn returns how many bytes the process can still use, and what limits
// it: the memory of the system, a control group, or a limit of the process. What
// cannot be read does not limit. Of the addresses in use, released bytes have no
// memory and will be used again.
func availableIn(root fs.FS, released uint64) (free uint64, limit string) {
	free = math.MaxInt64
	atMost := func(n uint64, by string) {
		if n < free {
			free, limit = n, by
		}
	}
	if n, ok := field(root, "proc/meminfo", "MemAvailable:"); ok {
		atMost(n<<10, "in the system")
	}
	for _, l := range []struct{ limit, used string }{
		{"Max address space", "VmSize:"},
		{"Max data size", "VmData:"},
	} {
		most, ok1 := field(root, "proc/self/limits", l.limit)
		used, ok2 := field(root, "proc/self/status", l.used)
		if ok1 && ok2 {
			used = used<<10 - min(released, used<<10)
			atMost(most-min(used, most), "to the process (ulimit)")
		}
	}
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return free, limit
	}
	for line := range strings.Lines(string(groups)) {
		if n, ok := availableInGroup(root, strings.TrimSpace(line)); ok {
			atMost(n, "in the control group")
		}
	}
	return free, limit
}

// availableInGroup returns how many bytes a control group, a line of
// /proc/self/cgroup, and those above it still allow. It is not ok if they do not
// limit memory.
func availableInGroup(root fs.FS, line string) (free uint64, ok bool) {
	// hierarchy:controllers:path, without controllers in version 2
	part := strings.SplitN(line, ":", 3)
	if len(part) != 3 {
		return 0, false
	}
	var mount, limitFile, usageFile, cacheField string
	switch {
	case part[0] == "0" && part[1] == "":
		mount, limitFile, usageFile, cacheField = "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"
	case part[1] == "memory":
		mount, limitFile, usageFile, cacheField =
			"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
	default:
		return 0, false
	}
	// In a container the path may be that of the host, and only the root exist.
	for dir := path.Clean("/" + part[2]); ; dir = path.Dir(dir) {
		group := path.Join(mount, dir)
		most, ok1 := number(root, path.Join(group, limitFile))
		usage, ok2 := number(root, path.Join(group, usageFile))
		if ok1 && ok2 {
			cache, _ := field(root, path.Join(group, "memory.stat"), cacheField)
			usage -= min(cache, usage) // the kernel releases it on demand
			if n := most - min(usage, most); !ok || n < free {
				free, ok = n, true
			}
		}
		if dir == "/" {
			return free, ok
		}
	}
}

// number reads a file that contains one number. Other contents, such as "max",
// are not numbers.
func number(root fs.FS, name string) (uint64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	return n, err == nil
}

// field reads the number after a name at the beginning of a line.
func field(root fs.FS, file, name string) (uint64, bool) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		rest, found := strings.CutPrefix(line, name)
		if words := strings.Fields(rest); found && len(words) > 0 && rest[0] <= ' ' {
			n, err := strconv.ParseUint(words[0], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
