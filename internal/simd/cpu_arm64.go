//go:build !purego

package simd

import "golang.org/x/sys/cpu"

// useVector selects the NEON kernels instead of the generic ones.
var useVector bool

// supported returns the levels that this machine supports, the best one last.
func supported() []string {
	if cpu.ARM64.HasASIMD {
		return []string{generic, "neon"}
	}
	return []string{generic}
}

func use(level string) { useVector = level != generic }
