package search

import (
	"math/rand/v2"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// lastLines are the reports of the last block of lines of one search.
type lastLines struct {
	game  *position.Game
	lines []Line // by MultiPV
	pv    [][]chess.Move
}

// note replaces the line of the same rank, and those below the first.
func (l *lastLines) note(line *Line) {
	l.lines = append(l.lines[:line.MultiPV-1], *line)
	l.pv = append(l.pv[:line.MultiPV-1], append([]chess.Move(nil), line.PV...))
}

// afterRandomMoves returns a game of a few random moves that is not over.
func afterRandomMoves(t *testing.T, rng *rand.Rand) *position.Game {
	for {
		g := newGame(t, varied[rng.IntN(len(varied))])
		for range rng.IntN(12) {
			if moves := movegen.Legal(&g.Pos); len(moves) > 0 {
				g.Play(moves[rng.IntN(len(moves))])
			}
		}
		if movegen.Count(&g.Pos) > 1 && !g.Pos.InsufficientMaterial() && g.Pos.Halfmoves() < 90 {
			return g
		}
	}
}

// ended reports whether a line that leads to end cannot be longer: by mate,
// stalemate, or a draw.
func ended(end *position.Game) bool {
	return movegen.Count(&end.Pos) == 0 || end.Repetitions() > 0 || end.Pos.Halfmoves() >= 100 ||
		end.Pos.InsufficientMaterial()
}

// TestLastLine cuts searches short after some nodes. The last best line must be
// exact and at least four plies long in 95 % of them, unless the game ends before,
// and begin with the move and the reply of the result in all. Of the other lines,
// those that an interrupted iteration moved below a lower score are bounds. Two
// threads never search the same twice, so a short test, of few searches, leaves
// more room for chance.
func TestLastLine(t *testing.T) {
	searches, firstPercent, othersPercent := 200, 95, 85
	if testing.Short() {
		searches, firstPercent, othersPercent = 60, 85, 75
	}
	for _, lines := range []int{1, 3} {
		for _, threads := range []int{1, 2} {
			e := newEngine(t, threads, 8)
			rng := rand.New(rand.NewPCG(uint64(lines), uint64(threads)))
			first, others, wholeFirst, wholeOthers := 0, 0, 0, 0
			for range searches {
				last := lastLines{game: afterRandomMoves(t, rng)}
				limits := Limits{Nodes: 3000 + rng.Uint64N(12000), MultiPV: lines}
				r := e.Search(last.game, limits, OnLine(last.note))
				checkChosen(t, &last, &r)
				first++
				wholeFirst += flag(last.whole(t, 0))
				for i := 1; i < len(last.lines); i++ {
					others++
					wholeOthers += flag(last.whole(t, i))
				}
			}
			if wholeFirst*100 < first*firstPercent || wholeOthers*100 < others*othersPercent {
				t.Errorf("%d lines, %d threads: exact and whole are only %d of %d best lines, %d of %d others",
					lines, threads, wholeFirst, first, wholeOthers, others)
			}
		}
	}
}

// whole reports whether line i is exact and at least four plies long, or leads to
// the end of the game. Its moves must be legal.
func (l *lastLines) whole(t *testing.T, i int) bool {
	t.Helper()
	end := playLine(t, l.game, l.pv[i])
	return l.lines[i].Bound == Exact && (len(l.pv[i]) >= 4 || ended(end))
}

// checkChosen checks that the first of the last lines begins with the moves of
// the result.
func checkChosen(t *testing.T, last *lastLines, r *Result) {
	t.Helper()
	if pv := last.pv[0]; pv[0] != r.Best || len(pv) > 1 && pv[1] != r.Ponder {
		t.Errorf("%s: best move %v, reply %v, but the last line is %v", last.game.Pos.FEN(), r.Best, r.Ponder, pv)
	}
}
