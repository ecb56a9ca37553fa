package position_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"skein/internal/corpora"
	"skein/movegen"
	"skein/position"
)

// lines reads a file of test data and, with header, leaves out its first line.
func lines(t testing.TB, name string, header bool) []corpora.Line {
	t.Helper()
	lines, err := corpora.Lines(corpora.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	if header {
		return lines[1:]
	}
	return lines
}

// parse reads a FEN that must be good.
func parse(t testing.TB, fen string, chess960 bool) position.Position {
	t.Helper()
	p, err := position.Parse(fen, chess960)
	if err != nil {
		t.Fatalf("%q: %v", fen, err)
	}
	return p
}

// fenCase is a FEN with what another reader thinks of it.
type fenCase struct {
	corpora.Line
	fen      string
	ok       [2]bool   // in standard chess, in Chess960
	rewrites [2]string // as the other writes it, if known
}

// stricter lists where Parse refuses on purpose what the reader that gave the
// verdicts, python-chess, accepts.
var stricter = []struct {
	reason string
	holds  func(fen string, fields []string) bool
}{
	{"a clock above 150: the game was over before", func(_ string, f []string) bool {
		return len(f) > 4 && above(f[4], 150)
	}},
	{"a move number above 9999", func(_ string, f []string) bool {
		return len(f) > 5 && above(f[5], 9999)
	}},
	{"counters are plain ASCII digits: no sign, no underscore, no digits of other scripts",
		func(_ string, f []string) bool {
			return len(f) > 4 && strings.Trim(strings.Join(f[4:], ""), "0123456789") != ""
		}},
	{"the mark ~ of promoted pieces belongs to other variants", func(fen string, _ []string) bool {
		return strings.Contains(fen, "~")
	}},
	{"a right to castle with the queen's rook names a rook; the other drops it if there is none on the home rank",
		func(_ string, f []string) bool {
			if len(f) < 3 {
				return false
			}
			ranks := strings.Split(f[0], "/")
			return strings.Contains(f[2], "Q") && !strings.Contains(ranks[len(ranks)-1], "R") ||
				strings.Contains(f[2], "q") && !strings.Contains(ranks[0], "r")
		}},
	{"blanks between fields are ASCII blanks", func(fen string, _ []string) bool {
		return strings.ContainsAny(fen, "\u00a0")
	}},
}

// above reports whether s is a number, of any length, that exceeds limit.
func above(s string, limit int) bool {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return false
	}
	n, err := strconv.Atoi(s)
	return err != nil || n > limit
}

func jsonCases(t *testing.T, name string) []fenCase {
	t.Helper()
	type written struct{ FEN string }
	var cases []fenCase
	for _, line := range lines(t, name, false) {
		var r struct {
			FEN, Verdict, Verdict960 string
			Out                      string `json:"fen_out"`
			Std, Chess960            written
		}
		if err := json.Unmarshal([]byte(line.Text), &r); err != nil {
			t.Fatalf("%s: %v", line.Where, err)
		}
		c := fenCase{line, r.FEN, [2]bool{r.Verdict == "ok", r.Verdict960 == "ok"},
			[2]string{r.Std.FEN, r.Chess960.FEN}}
		if r.Verdict == "ok" && r.Out != "" {
			c.rewrites = [2]string{r.Out, r.Out}
		}
		cases = append(cases, c)
	}
	return cases
}

func cozyCases(t *testing.T) []fenCase {
	t.Helper()
	var cases []fenCase
	for _, line := range lines(t, "fen/cozy-sfens-dev.tsv", true) {
		f := strings.Split(line.Text, "\t") // label, verdict in Chess960 mode, FEN
		if len(f) != 3 {
			t.Fatalf("%s: %d fields", line.Where, len(f))
		}
		ok := f[0] == "valid"
		if ok != (f[1] == "ok") {
			t.Fatalf("%s: the labels differ", line.Where)
		}
		c := fenCase{line, f[2], [2]bool{ok, ok}, [2]string{}}
		if castling := strings.Fields(f[2])[2]; ok {
			// In standard chess only the standard squares may castle.
			p := parse(t, f[2], true)
			c.ok[0] = castling == "-" || standardCastling(&p)
		}
		cases = append(cases, c)
	}
	return cases
}

// standardCastling reports whether all castling rights are those of kings on
// e1 and e8 and rooks in the corners.
func standardCastling(p *position.Position) bool {
	fields := strings.Fields(p.ShredderFEN())
	if strings.Trim(fields[2], "AHah-") != "" {
		return false
	}
	ranks := strings.Split(fields[0], "/")
	white, black := strings.ContainsAny(fields[2], "AH"), strings.ContainsAny(fields[2], "ah")
	return (!white || file(ranks[7], 'K') == 4) && (!black || file(ranks[0], 'k') == 4)
}

// file returns the file of the first such piece in a rank of a FEN.
func file(rank string, piece rune) int {
	n := 0
	for _, r := range rank {
		switch {
		case r == piece:
			return n
		case r >= '1' && r <= '8':
			n += int(r - '0')
		default:
			n++
		}
	}
	return -1
}

func randomCases(t *testing.T) []fenCase {
	t.Helper()
	var cases []fenCase
	for _, line := range lines(t, "fen/random-positions-dev.tsv", true) {
		f := strings.Split(line.Text, "\t") // FEN, status, perft 1 and 2
		ok := f[1] == "ok"
		cases = append(cases, fenCase{line, f[0], [2]bool{ok, ok}, [2]string{}})
	}
	return cases
}

// TestVerdicts compares what Parse accepts and refuses, and what FEN writes,
// with other readers' verdicts.
func TestVerdicts(t *testing.T) {
	used := make([]int, len(stricter))
	for _, cases := range [][]fenCase{
		jsonCases(t, "fen/fen-validity.jsonl"),
		jsonCases(t, "fen/fen-fuzz-dev.jsonl"),
		cozyCases(t),
		randomCases(t),
	} {
		for _, c := range cases {
			for mode, ok := range c.ok {
				if ok {
					for i, s := range stricter {
						if s.holds(c.fen, strings.Fields(c.fen)) {
							ok = false
							used[i]++
						}
					}
				}
				p, err := position.Parse(c.fen, mode == 1)
				switch {
				case ok && err != nil:
					t.Errorf("%s: %.100q, mode %d: refused: %v", c.Where, c.fen, mode, err)
				case !ok && err == nil:
					t.Errorf("%s: %.100q, mode %d: accepted", c.Where, c.fen, mode)
				case ok && c.rewrites[mode] != "" && p.FEN() != c.rewrites[mode]:
					t.Errorf("%s: %.100q, mode %d: FEN %q, want %q", c.Where, c.fen, mode, p.FEN(), c.rewrites[mode])
				}
				if err == nil {
					checkRoundTrip(t, &p)
				}
			}
		}
	}
	for i, s := range stricter {
		if used[i] == 0 {
			t.Errorf("no FEN is refused for: %s", s.reason)
		}
	}
}

// checkRoundTrip reads what p writes, and wants nothing less than p.
func checkRoundTrip(t *testing.T, p *position.Position) {
	t.Helper()
	for _, fen := range []string{p.FEN(), p.ShredderFEN()} {
		again, err := position.Parse(fen, true)
		if err != nil {
			t.Errorf("%s: written but refused: %v", fen, err)
		} else if again != *p {
			t.Errorf("%s: reads as %s, another position", fen, again.FEN())
		}
	}
}

// TestRandomPositions counts the moves on the crowded boards of the random
// positions.
func TestRandomPositions(t *testing.T) {
	for _, line := range lines(t, "fen/random-positions-dev.tsv", true) {
		f := strings.Split(line.Text, "\t")
		if f[1] != "ok" {
			continue
		}
		p := parse(t, f[0], false)
		for depth, want := range f[2:] {
			if n := strconv.FormatUint(movegen.Perft(&p, depth+1), 10); n != want {
				t.Errorf("%s: %s: depth %d: %s nodes, want %s", line.Where, f[0], depth+1, n, want)
			}
		}
	}
}

// TestDestruction reads lines made to break readers. Their remarks tell what
// is to be refused.
func TestDestruction(t *testing.T) {
	faults := []string{
		"bad EPD", "cull", "garbage",
		"-0 ",             // en passant and clock glued together
		" bm ", " moves ", // what follows is no part of a FEN
		"castle status", "two castling rooks", // rights of Chess960
		"400 500", // clock above 150
	}
	accepted := 0
	for _, line := range lines(t, "fen/destruction-test.epd", false) {
		text := strings.Trim(line.Text, "\x00 ")
		if text == "" {
			continue
		}
		ok := true
		for _, fault := range faults {
			ok = ok && !strings.Contains(text, fault)
		}
		fen, _, _ := strings.Cut(text, ";")
		if _, err := position.Parse(fen, false); (err == nil) != ok {
			t.Errorf("%s: %s: error %v", line.Where, text, err)
		}
		if ok {
			accepted++
		}
	}
	if accepted != 8 {
		t.Errorf("%d lines are good, want 8", accepted)
	}
}

// TestErrors checks that an error names the field at fault.
func TestErrors(t *testing.T) {
	for _, test := range []struct{ fen, field, reason string }{
		{"", "board", "is missing"},
		{" \t ", "board", "is missing"},
		{"8/8/8/8/8/8/8 w - - 0 1", "board", "expected 8 ranks, found 7"},
		{"8/8/8/8/8/8/8/8/8 w - - 0 1", "board", "found more"},
		{"4k3/8/8/44/8/8/8/4K3 w - - 0 1", "board", "rank 5: adjacent digits"},
		{"4k3/8/8/8/8/8/9/4K3 w - - 0 1", "board", "rank 2: '9'"},
		{"4k3/8/8/8/8/8/7/4K3 w - - 0 1", "board", "rank 2: 7 squares"},
		{"4k3/8/8/8/8/8/7PP/4K3 w - - 0 1", "board", "rank 2: more than 8"},
		{"8/8/8/8/8/8/8/4K3 w - - 0 1", "board", "0 black kings"},
		{"4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "board", "2 white kings"},
		{"4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "board", "9 white pawns"},
		{"rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w - - 0 1", "board", "17 black men"},
		{"4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "board", "pawn on h8"},
		{"5R2/2P5/8/4k3/8/3rK2r/8/8 w - - 0 1", "checks", "impossible double check from d3 and h3"},
		{"4k3/8/8/8/4r2b/8/8/r3K3 w - - 0 1", "checks", "impossible check by 3 pieces"},
		{"8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", "checks", "impossible check: the last move was a double step to d4"},
		{"4k3/8/8/8/8/8/8/4K3 W - - 0 1", "side to move", `"W" is neither w nor b`},
		{"4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "side to move", "black is in check but white is to move"},
		{"4k3/8/8/8/8/8/8/R3K3 w kqKQ - 0 1", "castling rights", "is not of the form"},
		{"4k3/8/8/8/8/8/8/R3K3 w K - 0 1", "castling rights", "no white rook for K"},
		{"4k3/8/8/8/8/8/8/R3K2R w KQK - 0 1", "castling rights", `"KQK" is not of the form`},
		{"4k3/8/8/8/8/8/4K3/R7 w Q - 0 1", "castling rights", "white king on e2"},
		{"4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", "castling rights", "is Chess960"},
		{"4k3/8/8/8/8/8/8/4K3 w - e 0 1", "en passant square", `"e" is not a square`},
		{"4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "en passant square", "e3 is on the wrong rank"},
		{"4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant square", "no black pawn on e5"},
		{"4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "en passant square", "e6 is occupied"},
		{"4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", "en passant square", "came from e7"},
		// Before e2e4 the rook gave check, too.
		{"8/8/8/8/2k1P2R/8/8/K4B2 b - e3 0 1", "checks", "the last move was a double step to e4"},
		{"4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock", `"x" is not a number`},
		{"4k3/8/8/8/8/8/8/4K3 w - - -5 1", "halfmove clock", "-5 is negative"},
		{"4k3/8/8/8/8/8/8/4K3 w - - -- 1", "halfmove clock", `"--" is not a number`},
		{"4k3/8/8/8/8/8/8/4K3 w - - 151 1", "halfmove clock", "151 is more than 150"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "move number", "-1 is negative"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999", "move number", "is more than 9999"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1 e4", "fields", "expected at most 6, found 7"},
		{"4k3/8/8/8/8/8/8/4K3 " + strings.Repeat("w", 1000), "side to move", `"` + strings.Repeat("w", 40) + `" is`},
	} {
		p, err := position.Parse(test.fen, false)
		var fenErr *position.FENError
		if !errors.As(err, &fenErr) || p != (position.Position{}) {
			t.Errorf("%.80q: error %v, want a *FENError and no position", test.fen, err)
			continue
		}
		if fenErr.Field != test.field || !strings.Contains(fenErr.Reason, test.reason) {
			t.Errorf("%.80q: %v, want %s: %s", test.fen, err, test.field, test.reason)
		}
		if want := "FEN: " + fenErr.Field + ": " + fenErr.Reason; err.Error() != want {
			t.Errorf("error reads %q, want %q", err, want)
		}
	}
	for _, fen := range []string{"4k3/8/8/8/8/8/8/KR5R w HB - 0 1", "4k3/8/8/8/8/8/8/R5RK w GA - 0 1"} {
		if _, err := position.Parse(fen, true); err == nil ||
			!strings.Contains(err.Error(), "two white rooks on one side") {
			t.Errorf("%s: error %v", fen, err)
		}
	}
}

// TestWrite checks how positions are written that were read otherwise.
func TestWrite(t *testing.T) {
	for _, test := range []struct{ fen, want, shredder string }{
		{position.StartFEN, position.StartFEN, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"},
		{"4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"4k3/8/8/8/8/8/8/4K3\tb -\r\n- 007 0", "4k3/8/8/8/8/8/8/4K3 b - - 7 1", "4k3/8/8/8/8/8/8/4K3 b - - 7 1"},
		{"r3k2r/8/8/8/8/8/8/RR2K1RR w GBha - 0 1", "r3k2r/8/8/8/8/8/8/RR2K1RR w GBkq - 0 1",
			"r3k2r/8/8/8/8/8/8/RR2K1RR w GBha - 0 1"},
		{"r3k2r/8/8/8/8/8/8/RR2K1RR w QKqk - 0 1", "r3k2r/8/8/8/8/8/8/RR2K1RR w KQkq - 0 1",
			"r3k2r/8/8/8/8/8/8/RR2K1RR w HAha - 0 1"},
		{"1r2k3/8/8/8/8/8/8/4K3 w b - 0 1", "1r2k3/8/8/8/8/8/8/4K3 w q - 0 1", "1r2k3/8/8/8/8/8/8/4K3 w b - 0 1"},
	} {
		p := parse(t, test.fen, true)
		if p.FEN() != test.want || p.ShredderFEN() != test.shredder {
			t.Errorf("%q: FEN %q, Shredder-FEN %q, want %q and %q", test.fen, p.FEN(), p.ShredderFEN(), test.want,
				test.shredder)
		}
	}
	if p := position.Start(); p.FEN() != position.StartFEN {
		t.Errorf("Start is %s", p.FEN())
	}
}

func TestParseAny(t *testing.T) {
	for fen, want := range map[string]bool{
		position.StartFEN:                      false,
		"4k3/8/8/8/8/8/8/4KR2 w F - 0 1":       true,
		"4k3/8/8/8/8/8/8/5KR1 w K - 0 1":       true,
		"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1": false,
	} {
		p, chess960, err := position.ParseAny(fen)
		if same, e := position.Parse(fen, want); err != nil || e != nil || chess960 != want || p != same {
			t.Errorf("%s: Chess960 %t, %v", fen, chess960, err)
		}
	}
	for fen, want := range map[string]string{
		"4k3/8/8/8/8/8/8/4K3 w F - 0 1":  "castling rights",
		"4k3/8/8/8/8/8/8/5KR1 w K - x 1": "halfmove clock",
		"4k3/8/8/8/8/8/8/4K2R w K - x 1": "halfmove clock",
	} {
		_, chess960, err := position.ParseAny(fen)
		if e, ok := errors.AsType[*position.FENError](err); !ok || e.Field != want || chess960 {
			t.Errorf("%s: Chess960 %t, %v, want an error in the %s", fen, chess960, err, want)
		}
	}
}
