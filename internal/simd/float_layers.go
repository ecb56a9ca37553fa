package simd

// The kernels of the layers after the accumulators. Most of their inputs are zero, and then the gradients of those
// inputs are zero, too: only the rows of a table are used whose input is in a list, in ascending order, of those that
// are not zero. Row i of a table with n columns starts at i*n.

// PairsFloat sets dst[i] = clamp(v[i], 0, 1) * clamp(v[n+i], 0, 1), where n is
// the length of dst and half that of v.
func PairsFloat(dst, v []float32) {
	n := len(dst)
	v = v[:2*n]
	if !vectorFloat(n) {
		pairsFloatGeneric(dst, v)
		return
	}
	pairsFloatVector(&dst[0], &v[0], n)
}

// PairsBackFloat is the backward pass of PairsFloat, whose result i has
// gradient g[i]: it sets dv[i] to g[i] * clamp(v[n+i], 0, 1) where 0 < v[i] < 1
// and to zero elsewhere, and dv[n+i] likewise. dv may be v.
func PairsBackFloat(dv, v, g []float32) {
	n := len(g)
	dv, v = dv[:2*n], v[:2*n]
	if !vectorFloat(n) {
		pairsBackFloatGeneric(dv, v, g)
		return
	}
	pairsBackFloatVector(&dv[0], &v[0], &g[0], n)
}

// NonZeroFloat writes the indices of the elements of x that are not zero to
// list, which must be at least as long as x, in ascending order, and returns
// that part of list.
func NonZeroFloat(list []int32, x []float32) []int32 {
	n := len(x)
	list = list[:n]
	if !vectorFloat(n) {
		return list[:nonZeroFloatGeneric(list, x)]
	}
	return list[:nonZeroFloatVector(&list[0], &x[0], n)]
}

// MulRowsFloat adds to dst the sum of x[i] times row i of table over all i in
// list.
func MulRowsFloat(dst, x, table []float32, list []int32) {
	n := len(dst)
	checkList(x, table, list, n)
	if !vectorFloat(n) || len(list) == 0 {
		mulRowsFloatGeneric(dst, x, table, list)
		return
	}
	mulRowsFloatVector(&dst[0], n, &x[0], &table[0], list)
}

// MulRowsBackFloat is the backward pass of MulRowsFloat, whose result has
// gradient g: for each i in list it sets dx[i] to the dot product of g and row
// i of table, and adds x[i] times g to row i of dtable.
func MulRowsBackFloat(dx, dtable, g, x, table []float32, list []int32) {
	n := len(g)
	checkList(x, table, list, n)
	dx, dtable = dx[:len(x)], dtable[:len(table)]
	if !vectorFloat(n) || len(list) == 0 {
		mulRowsBackFloatGeneric(dx, dtable, g, x, table, list)
		return
	}
	mulRowsBackFloatVector(&dx[0], &dtable[0], &g[0], n, &x[0], &table[0], list)
}

// checkList panics if an index in list, which is in ascending order, is not
// that of an element of x and of a row of table, which has n columns.
func checkList(x, table []float32, list []int32, n int) {
	if len(list) > 0 {
		first, last := list[0], list[len(list)-1]
		_, _, _ = x[first], x[last], table[int(last)*n:][:n]
	}
}

func pairsFloatGeneric(dst, v []float32) {
	n := len(dst)
	for i := range dst {
		dst[i] = min(max(v[i], 0), 1) * min(max(v[n+i], 0), 1)
	}
}

func pairsBackFloatGeneric(dv, v, g []float32) {
	n := len(g)
	for i, g := range g {
		a, b := v[i], v[n+i]
		dv[i], dv[n+i] = 0, 0
		if 0 < a && a < 1 {
			dv[i] = g * min(max(b, 0), 1)
		}
		if 0 < b && b < 1 {
			dv[n+i] = g * min(max(a, 0), 1)
		}
	}
}

func nonZeroFloatGeneric(list []int32, x []float32) (n int) {
	for i, x := range x {
		if x != 0 {
			list[n] = int32(i)
			n++
		}
	}
	return n
}

func mulRowsFloatGeneric(dst, x, table []float32, list []int32) {
	for _, i := range list {
		row := table[int(i)*len(dst):][:len(dst)]
		for j, w := range row {
			dst[j] += x[i] * w
		}
	}
}

func mulRowsBackFloatGeneric(dx, dtable, g, x, table []float32, list []int32) {
	n := len(g)
	for _, i := range list {
		row, drow := table[int(i)*n:][:n], dtable[int(i)*n:][:n]
		var sum float32
		for j, g := range g {
			sum += g * row[j]
			drow[j] += x[i] * g
		}
		dx[i] = sum
	}
}
