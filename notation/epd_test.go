package notation

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"skein/internal/corpora"
	"skein/position"
)

// otherFormat names the files whose lines hold something else behind the
// position.
var otherFormat = []string{"see.epd"}

// brokenLines are the faults of the suites as published.
var brokenLines = []string{
	"q with king on e8 and rook on c8 is Chess960",                // lct2.epd
	`id "CCR03"; bm Nh6; am Ne5;: EPD: am: move "Ne5": ambiguous`, // ccr25.epd
}

// TestEPDCorpora reads every suite there is, writes each line and reads it
// again. All their moves are legal.
func TestEPDCorpora(t *testing.T) {
	names, err := filepath.Glob(corpora.Path("epd/*.epd"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if slices.Contains(otherFormat, filepath.Base(name)) {
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for e, err := range ReadEPD(file, false) {
			n++
			complain := func(err error) {
				text := fmt.Sprintf("%s: %s: %v", name, e.String(), err)
				if !slices.ContainsFunc(brokenLines, func(s string) bool { return strings.Contains(text, s) }) {
					t.Error(text)
				}
			}
			if err != nil {
				complain(err)
				continue
			}
			epdRoundTrip(t, e)
			for _, code := range []string{"bm", "am"} {
				if _, err := e.Moves(code); err != nil && !strings.HasPrefix(e.Text(code), "#") {
					complain(err)
				}
			}
			for _, code := range []string{"pv", "PV"} {
				if _, err := e.Line(code); err != nil {
					complain(err)
				}
			}
		}
		file.Close()
		if n < 5 {
			t.Errorf("%s: only %d lines", name, n)
		}
	}
}

func epdRoundTrip(t testing.TB, e EPD) {
	t.Helper()
	line := e.String()
	again, err := ParseEPD(line, true)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	same := slices.EqualFunc(again.Operations, e.Operations, func(a, b Operation) bool {
		return a.Code == b.Code && slices.Equal(a.Operands, b.Operands)
	})
	if !same || again.Position != e.Position {
		t.Fatalf("%s: read back as %s", line, again.String())
	}
}

func TestParseEPD(t *testing.T) {
	const board = "4k3/8/8/8/8/8/4P3/4K3 w - - "
	for _, tt := range []struct{ line, want string }{
		{board, ""},
		{board + `id "a; b" ; bm e4`, `id "a; b"; bm e4;`},
		{board + "5 40 bm e4 ; ; ", "hmvc 5; fmvn 40; bm e4;"},
		{board + "hmvc 5; fmvn 40; ce -20;", "hmvc 5; fmvn 40; ce -20;"},
		{board + `bm e4 e3 id "x";`, `bm e4 e3; id "x";`},
		{board + `c0 two "words here" "";`, `c0 "two" "words here" "";`},
		{board + "c7 5;", `c7 "5";`},
		{board + "c0 \"a\r\";", `c0 "a ";`},
		{board + "D1 20 ;D2 400", "D1 20; D2 400;"},
		{board + "noop;", "noop;"},
	} {
		e, err := ParseEPD(tt.line, false)
		if got := strings.TrimPrefix(e.String(), strings.TrimSpace(board)); err != nil ||
			strings.TrimSpace(got) != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.line, got, err, tt.want)
		}
	}
}

func TestEPDErrors(t *testing.T) {
	const board = "4k3/8/8/8/8/8/4P3/4K3 w - - "
	for _, tt := range []struct{ line, want string }{
		{"", "4 fields, here are 0"},
		{"4k3/8/8/8/8/8/4P3/4K3 w -", "here are 3"},
		{"4k3/8/8/8/8/8/4P3/4K3 x - - bm e4;", "FEN: side to move"},
		{board + "hmvc x;", `counter hmvc is "x"`},
		{board + `hmvc ""; fmvn 40;`, `counter hmvc is ""`},
		{board + `fmvn "1 2";`, `counter fmvn is "1 2"`},
		{board + "hmvc 300;", "FEN: halfmove clock"},
		{board + `bm e4; id "x`, `quotes in operation "id" are not closed`},
		{board + `"x";`, "where the name of an operation should"},
		{board + "hmvc;", `the counter hmvc is ""`},
		{board + "bm e4; fmvn 5 6;", `the counter fmvn is "5 6"`},
		{board + "7 bm;", `"7" is not the name of an operation`},
		{board + "| e2e4 | 0", `"|" is not the name of an operation`},
	} {
		_, err := ParseEPD(tt.line, false)
		var epdErr *EPDError
		if !errors.As(err, &epdErr) || !strings.HasPrefix(err.Error(), "EPD: ") ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %q", tt.line, err, tt.want)
		}
	}
	e, err := ParseEPD(board+`bm: Ke5; id: "x";`, false)
	if _, ok := e.Operands("bm"); !ok || err != nil || e.Operations[1].Code != "id" {
		t.Errorf("operations with colons: %v, %v", e.Operations, err)
	}
	e, err = ParseEPD(board+"bm Ke5; ce x; pv e4, e5; dm 3;", false)
	if err != nil {
		t.Fatal(err)
	}
	var moveErr *MoveError
	if _, err := e.Moves("bm"); !errors.As(err, &moveErr) || moveErr.Fault != Illegal {
		t.Errorf("bm: %v", err)
	}
	if _, err := e.Line("pv"); !errors.As(err, &moveErr) || !strings.Contains(err.Error(), "ply 2") {
		t.Errorf("pv: %v", err)
	}
	if _, ok, err := e.Int("ce"); !ok || err == nil {
		t.Errorf("ce: %v, %v", ok, err)
	}
	if n, ok, err := e.Int("dm"); n != 3 || !ok || err != nil {
		t.Errorf("dm: %v, %v, %v", n, ok, err)
	}
	if _, ok, err := e.Int("acd"); ok || err != nil {
		t.Errorf("acd: %v, %v", ok, err)
	}
}

func TestReadEPD(t *testing.T) {
	const text = "\ufeff# comment\r\n\r\n" + "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\r\n" + "nonsense\n"
	var errs []error
	for _, err := range ReadEPD(strings.NewReader(text), false) {
		errs = append(errs, err)
	}
	if len(errs) != 2 || errs[0] != nil || errs[1] == nil || !strings.HasPrefix(errs[1].Error(), "line 4: ") {
		t.Errorf("errors %v", errs)
	}
	const wrong = "4k3/8/8/8/8/8/4P3/4K3 w - - bm Qh9; pv e4 e4; ce x;\n"
	for e, err := range ReadEPD(strings.NewReader("\n"+wrong), false) {
		if err != nil {
			t.Fatal(err)
		}
		_, best := e.Moves("bm")
		_, line := e.Line("pv")
		_, _, score := e.Int("ce")
		for _, err := range []error{best, line, score} {
			if fault := (*EPDError)(nil); !errors.As(err, &fault) || fault.Line != 2 {
				t.Errorf("error %v", err)
			}
		}
		if fault := (*MoveError)(nil); !errors.As(best, &fault) {
			t.Errorf("error %v", best)
		}
	}
	broken := errors.New("broken")
	for _, err := range ReadEPD(iotest.ErrReader(broken), false) {
		if !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
	}
}

// TestReadEPDLongLine reads on after a line that is too long.
func TestReadEPDLongLine(t *testing.T) {
	const position = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;"
	text := position + "\n" + position + "id \"" + strings.Repeat("a", 1<<20) + "\";\n\n" + position
	var good int
	var errs []error
	for e, err := range ReadEPD(strings.NewReader(text), false) {
		if err != nil {
			errs = append(errs, err)
		} else if e.Text("bm") == "e4" && e.LineNumber == 1+3*good {
			good++
		}
	}
	if good != 2 || len(errs) != 1 || errs[0].Error() != "line 2: EPD: the line is longer than a mebibyte" {
		t.Errorf("%d positions, errors %v", good, errs)
	}
	if bad, ok := errors.AsType[*EPDError](errs[0]); !ok || bad.Line != 2 {
		t.Errorf("error %#v", errs[0])
	}
}

func TestEPDSet(t *testing.T) {
	e := EPD{Position: position.Start()}
	e.Set("bm", "e4")
	e.Set("id", `a "quoted" name`)
	e.Set("bm", "d4", "c4")
	e.Set("am", "id")
	want := `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm d4 c4; id "a 'quoted' name"; am "id";`
	if got := e.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if again, err := ParseEPD(want, false); err != nil || again.String() != want {
		t.Errorf("got %s, %v, want %s", again.String(), err, want)
	}
}

// FuzzReadEPD reads anything as lines. Each position and error has the number of its
// line.
func FuzzReadEPD(f *testing.F) {
	f.Add("\ufeff# comment\r\n\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x\";\nnonsense\x00\n")
	f.Add("4k3/8/8/8/8/8/4P3/4K3 w - - id \"\r\"")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for e, err := range ReadEPD(strings.NewReader(text), true) {
			line := e.LineNumber
			if err == nil {
				epdRoundTrip(t, e)
			} else if bad, ok := errors.AsType[*EPDError](err); ok {
				line = bad.Line
			} else {
				t.Fatalf("error %v after line %d", err, last)
			}
			if line <= last || line > 1+strings.Count(text, "\n") {
				t.Fatalf("line %d after %d, error %v", line, last, err)
			}
			last = line
		}
	})
}

func FuzzEPD(f *testing.F) {
	for _, line := range []string{
		`4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "x"; c0 "a=10, b=2";`,
		"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 am e4 id x;hmvc 3;",
		"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - pv O-O-O;",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		e, err := ParseEPD(line, true)
		if err != nil {
			return
		}
		epdRoundTrip(t, e)
		e.Moves("bm")
		e.Line("pv")
	})
}

// TestEPDLine reads the moves of an operation as a line.
func TestEPDLine(t *testing.T) {
	e, err := ParseEPD("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - pv e4 e5 Nf3;", false)
	if err != nil {
		t.Fatal(err)
	}
	if moves, err := e.Line("pv"); err != nil || FormatLine(&e.Position, moves) != "1. e4 e5 2. Nf3" {
		t.Errorf("%v, %v", moves, err)
	}
}
