//go:build purego || !amd64

package simd

func sumRowsFloatVector(dst, bias *float32, n int, table *float32, rows []int32) { panic(unreachable) }

func addToRowsFloatVector(table, src *float32, n int, rows []int32) { panic(unreachable) }

func screluDotFloatVector(v, w *float32, n int) float32 { panic(unreachable) }

func screluBackFloatVector(dv, dw, v, w *float32, n int, gradient float32) { panic(unreachable) }

func adamWVector(p, m, v *float32, n int, grads [][]float32, s *AdamWStep) { panic(unreachable) }
