package search

import "testing"

// TestBoundString names the bounds.
func TestBoundString(t *testing.T) {
	for b, want := range map[Bound]string{
		Exact: "exact", LowerBound: "lowerbound", UpperBound: "upperbound", 7: "Bound(7)",
	} {
		if b.String() != want {
			t.Errorf("%d is %q, want %q", uint8(b), b, want)
		}
	}
}
