package console

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"skein/chess"
	"skein/internal/cli"
	"skein/movegen"
	"skein/position"
	"skein/search"
)

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		text    string
		columns int
		want    string
	}{
		{"1. e4 e5", 0, "1. e4 e5"},
		{"1. e4 e5", 8, "1. e4 e5"},
		{"1. e4 e5", 7, "1. e4"},
		{"1. e4 e5", 5, "1. e4"},
		{"1. e4 e5 2. d4", 12, "1. e4 e5"},
		{"abcdef", 3, "abc"},
		{"≥ü ab", 4, "≥ü"},
	} {
		if got := fit(tt.text, tt.columns); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.text, tt.columns, got, tt.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1.00k", 9994: "9.99k", 9999: "10.0k",
		99999: "100k", 999_999: "1.00M", 12_345_678: "12.3M", 1e18: "1E"} {
		if got := count(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "0.00s", 9990 * time.Millisecond: "9.99s",
		10 * time.Second: "10.0s", time.Minute: "1:00", 3599 * time.Second: "59:59", 3661 * time.Second: "1:01:01"} {
		if got := clock(d); got != want {
			t.Errorf("%v is written %s, want %s", d, got, want)
		}
	}
}

func TestBoard(t *testing.T) {
	p := position.Start()
	last := chess.NewMove(chess.A1, chess.H8)
	for _, tt := range []struct {
		screen screen
		want   []string
	}{
		{screen{}, []string{" 8  r  n  b  q  k  b  n [r]   White to move, move 1\n", " 4     .     .     .     .\n",
			" 1 [R] N "}},
		{screen{unicode: true}, []string{" ♜ ", " ♙ "}},
		{screen{unicode: true, color: true},
			[]string{"\x1b[38;5;231;48;5;136m ♜ \x1b[0m", "\x1b[38;5;16;48;5;136m ♜ "}},
	} {
		got := tt.screen.board(&p, last)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%+v: no %q in\n%s", tt.screen, want, got)
			}
		}
		if !strings.Contains(got, position.StartFEN) || strings.Count(got, "\n") != 11 {
			t.Errorf("%+v:\n%s", tt.screen, got)
		}
	}
}

// TestNarrowBoard puts the facts below the board where they do not fit beside it.
func TestNarrowBoard(t *testing.T) {
	p := position.Start()
	for width, want := range map[int]string{
		40: "\n\nWhite to move, move 1\ncastling KQkq\n", 80: " r    White to move",
	} {
		s := screen{terminal: true, width: width}
		if got := s.board(&p, chess.NoMove); !strings.Contains(got, want) {
			t.Errorf("width %d: no %q in\n%s", width, want, got)
		}
	}
}

// TestFacts describes a position with Black in check.
func TestFacts(t *testing.T) {
	p, err := position.Parse("8/8/8/3k4/4Pp2/8/8/4K3 b - e3 0 7", false)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Black to move, move 7, in check", "castling -", "en passant e3", "halfmove clock 0"}
	if got := (&screen{}).facts(&p); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBounds shows a bound of the side to move from White's point of view, as the score.
func TestBounds(t *testing.T) {
	p := position.Start()
	for _, tt := range []struct {
		p            position.Position
		lower, upper string
	}{{p, "≥", "≤"}, {p.After(movegen.Legal(&p)[0]), "≤", "≥"}} {
		r := &reporter{call: &call{}, pos: tt.p}
		if lower, upper := r.line(&report{Bound: "lower"}), r.line(&report{Bound: "upper"}); !strings.Contains(lower,
			tt.lower) || !strings.Contains(upper, tt.upper) {
			t.Errorf("%v to move: %q, %q", tt.p.SideToMove(), lower, upper)
		}
	}
}

// TestLive carries out what is written on a terminal and looks at the result.
func TestLive(t *testing.T) {
	var out bytes.Buffer
	p := position.Start()
	r := &reporter{
		call: &call{Env: Env{Out: &out}, screen: screen{terminal: true, width: 40, height: 18}},
		pos:  p, block: live{w: &out}, stop: func() {},
	}
	var pv []chess.Move
	at := p
	for range 20 {
		m := movegen.Legal(&at)[0]
		pv = append(pv, m)
		at = at.After(m)
	}
	for depth := 1; depth <= 9; depth++ {
		for line := 1; line <= 5; line++ {
			r.report(&search.Line{Depth: depth, SelDepth: 2 * depth, MultiPV: line, PV: pv, Score: chess.Score(depth),
				Nodes: 1e6, Elapsed: time.Second, Bound: search.Bound(line % 3)})
		}
		r.mu.Lock()
		r.drawn = time.Time{}
		r.mu.Unlock()
	}
	r.finish(search.Result{Best: pv[0]})
	lines := rendered(out.String())
	if len(lines) != 5 || !strings.HasPrefix(lines[0], "depth 9/18") ||
		!strings.HasPrefix(lines[1], fmt.Sprintf(" 9 ≥  %+.2f  1. ", float64(chess.Score(9).Centipawns())/100)) ||
		!strings.HasPrefix(lines[4], "best move: 1. ") {
		t.Errorf("on the terminal stands\n%s", strings.Join(lines, "\n"))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) >= 40 {
			t.Errorf("%q is too long", line)
		}
	}
}

// TestLiveWaits reports lines at once, then nothing more: all of them are shown.
func TestLiveWaits(t *testing.T) {
	var out bytes.Buffer
	r := &reporter{
		call: &call{Env: Env{Out: &out}, screen: screen{terminal: true, width: 40, height: 30}},
		pos:  position.Start(), block: live{w: &out}, stop: func() {},
	}
	moves := movegen.Legal(&r.pos)
	for depth := 1; depth <= 3; depth++ {
		for line := 1; line <= 3; line++ {
			r.report(&search.Line{Depth: depth, SelDepth: depth, MultiPV: line, PV: moves[line : line+1]})
		}
	}
	shown := func() string {
		r.mu.Lock()
		defer r.mu.Unlock()
		return strings.Join(rendered(out.String()), "\n")
	}
	for end := time.Now().Add(time.Minute); strings.Count(shown(), " 3  ") != 3; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("on the terminal stands\n%s", shown())
		}
	}
}

// TestWarningStays warns while a block is on the terminal: the warning is not overwritten.
func TestWarningStays(t *testing.T) {
	var out bytes.Buffer
	block := live{w: &out}
	c := &call{Env: Env{Err: &out}, flags: cli.NewFlags("engine x"), live: &block}
	for _, text := range []string{"one\ntwo\n", "three\nfour\n"} {
		block.draw(text)
		c.warn("before %q", text)
	}
	want := []string{`engine x: before "one\ntwo\n"`, `engine x: before "three\nfour\n"`, "three", "four"}
	if got := rendered(out.String()); !slices.Equal(got, want) {
		t.Errorf("on the terminal stands\n%s", strings.Join(got, "\n"))
	}
}

// rendered returns what stands on a terminal after the text: it knows new lines,
// carriage returns, the cursor up, and clearing below.
func rendered(text string) []string {
	lines := []string{""}
	row := 0
	for text != "" {
		var n int
		switch {
		case strings.HasPrefix(text, clearBelow):
			lines = lines[:row+1]
			lines[row] = ""
			text = text[len(clearBelow):]
		case text[0] == '\x1b':
			if _, err := fmt.Sscanf(text, "\x1b[%dA", &n); err != nil {
				panic(fmt.Sprintf("unknown sequence in %q", text))
			}
			row -= n
			text = text[strings.IndexByte(text, 'A')+1:]
		case text[0] == '\n':
			row++
			if row == len(lines) {
				lines = append(lines, "")
			}
			text = text[1:]
		case text[0] == '\r':
			text = text[1:]
		default:
			i := strings.IndexAny(text, "\x1b\n\r")
			lines[row] += text[:i]
			text = text[i:]
		}
	}
	return lines[:len(lines)-1]
}

// TestReportedScore expects the score from White's point of view, whoever moves.
func TestReportedScore(t *testing.T) {
	p, err := position.Parse("q3k3/8/8/8/8/8/8/4K3 b - - 0 1", false)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r := &reporter{call: &call{Env: Env{Out: &out}}, pos: p, stop: func() {}}
	r.report(&search.Line{Depth: 1, MultiPV: 1, Score: chess.Centipawns(900).Score(), PV: movegen.Legal(&p)[:1]})
	if l := &r.lines[0]; l.CP == nil || *l.CP != -900 || !strings.Contains(out.String(), "-9.00") {
		t.Errorf("%+v, %q", l, out.String())
	}
}
