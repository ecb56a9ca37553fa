//go:build darwin || dragonfly || freebsd

package meminfo

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// available returns three quarters of what the machine has, as the system does
// not tell how much of it is in use.
func available() (free uint64, limit string, ok bool) {
	name := "hw.physmem"
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		name = "hw.memsize"
	}
	total, err := unix.SysctlUint64(name)
	return total / 4 * 3, "in the machine", err == nil
}
