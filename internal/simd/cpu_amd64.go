//go:build !purego

package simd

import "github.com/klauspost/cpuid/v2"

// What the kernels may use. useAVX512 implies useAVX2.
var useAVX2, useAVX512 bool

// supported returns the levels of this machine, the best one last. A level
// counts only if the operating system saves its registers.
func supported() []string {
	levels := []string{generic}
	if cpuid.CPU.Supports(cpuid.AVX, cpuid.AVX2) {
		levels = append(levels, "avx2")
		if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW) {
			levels = append(levels, "avx512")
		}
	}
	return levels
}

func use(level string) {
	useAVX512 = level == "avx512"
	useAVX2 = useAVX512 || level == "avx2"
}
