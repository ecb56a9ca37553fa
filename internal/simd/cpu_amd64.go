//go:build !purego

package simd

import "github.com/klauspost/cpuid/v2"

// useVector selects the vector kernels instead of the generic ones.
var useVector bool

// useAVX512 selects the AVX-512 part of the vector kernels instead of the AVX2
// part.
//
//lint:ignore U1000 The assembly reads it.
var useAVX512 bool

// supported returns the levels that this machine supports, the best one last.
// The operating system must save the registers of a level.
func supported() []string {
	levels := []string{generic}
	if cpuid.CPU.Supports(cpuid.AVX, cpuid.AVX2, cpuid.FMA3) {
		levels = append(levels, "avx2")
		if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW) {
			levels = append(levels, "avx512")
		}
	}
	return levels
}

func use(level string) {
	useVector = level != generic
	useAVX512 = level == "avx512"
}
