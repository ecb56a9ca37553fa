//go:build darwin || dragonfly || freebsd

package tt

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// advise does nothing: these systems use huge pages automatically.
func advise([]byte, bool) {}

// checkAvailable returns an error for more than the physical memory, which the
// system would grant and swap.
func checkAvailable(size, _ uint64) error {
	name := "hw.physmem"
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		name = "hw.memsize"
	}
	if total, err := unix.SysctlUint64(name); err == nil && size > total {
		return fmt.Errorf("the machine has %s", mib(total))
	}
	return nil
}
