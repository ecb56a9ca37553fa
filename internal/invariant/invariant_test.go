package invariant_test

import (
	"errors"
	"testing"
	"unsafe"

	"skein/internal/invariant"
)

// TestViolations expects panics with messages from failed checks, and none from
// others.
func TestViolations(t *testing.T) {
	for _, test := range []struct {
		name  string
		check func()
		want  string // "" for none
	}{
		{"true", func() { invariant.Check(true, "chess: %d", 5) }, ""},
		{"false", func() { invariant.Check(false, "chess: %d", 5) }, "invariant violated: chess: 5"},
		{"no error", func() { invariant.NoError(nil) }, ""},
		{"error", func() { invariant.NoError(errors.New("chess: 6")) }, "invariant violated: chess: 6"},
	} {
		got := ""
		if v := invariant.Catch(test.check); v != nil {
			got = v.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestCatch expects Catch not to recover other panics.
func TestCatch(t *testing.T) {
	defer func() {
		if r := recover(); r != "other" {
			t.Errorf("recovered %v", r)
		}
	}()
	invariant.Catch(func() { panic("other") })
	t.Error("Catch recovered the panic")
}

// TestState expects a State to keep its value in builds with the tag debug, and
// to take no space in others.
func TestState(t *testing.T) {
	var s invariant.State[[3]int]
	if !invariant.Enabled {
		if unsafe.Sizeof(s) != 0 || s.Get() != nil {
			t.Errorf("%d bytes, value %v, without the tag debug", unsafe.Sizeof(s), s.Get())
		}
		return
	}
	if s.Get()[1]++; s.Get()[1] != 1 {
		t.Errorf("1 was kept as %d", s.Get()[1])
	}
}
