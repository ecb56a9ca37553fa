package review

import (
	"testing"

	"skein/chess"
)

func TestJudge(t *testing.T) {
	cp := func(n int) Score { return Score(chess.Centipawns(n).Score()) }
	table := Score(chess.TableWin - 10)
	for _, tt := range []struct {
		curve         Curve
		before, after Score
		want          Verdict
		words         string
	}{
		{Lichess, cp(15), cp(-38), None, ""},
		{Lichess, cp(0), cp(-55), Inaccuracy, "Inaccuracy. Rf2 was best."},
		{Lichess, cp(0), cp(-111), Mistake, "Mistake. Rf2 was best."},
		{Lichess, cp(0), cp(-170), Blunder, "Blunder. Rf2 was best."},
		{Lichess, cp(-149), cp(-1200), Blunder, "Blunder. Rf2 was best."},
		{Lichess, cp(1043), cp(503), Mistake, "Mistake. Rf2 was best."},
		{Lichess, cp(100), cp(300), None, ""},
		{Engine, cp(0), cp(-40), None, ""},
		{Engine, cp(100), cp(-100), Blunder, "Blunder. Rf2 was best."},

		{Lichess, cp(0), -mateIn(3), Blunder, "Blunder, allows mate in 3. Rf2 was best."},
		{Lichess, cp(-701), -mateIn(3), Mistake, "Mistake, allows mate in 3. Rf2 was best."},
		{Lichess, cp(-1000), -mateIn(3), Inaccuracy, "Inaccuracy, allows mate in 3. Rf2 was best."},
		{Lichess, mateIn(4), cp(0), Blunder, "Blunder, misses mate in 4. Rf2 was best."},
		{Lichess, mateIn(4), cp(-2000), Blunder, "Blunder, misses mate in 4. Rf2 was best."},
		{Lichess, mateIn(4), cp(700), Blunder, "Blunder, misses mate in 4. Rf2 was best."},
		{Lichess, mateIn(4), cp(701), Mistake, "Mistake, misses mate in 4. Rf2 was best."},
		{Lichess, mateIn(4), cp(1000), Inaccuracy, "Inaccuracy, misses mate in 4. Rf2 was best."},
		{Lichess, mateIn(4), -mateIn(2), Blunder, "Blunder, misses mate in 4. Rf2 was best."},
		{Lichess, mateIn(4), mateIn(3), None, ""},
		{Lichess, mateIn(4), mateIn(4), None, "Mate in 4 was possible. Rf2 was best."},
		{Lichess, -mateIn(4), -mateIn(1), None, ""},
		{Lichess, -mateIn(4), cp(0), None, ""},
		{Lichess, cp(0), mateIn(4), None, ""},

		{Lichess, mateIn(4), table, None, ""},
		{Lichess, table, mateIn(4), None, ""},
		{Lichess, -table, -mateIn(4), None, ""},
		{Lichess, table, cp(0), Blunder, "Blunder. Rf2 was best."},
		{Lichess, cp(0), -table, Blunder, "Blunder. Rf2 was best."},
		{Lichess, table, -mateIn(4), Blunder, "Blunder, allows mate in 4. Rf2 was best."},
	} {
		for _, side := range []chess.Color{chess.White, chess.Black} {
			before, after := Score(tt.before.Of(side)), Score(tt.after.Of(side))
			p := Ply{Before: before, After: after, Verdict: tt.curve.judge(before, after, side)}
			if p.Verdict != tt.want {
				t.Errorf("%v, %v: %v to %v: %q, want %q", tt.curve, side, before, after, p.Verdict, tt.want)
			}
			if got := p.words(side, "Rf2"); got != tt.words {
				t.Errorf("%v: %v to %v: %q, want %q", side, before, after, got, tt.words)
			}
		}
	}
}
