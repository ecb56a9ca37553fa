package hugepages

import "testing"

// TestAdvise expects values, of a length and at an address that are no multiples
// of a huge page, to keep their contents, also those around them.
func TestAdvise(t *testing.T) {
	values := make([]uint32, 5*size/4)
	for i := range values {
		values[i] = uint32(i)
	}
	const from, n = 1001, 3*size/4 + 5
	Advise(&values[from], n)
	for i, v := range values {
		if v != uint32(i) {
			t.Fatalf("value %d is %d", i, v)
		}
	}
}
