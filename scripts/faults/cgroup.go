//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// groupSetting is a limit in a file of a control group.
type groupSetting struct{ mount, file, limit string }

// startInGroup starts a program in a new control group that has the first of the
// limits that is possible here: of version 1 or version 2 of control groups. The
// caller removes the group when the program has ended.
func startInGroup(limits []groupSetting, path string, args ...string) (p *process, remove func(), err error) {
	for _, l := range limits {
		dir, err := os.MkdirTemp(l.mount, "faults")
		if err != nil {
			continue
		}
		remove := func() { os.Remove(dir) }
		if err := os.WriteFile(filepath.Join(dir, l.file), []byte(l.limit), 0); err != nil {
			remove()
			continue
		}
		const enter = `echo $$ >"$0"/cgroup.procs && exec "$@"`
		p, err := start("sh", append([]string{"-c", enter, dir, path}, args...)...)
		if err != nil {
			remove()
			return nil, nil, err
		}
		return p, remove, nil
	}
	return nil, nil, errSkipped
}

// littleMemoryGroup asks for more memory than a control group allows, which must be
// refused for that reason, and then for less.
func littleMemoryGroup(f *field) error {
	const limit = "268435456"
	p, remove, err := startInGroup([]groupSetting{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", limit},
		{"/sys/fs/cgroup", "memory.max", limit},
	}, f.program("engine"))
	if err != nil {
		return err
	}
	defer remove()
	for _, option := range []string{"Hash value 1000", "Threads value 512"} {
		p.send("setoption name " + option)
		line, err := p.await("info string ERROR:")
		if err != nil {
			return err
		}
		if !strings.Contains(line, "in the control group") {
			return fmt.Errorf("%s in a control group of 256 MiB: %s", option, line)
		}
	}
	p.send("setoption name Hash value 128", "setoption name Threads value 4", "go depth 8")
	if _, err := p.await("bestmove"); err != nil {
		return err
	}
	return p.answers()
}

// fewProcessorsGroup checks that the default number of threads is that which a control
// group allows, where the machine has more.
func fewProcessorsGroup(f *field) error {
	const processors = 2 // the least that the Go runtime goes down to
	if runtime.NumCPU() <= processors {
		return errSkipped
	}
	p, remove, err := startInGroup([]groupSetting{
		{"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "200000"},
		{"/sys/fs/cgroup", "cpu.max", "200000 100000"},
	}, f.program("engine"), "analyse", "--help")
	if err != nil {
		return err
	}
	defer remove()
	want := fmt.Sprintf("(default %d)", processors)
	for {
		line, err := p.await("")
		if err != nil {
			return fmt.Errorf("analyse --help does not show threads %s: %w", want, err)
		}
		if strings.Contains(line, "threads") && strings.Contains(line, want) {
			return p.ends(0)
		}
	}
}
