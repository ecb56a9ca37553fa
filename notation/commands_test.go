package notation

import (
	"testing"
	"time"

	"skein/chess"
)

func TestParseEval(t *testing.T) {
	pawns := func(p float64) chess.Score { return chess.Centipawns(100 * p).Score() }
	for comment, want := range map[string]chess.Score{
		"[%eval 0.35]":                       pawns(0.35),
		"bad [%clk 0:01:00] [%eval -2.0,20]": pawns(-2),
		"[%eval  +1.5 20] [%eval 3]":         pawns(1.5),
		"[%eval 1000000000.00]":              chess.MaxEval,
		"[%eval -110]":                       -chess.MaxEval,
		"[%eval #3]":                         chess.MateIn(5),
		"[%eval #-3,20]":                     chess.MatedIn(6),
		"[%eval -#3]":                        chess.MatedIn(6),
		"[%eval +#3]":                        chess.MateIn(5),
		"[%eval #120]":                       chess.MateIn(239),
		"[%evaluation x] [%eval 1]":          pawns(1),
		" [%clk 0:01] [%eval 1]":             pawns(1),
	} {
		if s, ok := ParseEval(comment, chess.White); !ok || s != want {
			t.Errorf("%s: %d, %t, want %d", comment, s, ok, want)
		}
	}
	for _, comment := range []string{"", "0.35", "[%eval]", "[%eval 0.35", "[%eval0.35]", "[%evaluation 1]",
		"[%eval NaN]", "[%eval -Inf]", "[%eval 1e4]", "[%eval 0x1p3]", "[%eval 1_0]", "[%eval #]",
		"[%eval #121]", "[%eval #-121]", "[%eval x] [%eval 1]", "[%eval 23,14]", "[%eval #-9223372036854775808]"} {
		if s, ok := ParseEval(comment, chess.White); ok {
			t.Errorf("%s: %d", comment, s)
		}
	}
	for comment, want := range map[string]chess.Score{
		"[%eval #3]": chess.MateIn(6), "[%eval #-3]": chess.MatedIn(5), "[%eval #-1]": chess.MatedIn(1),
		"[%eval -2.0]": pawns(-2), "[%eval #120]": chess.MateIn(240),
	} {
		if s, ok := ParseEval(comment, chess.Black); !ok || s != want {
			t.Errorf("%s, Black to move: %d, %t, want %d", comment, s, ok, want)
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

// TestFormatEval reads what it writes.
func TestFormatEval(t *testing.T) {
	for s, want := range map[chess.Score]string{
		chess.Centipawns(35).Score(): "[%eval 0.35]", chess.Centipawns(-1205).Score(): "[%eval -12.05]",
		0: "[%eval 0.00]", chess.MateIn(5): "[%eval #3]", chess.MatedIn(6): "[%eval #-3]",
		chess.MatedIn(0): "[%eval #0]",
	} {
		got := FormatEval(s)
		if read, ok := ParseEval(got, chess.White); got != want || !ok || read != s {
			t.Errorf("%d: %s, want %s, read as %d, %t", s, got, want, read, ok)
		}
	}
	if got := FormatEval(3 - chess.TableWin); got != "[%eval -100.00]" {
		t.Errorf("lost by endgame tables: %s", got)
	}
}

func TestClock(t *testing.T) {
	for comment, want := range map[string]time.Duration{
		"[%eval 0.3] [%clk 1:30:00] [%clk 0:00:01]": 90 * time.Minute,
		"[%clk  0:09:58.1 ]":                        9*time.Minute + 58100*time.Millisecond,
		"[%clk 0:00:00]":                            0,
		"[%clk 100:00:59.9]":                        100*time.Hour + 59900*time.Millisecond,
	} {
		left, ok := ParseClock(comment)
		if !ok || left != want {
			t.Errorf("%s: %v, %t, want %v", comment, left, ok, want)
		}
		if again, ok := ParseClock(FormatClock(left)); !ok || again != left {
			t.Errorf("%v is written as %s", left, FormatClock(left))
		}
	}
	for _, comment := range []string{"", "[%clk]", "[%clk 1:00]", "[%clk 0:-1:00]", "[%clk 0:00:1e3]",
		"[%clk 0:00:Inf]", "[%clk 99999:00:00]", "[%clk 0:00:00:00]", "[%clk 0:00:00", "[%emt 0:00:01]"} {
		if left, ok := ParseClock(comment); ok {
			t.Errorf("%s: %v", comment, left)
		}
	}
	for left, want := range map[time.Duration]string{
		-time.Second:               "[%clk 0:00:00]",
		59960 * time.Millisecond:   "[%clk 0:01:00]",
		3599900 * time.Millisecond: "[%clk 0:59:59.9]",
	} {
		if got := FormatClock(left); got != want {
			t.Errorf("%v: %s, want %s", left, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	const comment = "a [%csl Gd5,Rf6 ] b [%cslx 1] [%clk 0:01:00] c [%cal"
	for name, want := range map[string]string{"csl": "Gd5,Rf6", "clk": "0:01:00", "cal": "", "eval": ""} {
		if got, ok := Command(comment, name); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, want)
		}
	}
	for comment, want := range map[string]string{
		comment: "a b c [%cal", "": "", "[%eval 0.1]": "", "  a\n b ": "a b",
		"[%clk 1:00:00]good [x] move": "good [x] move",
	} {
		if got := WithoutCommands(comment); got != want {
			t.Errorf("%q without commands is %q, want %q", comment, got, want)
		}
	}
}
