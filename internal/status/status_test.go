package status

import (
	"strings"
	"testing"
	"time"
)

// TestLog writes reports as lines.
func TestLog(t *testing.T) {
	never := func() Report { t.Error("asked too early"); return Report{} }
	var out strings.Builder
	l := New(&out)
	if l.Interval() != 5*time.Second {
		t.Errorf("interval of a log %v", l.Interval())
	}
	l.Show(Report{Facts: []string{"one"}})
	l.Update(never)
	l.shown = l.shown.Add(-time.Hour)
	l.Update(func() Report {
		return Report{Facts: []string{"two", "three"}, Done: 1, Total: 4, Left: 90 * time.Second}
	})
	l.Update(never)
	l.Print("a long line of text, " + strings.Repeat("which stays one line, ", 10))
	l.End()
	l.Show(Report{Facts: []string{"four"}, Done: 5, Total: 4})
	want := "one\ntwo, three, 25 %, 1m30s left\na long line of text, " + strings.Repeat("which stays one line, ", 10) +
		"\nfour, 100 %\n"
	if out.String() != want {
		t.Errorf("%q instead of %q", out.String(), want)
	}
}

// screen returns the lines on a terminal after text with carriage returns, and the
// largest number of columns that were written.
func screen(text string) (lines []string, columns int) {
	for line := range strings.SplitSeq(text, "\n") {
		var cells []rune
		at := 0
		for _, r := range line {
			if r == '\r' {
				at = 0
				continue
			}
			if at == len(cells) {
				cells = append(cells, ' ')
			}
			cells[at] = r
			at++
			columns = max(columns, at)
		}
		lines = append(lines, strings.TrimRight(string(cells), " "))
	}
	return lines, columns
}

// TestTerminal updates one line, within the width of the terminal.
func TestTerminal(t *testing.T) {
	var out strings.Builder
	width := 60
	l := newLine(&out, true, func() int { return width })
	facts := []string{"games 17", "positions 1234", "5678/s", "3 starts rejected"}
	half := Report{Facts: facts, Done: 50, Total: 100, Left: 51*time.Minute + 42*time.Second}
	expect := func(want ...string) {
		t.Helper()
		lines, columns := screen(out.String())
		if strings.Join(lines, "\n") != strings.Join(want, "\n") || columns >= width && columns > len(want[0]) {
			t.Errorf("%d columns:\n%s\ninstead of\n%s", columns, strings.Join(lines, "\n"), strings.Join(want, "\n"))
		}
		out.Reset()
	}
	l.Show(half)
	expect("games 17, positions 1234 [======>       ]  50 % 51m42s left")
	l.Show(Report{Facts: facts})
	expect("games 17, positions 1234, 5678/s, 3 starts rejected")
	l.Show(half)
	l.Print("a report that does not fit into the line and therefore breaks, but between words")
	expect("a report that does not fit into the line and therefore",
		"  breaks, but between words", "")
	width = 36
	l.Show(half)
	l.End()
	l.End()
	expect("game [====>     ]  50 % 51m42s left", "")
	width = 12
	l.Show(half)
	expect("   50 % 51m")
	l.Show(Report{Facts: []string{"± 1 and more than there is room for"}})
	l.End()
	expect("± 1 and mor", "")
	if l.Interval() >= time.Second {
		t.Errorf("interval on a terminal %v", l.Interval())
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
