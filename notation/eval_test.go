package notation

import (
	"testing"

	"skein/chess"
)

func TestParseEval(t *testing.T) {
	pawns := func(p float64) chess.Score { return chess.Centipawns(100 * p).Score() }
	for comment, want := range map[string]chess.Score{
		"[%eval 0.35]":                     pawns(0.35),
		"bad [%clk 0:01:00] [%eval -2,20]": pawns(-2),
		"[%eval  +1.5 20] [%eval 3]":       pawns(1.5),
		"[%eval 1e9]":                      chess.MaxEval,
		"[%eval -Inf]":                     -chess.MaxEval,
		"[%eval #3]":                       chess.MateIn(5),
		"[%eval #-3,20]":                   chess.MatedIn(6),
		"[%eval -#3]":                      chess.MatedIn(6),
		"[%eval #120]":                     chess.MateIn(239),
	} {
		if s, ok := ParseEval(comment, chess.White); !ok || s != want {
			t.Errorf("%s: %d, %t, want %d", comment, s, ok, want)
		}
	}
	for _, comment := range []string{"", "0.35", "[%eval]", "[%eval 0.35", "[%eval0.35]", "[%evaluation 1]",
		"[%eval NaN]", "[%eval #]", "[%eval #121]", "[%eval #-121]", "[%eval x] [%eval 1]"} {
		if s, ok := ParseEval(comment, chess.White); ok {
			t.Errorf("%s: %d", comment, s)
		}
	}
	for side, want := range map[chess.Color]chess.Score{chess.White: chess.MatedIn(0), chess.Black: chess.MateIn(0)} {
		for _, comment := range []string{"[%eval #0]", "[%eval #-0]"} {
			if s, ok := ParseEval(comment, side); !ok || s != want {
				t.Errorf("%s, %s to move: %d, %t", comment, side, s, ok)
			}
		}
	}
}
