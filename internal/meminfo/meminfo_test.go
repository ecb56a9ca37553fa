package meminfo

import (
	"math"
	"testing"
)

// TestCheck checks what is granted of 800 bytes, and that memory to be released
// counts.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		size, freed uint64
		fits        bool
	}{
		{0, 0, true},
		{700, 0, true},
		{701, 0, false},
		{800, 100, true},
		{801, 100, false},
		{1 << 50, 0, false},
		{1 << 50, 1 << 50, true},
		{math.MaxUint64, 0, false},
	} {
		if err := check(test.size, test.freed, 800, "here"); (err == nil) != test.fits {
			t.Errorf("%d bytes after the release of %d: %v", test.size, test.freed, err)
		}
	}
	if err := Check(1<<50, 0); err == nil {
		t.Error("a pebibyte is available")
	}
}

// TestPlausible checks that some memory is available to this process.
func TestPlausible(t *testing.T) {
	const least, most = 1 << 20, 1 << 50
	if free, limit, ok := available(); ok && (free < least || free > most || limit == "") {
		t.Errorf("%d bytes %q", free, limit)
	}
}
