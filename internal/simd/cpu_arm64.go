//go:build !purego

package simd

import "golang.org/x/sys/cpu"

// useVector chooses the NEON kernels over the generic ones.
var useVector bool

// supported returns the levels of this machine, the best one last.
func supported() []string {
	if cpu.ARM64.HasASIMD {
		return []string{generic, "neon"}
	}
	return []string{generic}
}

func use(level string) { useVector = level != generic }
