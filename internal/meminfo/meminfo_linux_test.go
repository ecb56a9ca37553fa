package meminfo

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestAvailable(t *testing.T) {
	type files map[string]string
	const meminfo = "MemTotal:       99999 kB\nMemFree:          100 kB\nMemAvailable:    3072 kB\n"
	for _, test := range []struct {
		name  string
		files files
		want  uint64
		who   string
	}{
		{"nothing to read", files{}, math.MaxInt64, ""},
		{"system", files{"proc/meminfo": meminfo}, 3 << 20, "in the system"},
		{"version 2", files{
			"proc/meminfo":                      meminfo,
			"proc/self/cgroup":                  "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max":      "2097152\n",
			"sys/fs/cgroup/a/b/memory.current":  "1048576\n",
			"sys/fs/cgroup/a/b/memory.stat":     "anon 1\ninactive_file 4096\nactive_file 2\n",
			"sys/fs/cgroup/a/memory.max":        "max\n",
			"sys/fs/cgroup/a/memory.current":    "1048576\n",
			"sys/fs/cgroup/memory.unrelatedmax": "1\n",
		}, 1<<20 + 4096, "in the control group"},
		{"version 2, parent", files{
			"proc/meminfo":                     meminfo,
			"proc/self/cgroup":                 "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max":     "2097152\n",
			"sys/fs/cgroup/a/b/memory.current": "0\n",
			"sys/fs/cgroup/a/memory.max":       "2097152\n",
			"sys/fs/cgroup/a/memory.current":   "2097153\n",
		}, 0, "in the control group"},
		{"version 2, container", files{
			"proc/meminfo":                 meminfo,
			"proc/self/cgroup":             "0::/of/the/host\n",
			"sys/fs/cgroup/memory.max":     "1048576\n",
			"sys/fs/cgroup/memory.current": "0\n",
		}, 1 << 20, "in the control group"},
		{"version 1", files{
			"proc/meminfo":     meminfo,
			"proc/self/cgroup": "9:cpu,cpuacct:/x\n4:memory:/a\n0::/\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "2097152\n",
			"sys/fs/cgroup/memory/a/memory.usage_in_bytes": "1048576\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes":   "1048576\n",
		}, 1 << 20, "in the control group"},
		{"a group with room", files{
			"proc/meminfo":                 meminfo,
			"proc/self/cgroup":             "0::/\n",
			"sys/fs/cgroup/memory.max":     "99999999999\n",
			"sys/fs/cgroup/memory.current": "0\n",
		}, 3 << 20, "in the system"},
		{"address space", files{
			"proc/meminfo": meminfo,
			"proc/self/limits": "Limit                     Soft Limit           Hard Limit           Units     \n" +
				"Max address space         2097152              unlimited            bytes     \n",
			"proc/self/status": "VmPeak:\t 1030 kB\nVmSize:\t    1024 kB\nVmData:\t 12 kB\n",
		}, 1<<20 + 1024, "to the process (ulimit)"},
		{"unlimited", files{
			"proc/meminfo":     meminfo,
			"proc/self/limits": "Max address space         unlimited            unlimited            bytes     \n",
			"proc/self/status": "VmSize:\t    1024 kB\n",
		}, 3 << 20, "in the system"},
		{"nonsense", files{
			"proc/meminfo":     "MemAvailable:\n",
			"proc/self/cgroup": "\n::\n0::\n0::../..\nmemory\n",
		}, math.MaxInt64, ""},
	} {
		root := fstest.MapFS{}
		for name, text := range test.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if free, who := availableIn(root, 1024); free != test.want || who != test.who {
			t.Errorf("%s: %d %s, want %d %s", test.name, free, who, test.want, test.who)
		}
	}
}
