package status

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLine(t *testing.T) {
	never := func() string { t.Error("asked too early"); return "" }
	for live, want := range map[bool]string{
		false: "one\nthree, longer\nfour\nfive\nsix\n",
		true:  "\rone\rthree, longer\rfour         \rfive         \nsix\n",
	} {
		var out strings.Builder
		l := New(&out)
		l.live = live
		l.Show("one")
		l.Update(never)
		l.shown = l.shown.Add(-time.Hour)
		l.Update(func() string { return "three, longer" })
		l.Update(never)
		l.Show("four")
		l.Print("five")
		l.End()
		l.Print("six")
		if out.String() != want {
			t.Errorf("live %v: %q instead of %q", live, out.String(), want)
		}
	}
	var out strings.Builder
	l := New(&out)
	l.live = true
	l.Show("± 1")
	l.End()
	l.End()
	l.Show("ab")
	if want := "\r± 1\n\rab"; out.String() != want {
		t.Errorf("%q instead of %q", out.String(), want)
	}
}

// TestIsTerminal knows what is none.
func TestIsTerminal(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if isTerminal(f) || isTerminal(&strings.Builder{}) || New(f).Interval() != 5*time.Second {
		t.Error("a file is taken for a terminal")
	}
	t.Setenv("TERM", "dumb")
	if null, err := os.Open(os.DevNull); err == nil {
		defer null.Close()
		if isTerminal(null) {
			t.Error("a dumb terminal is taken for one that is not")
		}
	}
}

func TestLeft(t *testing.T) {
	for _, test := range []struct {
		done, rest int64
		want       time.Duration
	}{{0, 5, 0}, {4, 8, 20 * time.Second}, {3, 1, 3 * time.Second}, {3, -1, 0}} {
		if got := Left(10*time.Second, test.done, test.rest); got != test.want {
			t.Errorf("%d done, %d to do: %v instead of %v", test.done, test.rest, got, test.want)
		}
	}
}
