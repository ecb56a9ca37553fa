package tt

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// advise requests huge pages for table, or excludes them. Errors are ignored,
// since a kernel without huge pages only makes the table slower.
func advise(table []byte, huge bool) {
	advice := unix.MADV_NOHUGEPAGE
	if huge {
		advice = unix.MADV_HUGEPAGE
	}
	_ = unix.Madvise(table, advice)
}

// checkAvailable returns an error if the memory available to the process, plus
// the old bytes to be released, is less than size bytes: using them would get
// the process killed.
func checkAvailable(size, old uint64) error {
	free, who := available(os.DirFS("/"))
	if size > free && size-free > old {
		return fmt.Errorf("%s is available %s", mib(free+old), who)
	}
	return nil
}

// available returns the number of bytes that the process can still use, and
// which limit that is: "in the system" or "in the control group". Limits that
// cannot be read are ignored.
func available(root fs.FS) (free uint64, who string) {
	free, who = math.MaxInt64, ""
	if n, ok := field(root, "proc/meminfo", "MemAvailable:"); ok {
		free, who = n<<10, "in the system"
	}
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return free, who
	}
	for line := range strings.Lines(string(groups)) {
		// hierarchy:controllers:path, without controllers in version 2
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) != 3 {
			continue
		}
		var mount, limitFile, usageFile, cacheField string
		switch {
		case part[0] == "0" && part[1] == "":
			mount, cacheField = "sys/fs/cgroup", "inactive_file"
			limitFile, usageFile = "memory.max", "memory.current"
		case part[1] == "memory":
			mount, cacheField = "sys/fs/cgroup/memory", "total_inactive_file"
			limitFile, usageFile = "memory.limit_in_bytes", "memory.usage_in_bytes"
		default:
			continue
		}
		// The limits of all parent groups apply, too. In a container the path
		// may be that of the host, and only the root may exist.
		for dir := path.Clean("/" + part[2]); ; dir = path.Dir(dir) {
			d := path.Join(mount, dir)
			limit, ok1 := number(root, path.Join(d, limitFile))
			usage, ok2 := number(root, path.Join(d, usageFile))
			if ok1 && ok2 {
				cache, _ := field(root, path.Join(d, "memory.stat"), cacheField)
				usage -= min(cache, usage) // reclaimable by the kernel
				if n := limit - min(usage, limit); n < free {
					free, who = n, "in the control group"
				}
			}
			if dir == "/" {
				break
			}
		}
	}
	return free, who
}

// number reads a file that contains one number. ok is false for other contents,
// such as "max".
func number(root fs.FS, name string) (uint64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	return n, err == nil
}

// field reads the number that follows a name at the start of a line.
func field(root fs.FS, file, name string) (uint64, bool) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == name {
			n, err := strconv.ParseUint(f[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
