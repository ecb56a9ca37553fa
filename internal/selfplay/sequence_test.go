package selfplay

import (
	"errors"
	"slices"
	"testing"
)

// TestSequence adds results out of order.
func TestSequence(t *testing.T) {
	s := Sequence[string]{Next: 3}
	var got []string
	failed := errors.New("failed")
	emit := func(x string) error {
		if got = append(got, x); x == "f" {
			return failed
		}
		return nil
	}
	for i, x := range map[uint64]string{5: "e", 3: "c", 4: "d"} {
		if err := s.Add(i, x, emit); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, []string{"c", "d", "e"}) || s.Next != 6 {
		t.Errorf("emitted %q, the next is %d", got, s.Next)
	}
	if s.Add(7, "g", emit) != nil || s.Add(6, "f", emit) != failed || len(got) != 4 {
		t.Errorf("emitted %q after an error", got)
	}
}
