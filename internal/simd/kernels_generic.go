//go:build purego || !(amd64 || arm64)

package simd

const useVector = false

func addSubPairVector(dst, src, addA, subA, addB, subB *int16, n int) { panic(unreachable) }

func addSubSubPairVector(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B *int16, n int) {
	panic(unreachable)
}

func addSubRowsVector(dst, src *int16, n int, table *int16, add, sub []int32) { panic(unreachable) }

func screluDotVector(a, b, w *int16, n int) int32 { panic(unreachable) }

func headVector(h *Head, sums *int32, us, them *int16, n int, products *uint8) int64 {
	panic(unreachable)
}

func sumRowsFloatVector(dst, bias *float32, n int, table *float32, rows []int32) { panic(unreachable) }

func addToRowsFloatVector(table, src *float32, n int, rows []int32) { panic(unreachable) }

func screluDotFloatVector(v, w *float32, n int) float32 { panic(unreachable) }

func screluBackFloatVector(dv, dw, v, w *float32, n int, gradient float32) { panic(unreachable) }

func adamWVector(p, m, v *float32, n int, grads [][]float32, s *AdamWStep) { panic(unreachable) }

func pairsFloatVector(dst, v *float32, n int) { panic(unreachable) }

func pairsBackFloatVector(dv, v, gradient *float32, n int) { panic(unreachable) }

func nonZeroFloatVector(list *int32, x *float32, n int) int { panic(unreachable) }

func mulRowsFloatVector(dst *float32, n int, x, table *float32, list []int32) { panic(unreachable) }

func mulRowsBackFloatVector(dx, dtable, gradient *float32, n int, x, table *float32, list []int32) {
	panic(unreachable)
}

// unreachable is the panic message of functions that are never called.
const unreachable = "simd: no vector implementation"
