//go:build purego || !(amd64 || arm64)

package simd

func supported() []string { return []string{generic} }

func use(string) {}
