package prefetch

import "testing"

// TestAddresses covers that prefetching accepts any address, leaves the memory as
// it is, and reads nothing but the six pointers.
func TestAddresses(t *testing.T) {
	line, row := uint64(7), [384]int16{0: 1, 383: 2}
	Line(&line)
	Line(nil)
	Lines(&[6]*int16{&row[0], nil, &row[383], nil, nil, nil})
	Rows(&row[0], nil, &row[383])
	if line != 7 || row != [384]int16{0: 1, 383: 2} {
		t.Error("prefetching changed memory")
	}
}
