package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/position"
	"skein/rules"
)

// TestQueenGifts plays games of limited play against itself and looks for moves
// after which the reply wins the queen, though another move would have been better
// by more than a rook. There are some at the lowest rating, and none above
// heedsQueen.
func TestQueenGifts(t *testing.T) {
	e := newEngine(t, 1, 1)
	judge := newEngine(t, 1, 1)
	games := 12
	if testing.Short() {
		games = 4
	}
	gifts := func(elo, games int) (n, queens int) {
		for number := range games {
			g := newGame(t, position.StartFEN)
			r := rand.New(rand.NewPCG(uint64(number), uint64(elo)))
			for ply := 0; ply < 120 && !rules.EndedOrClaimable(g).Over(); ply++ {
				if ply < 6 {
					moves := movegen.Legal(&g.Pos)
					g.Play(moves[r.IntN(len(moves))])
					continue
				}
				m := e.Search(g, Limits{Strength: Strength{Elo: elo, Seed: r.Uint64()}}, nil).Best
				if g.Pos.PiecesOf(g.Pos.SideToMove(), chess.Queen) != 0 {
					queens++
				}
				if !m.IsPromotion() && givesQueen(judge, g, m) {
					n++
					t.Logf("%d: %s, %s", elo, g.Pos.FEN(), m)
				}
				g.Play(m)
			}
		}
		return n, queens
	}
	if n, queens := gifts(MinElo, 4*games); n == 0 {
		t.Errorf("at %d the queen was not given away in %d moves: the test finds nothing", MinElo, queens)
	}
	for _, elo := range []int{heedsQueen + 1, 1500, 1800, 2050} {
		if n, queens := gifts(elo, games); n > 0 || queens < 50*games/4 {
			t.Errorf("at %d the queen was given away %d times in %d moves", elo, n, queens)
		}
	}
}

// givesQueen reports whether m in g leaves the queen to be taken without taking
// the other one, and the move of the judge does not and is better by more than a
// rook.
func givesQueen(judge *Engine, g *position.Game, m chess.Move) bool {
	if g.Pos.Captured(m) == chess.Queen || !queenHangs(g, m) {
		return false
	}
	judge.NewGame()
	best := judge.Search(g, Limits{Nodes: 5000}, nil)
	played := judge.Search(g, Limits{Nodes: 5000, SearchMoves: []chess.Move{m}}, nil)
	return !queenHangs(g, best.Best) && best.Score.Centipawns()-played.Score.Centipawns() > rookGift
}

// rookGift is the value of a rook, in centipawns.
const rookGift = 500

// queenHangs reports whether the reply to m in g wins a queen for less than a rook
// with the first capture, and nothing that is worth a rook can be taken then and
// no pawn be promoted.
func queenHangs(g *position.Game, m chess.Move) bool {
	next := g.Pos.After(m)
	for _, reply := range movegen.Legal(&next) {
		if next.Captured(reply) == chess.Queen && next.SEE(reply, rookGift) {
			after := next.After(reply)
			if !slices.ContainsFunc(movegen.Legal(&after), func(m chess.Move) bool {
				return m.IsPromotion() || after.IsCapture(m) && after.SEE(m, rookGift)
			}) {
				return true
			}
		}
	}
	return false
}

// TestOverlooks compares how often moves are overlooked, over many seeds: what is
// farther ahead, longer, quieter or among more men more often.
func TestOverlooks(t *testing.T) {
	share := func(fen, move string, ply int) int {
		g := newGame(t, fen)
		m := findMove(t, &g.Pos, move)
		checks := g.Pos.Checks()
		n := 0
		for seed := range uint64(4000) {
			o := oversight{salt: scramble(seed), rate: 300}
			if o.overlooks(&g.Pos, &checks, m, chess.NoMove, ply) {
				n++
			}
		}
		return n
	}
	const open = "rnb1kbnr/pppp1ppp/8/4p3/4P2q/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"
	for _, tt := range []struct {
		what       string
		more, less int
	}{
		{"farther ahead", share(open, "d1g4", 2), share(open, "d1g4", 1)},
		{"longer", share(open, "d1h5", 1), share(open, "d1e2", 1)},
		{"quieter", share("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1", "f3g1", 1),
			share("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1", "f3h4", 1)},
		{"more men", share(open, "f1c4", 1), share("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "f1c4", 1)},
		{"backward", share("4k3/pppppppp/8/8/3N4/8/PPPPPPPP/4K3 w - - 0 1", "d4b3", 1),
			share("4k3/pppppppp/8/8/3N4/8/PPPPPPPP/4K3 w - - 0 1", "d4b5", 1)},
	} {
		if tt.more <= tt.less || tt.more == 0 {
			t.Errorf("%s: %d and %d of 4000", tt.what, tt.more, tt.less)
		}
	}
}

// TestOverlooksConsistently expects a move that is overlooked to be so farther
// ahead and in other positions, with the same seed.
func TestOverlooksConsistently(t *testing.T) {
	a, b := newGame(t, position.StartFEN), newGame(t, "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2")
	checksA, checksB := a.Pos.Checks(), b.Pos.Checks()
	for _, m := range movegen.Legal(&a.Pos) {
		for seed := range uint64(100) {
			o := oversight{salt: scramble(seed), rate: 500}
			near := o.overlooks(&a.Pos, &checksA, m, chess.NoMove, 1)
			if near != o.overlooks(&b.Pos, &checksB, m, chess.NoMove, 1) {
				t.Errorf("seed %d: %s is overlooked in one position only", seed, m)
			}
			if near && !o.overlooks(&a.Pos, &checksA, m, chess.NoMove, 3) {
				t.Errorf("seed %d: %s is overlooked near, but not farther ahead", seed, m)
			}
		}
	}
}

// TestTechnique mates a bare king that the full strength defends, at the lowest
// ratings that know how to, within the fifty-move rule.
func TestTechnique(t *testing.T) {
	e, defender := newEngine(t, 1, 1), newEngine(t, 1, 1)
	for fen, elo := range map[string]int{
		"8/8/8/3k4/8/8/8/Q3K3 w - - 0 1":    knowsHeavy,
		"8/8/8/3k4/8/8/8/4K2R w - - 0 1":    knowsHeavy,
		"8/8/3k4/8/8/8/8/2B1KB2 w - - 0 1":  knowsBishops,
		"8/8/3k4/8/8/8/8/2B1KB2 b - - 0 1":  knowsBishops,
		"8/5k2/8/8/8/2q5/8/K7 w - - 0 1":    knowsHeavy,
		"4k3/8/8/8/4P3/8/8/4K2R w - - 10 1": knowsHeavy,
	} {
		g := newGame(t, fen)
		for outcome := rules.EndedOrClaimable(g); ; outcome = rules.EndedOrClaimable(g) {
			if outcome.Over() {
				if outcome.Reason != rules.Checkmate {
					t.Errorf("%s at %d: drawn by %v at %s", fen, elo, outcome.Reason, g.Pos.FEN())
				}
				break
			}
			if g.Pos.Of(g.Pos.SideToMove()).Many() {
				g.Play(e.Search(g, Limits{Strength: Strength{Elo: elo, Seed: 5}}, nil).Best)
			} else {
				g.Play(defender.Search(g, Limits{Nodes: 2000}, nil).Best)
			}
		}
	}
}

// TestTechniqueKnown checks from which rating on positions are known.
func TestTechniqueKnown(t *testing.T) {
	for fen, elo := range map[string]int{
		"8/8/8/3k4/8/8/8/Q3K3 w - - 0 1":   knowsHeavy,
		"8/8/3k4/8/8/8/8/2B1KB2 b - - 0 1": knowsBishops,
		"8/8/3k4/8/8/8/8/B3K1N1 b - - 0 1": knowsKnight,
		"8/8/3k4/8/8/8/8/B1B1K3 w - - 0 1": MaxElo + 1, // of one color
		"8/8/3k4/8/8/8/8/N3K1N1 w - - 0 1": MaxElo + 1,
		"8/8/3k4/8/8/8/4P3/4K3 w - - 0 1":  MaxElo + 1,
		"8/8/3k3p/8/8/8/8/Q3K3 w - - 0 1":  MaxElo + 1,
		"8/8/3k4/8/8/8/8/4K3 w - - 0 1":    MaxElo + 1,
	} {
		g := newGame(t, fen)
		_, before := technique(&g.Pos, elo-1)
		value, after := technique(&g.Pos, elo)
		if before || after != (elo <= MaxElo) {
			t.Errorf("%s: known %v below %d, %v there", fen, before, elo, after)
		}
		if winning := g.Pos.Of(g.Pos.SideToMove()).Many(); after && (value > 0) != winning {
			t.Errorf("%s: worth %d", fen, value)
		}
	}
}
