package record_test

import (
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/record"
)

func TestEntry(t *testing.T) {
	for _, g := range games(t, 500, 0) {
		e := record.Entry{Position: g.Start, Score: -1234, Result: g.Result}
		packed := e.Pack()
		if got, err := packed.Unpack(); err != nil || got != e {
			t.Errorf("%v became %v, %v", e, got, err)
		}
		if got, err := record.ParseEntry(e.String()); err != nil || got != e {
			t.Errorf("%v became %v, %v", e, got, err)
		}
	}
	e := record.Entry{Position: parse(t, "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9"), Score: 517, Result: record.WhiteWins}
	if got := e.String(); got != "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9 | 517 | 1.0" {
		t.Error(got)
	}
	if b := e.Pack(); b[28] != 5 || b[29] != 2 || b[30] != 2 {
		t.Errorf("score and result are %v", b[28:])
	}
	b := e.Pack()
	b[30] = 3
	if _, err := b.Unpack(); err == nil {
		t.Error("a bad result was accepted")
	}
	fen := "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
	for line, want := range map[string]string{
		"":                      "fields",
		fen + " | 5":            "2 fields",
		"4k3/8 w - - | 5 | 0.5": "FEN",
		fen + " | five | 0.5":   `"five" is no score`,
		fen + " | 40000 | 0.5":  "score",
		fen + " | 5 | 0.7":      `"0.7" is no result`,
	} {
		if _, err := record.ParseEntry(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", line, err)
		}
	}
	for _, line := range []string{fen + "|-5|1", fen + " | -5 | 1.0 | an engine", fen + " | -5 | 1.0 | an engine | 2"} {
		if e, err := record.ParseEntry(line); err != nil || e.Score != -5 || e.Result != record.WhiteWins {
			t.Error(line, e, err)
		}
	}
}

func TestFilter(t *testing.T) {
	quiet, check := parse(t, "4k3/P7/8/3p4/4P3/8/8/4K3 w - - 0 9"), parse(t, "4k3/8/8/8/4r3/8/8/4K3 w - - 0 9")
	step, capture := chess.NewMove(chess.E1, chess.D1), chess.NewMove(28, 35)
	promotion := chess.NewPromotion(48, chess.A8, chess.Queen)
	f := record.Filter{MinMove: 9, MaxScore: 100, Quiet: true}
	for i, test := range []struct {
		filter record.Filter
		in     bool // use the position in check
		ply    record.Ply
		keep   bool
	}{
		{f, false, record.Ply{Move: step, Score: -100}, true},
		{f, false, record.Ply{Move: step, Score: -101}, false},
		{f, false, record.Ply{Move: step, Score: 101}, false},
		{f, false, record.Ply{Move: capture}, false},
		{f, false, record.Ply{Move: promotion}, false},
		{f, true, record.Ply{Move: step}, false},
		{record.Filter{MinMove: 10}, false, record.Ply{Move: step}, false},
		{record.Filter{}, true, record.Ply{Move: capture, Score: 32000}, true},
	} {
		p := &quiet
		if test.in {
			p = &check
		}
		if test.filter.Keep(p, test.ply) != test.keep {
			t.Errorf("case %d: kept is not %v", i, test.keep)
		}
	}
}

func FuzzParseEntry(f *testing.F) {
	f.Add("4k3/8/8/8/8/8/8/R3K3 w Q - 3 9 | 517 | 1.0")
	f.Add("4k3/8/8/8/8/8/8/4K3 b - - | -5 | 0")
	f.Fuzz(func(t *testing.T, line string) {
		e, err := record.ParseEntry(line)
		if err != nil {
			return
		}
		if again, err := record.ParseEntry(e.String()); err != nil || again != e {
			t.Errorf("%q became %v, %v", line, again, err)
		}
		packed := e.Pack()
		if again, err := packed.Unpack(); err != nil || again != e {
			t.Errorf("%q packed became %v, %v", line, again, err)
		}
	})
}
