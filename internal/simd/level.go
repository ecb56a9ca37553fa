package simd

// Level names the implementation of the kernels in use.
func Level() string { return "generic" }
