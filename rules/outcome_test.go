package rules_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
	"skein/position"
	"skein/rules"
)

func parse(t testing.TB, fen string) position.Position {
	t.Helper()
	p, err := position.Parse(fen, true)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// play returns the game after the moves, in the notation of UCI_Chess960.
func play(t testing.TB, fen, moves string) *position.Game {
	t.Helper()
	g := position.NewGame(parse(t, fen))
	for _, text := range strings.Fields(moves) {
		m, err := notation.ParseUCI(&g.Pos, text)
		if err != nil {
			t.Fatal(err)
		}
		g.Play(m)
	}
	return g
}

const (
	knights  = "g1f3 g8f6 f3g1 f6g8 " // and back to the start position
	kings    = "g1h1 g8h8 h1g1 h8g8 "
	chess960 = "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1" // a right of Chess960
	rookTour = "b1b2 e8e7 b2b1 e7e8 "
)

func TestOutcome(t *testing.T) {
	none := rules.Outcome{}
	draw := func(reason rules.Reason) rules.Outcome { return rules.Outcome{Result: rules.Draw, Reason: reason} }
	for _, test := range []struct {
		name, fen, moves string
		ended            rules.Outcome
		claimable        rules.Outcome // if not ended
	}{
		{"start", position.StartFEN, "", none, none},
		{"White mates", position.StartFEN, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", rules.Outcome{Result: rules.WhiteWins, Reason: rules.Checkmate}, none},
		{"Black mates", position.StartFEN, "f2f3 e7e5 g2g4 d8h4", rules.Outcome{Result: rules.BlackWins, Reason: rules.Checkmate}, none},
		{"stalemate", "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "g5g6", draw(rules.Stalemate), none},
		{"only castling is legal", "k4r2/8/8/8/8/7p/7P/6KR w H - 0 1", "", none, none},
		{"no right to castle", "k4r2/8/8/8/8/7p/7P/6KR w - - 0 1", "", draw(rules.Stalemate), none},
		{"bare kings", "7k/8/8/8/8/8/7r/6K1 w - - 0 1", "g1h2", draw(rules.InsufficientMaterial), none},
		{"a knight", "7k/8/8/8/8/8/8/N6K b - - 0 1", "", draw(rules.InsufficientMaterial), none},
		{"bishops on one color", "5b1k/8/8/8/8/8/8/K1B5 w - - 0 1", "", draw(rules.InsufficientMaterial), none},
		{"bishops on two colors", "4b2k/8/8/8/8/8/8/K1B5 w - - 0 1", "", none, none},
		{"two knights", "7k/8/8/8/8/8/8/NN5K w - - 0 1", "", none, none},
		{"stalemate and a bishop", "k7/2K5/8/8/8/4B3/8/8 b - - 0 1", "", draw(rules.Stalemate), none},

		{"second occurrence", position.StartFEN, knights, none, none},
		{"before the third", position.StartFEN, knights + "g1f3 g8f6 f3g1", none, none},
		{"third occurrence", position.StartFEN, strings.Repeat(knights, 2), none, draw(rules.ThreefoldRepetition)},
		{"left again", position.StartFEN, strings.Repeat(knights, 2) + "e2e4", none, none},
		{"fourth occurrence", position.StartFEN, strings.Repeat(knights, 3), none, draw(rules.ThreefoldRepetition)},
		{"before the fifth", position.StartFEN, strings.Repeat(knights, 3) + "g1f3 g8f6 f3g1", none, draw(rules.ThreefoldRepetition)},
		{"fifth occurrence", position.StartFEN, strings.Repeat(knights, 4), draw(rules.FivefoldRepetition), none},
		{"third but for castling", chess960, strings.Repeat(rookTour, 2), none, none},
		{"third without castling", chess960, strings.Repeat(rookTour, 3), none, draw(rules.ThreefoldRepetition)},
		{"fifth but for castling", chess960, strings.Repeat(rookTour, 4), none, draw(rules.ThreefoldRepetition)},
		{"fifth without castling", chess960, strings.Repeat(rookTour, 5), draw(rules.FivefoldRepetition), none},

		{"99 plies", "7k/8/8/8/8/8/8/R6K w - - 98 80", "a1a2", none, none},
		{"fifty moves", "7k/8/8/8/8/8/8/R6K w - - 99 80", "a1a2", none, draw(rules.FiftyMoves)},
		{"149 plies", "7k/8/8/8/8/8/8/R6K w - - 148 80", "a1a2", none, draw(rules.FiftyMoves)},
		{"75 moves", "7k/8/8/8/8/8/8/R6K w - - 149 80", "a1a2", draw(rules.SeventyFiveMoves), none},
		{"a pawn move in time", "7k/8/8/8/8/8/P7/R6K w - - 149 80", "a2a3", none, none},
		{"mate at fifty moves", "7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", rules.Outcome{Result: rules.WhiteWins, Reason: rules.Checkmate}, none},
		{"mate at 75 moves", "7k/8/6K1/8/8/8/8/R7 w - - 149 80", "a1a8", rules.Outcome{Result: rules.WhiteWins, Reason: rules.Checkmate}, none},

		{"third occurrence and fifty moves", "6k1/8/8/8/8/8/8/R5K1 w - - 92 80", strings.Repeat(kings, 2), none, draw(rules.ThreefoldRepetition)},
		{"third occurrence and 75 moves", "6k1/8/8/8/8/8/8/R5K1 w - - 142 80", strings.Repeat(kings, 2), draw(rules.SeventyFiveMoves), none},
		{"fifth occurrence and 75 moves", "6k1/8/8/8/8/8/8/R5K1 w - - 134 80", strings.Repeat(kings, 4), draw(rules.FivefoldRepetition), none},
	} {
		g := play(t, test.fen, test.moves)
		either := test.ended
		if test.ended == none {
			either = test.claimable
		}
		if got := rules.Ended(g); got != test.ended || got.Over() != (test.ended != none) {
			t.Errorf("%s: ended %v by %v, want %v by %v", test.name, got.Result, got.Reason, test.ended.Result, test.ended.Reason)
		}
		if got := rules.EndedOrClaimable(g); got != either || got.Reason.Claimable() != (test.claimable != none) {
			t.Errorf("%s: ended or claimable %v by %v, want %v by %v", test.name, got.Result, got.Reason, either.Result, either.Reason)
		}
	}
}

// TestRandomGames plays random games until they end by themselves: where the two
// functions differ, the game goes on and a draw can be claimed.
func TestRandomGames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	reasons := map[rules.Reason]int{}
	for range 150 {
		g := position.NewGame(parse(t, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"))
		for {
			ended, either := rules.Ended(g), rules.EndedOrClaimable(g)
			if ended.Over() && either != ended || !ended.Over() && either.Over() != either.Reason.Claimable() {
				t.Fatalf("%s: %v and %v", g.Pos.FEN(), ended, either)
			}
			reasons[either.Reason]++
			if ended.Over() {
				break
			}
			moves := movegen.Legal(&g.Pos)
			g.Play(moves[r.IntN(len(moves))])
		}
	}
	for _, reason := range []rules.Reason{rules.Stalemate, rules.InsufficientMaterial, rules.ThreefoldRepetition, rules.FiftyMoves, rules.SeventyFiveMoves} {
		if reasons[reason] == 0 {
			t.Errorf("no position with %v: the test is weak", reason)
		}
	}
}

func TestReason(t *testing.T) {
	claims := map[rules.Reason]bool{rules.ThreefoldRepetition: true, rules.FiftyMoves: true}
	names := map[string]bool{}
	for r := rules.NoReason; r <= rules.FiftyMoves; r++ {
		names[r.String()] = true
		if r.Claimable() != claims[r] {
			t.Errorf("%v: claimable is %v", r, r.Claimable())
		}
	}
	if len(names) != int(rules.FiftyMoves)+1 || names[""] {
		t.Errorf("names %v", names)
	}
	if text := (rules.FiftyMoves + 1).String(); text != "reason 8" {
		t.Errorf("an unknown reason is %q", text)
	}
}

func TestReplay(t *testing.T) {
	castling := chess.NewCastling(chess.B1, chess.A1) // a Chess960 castling; the king goes to c1
	start := parse(t, "1k6/7p/8/8/8/8/8/RK6 w A - 3 9")
	moves := []chess.Move{castling, chess.NewMove(55, 39), chess.NewMove(chess.C1, chess.B1)}
	var fens []string
	visit := func(p *position.Position, ply int) {
		if ply != len(fens) {
			t.Errorf("visit %d is of ply %d", len(fens), ply)
		}
		fens = append(fens, p.ShredderFEN())
	}
	g, err := rules.Replay(start, moves, visit)
	if err != nil {
		t.Fatal(err)
	}
	if fen := g.Pos.ShredderFEN(); fen != "1k6/8/8/7p/8/8/8/1K1R4 b - - 1 10" || len(g.Keys) != 1 {
		t.Errorf("the game ends at %s with %d keys", fen, len(g.Keys))
	}
	want := []string{start.ShredderFEN(), "1k6/7p/8/8/8/8/8/2KR4 b - - 4 9", "1k6/8/8/7p/8/8/8/2KR4 w - - 0 10"}
	if strings.Join(fens, "\n") != strings.Join(want, "\n") {
		t.Errorf("visited %q, want %q", fens, want)
	}
}

// TestReplayErrors replaces each move of a game by one that is not legal there.
func TestReplayErrors(t *testing.T) {
	start := position.Start()
	moves := []chess.Move{chess.NewMove(12, 28), chess.NewMove(52, 36), chess.NewMove(chess.G1, 21)}
	for i := range moves {
		for _, bad := range []chess.Move{chess.NoMove, chess.NewMove(chess.E1, chess.E8), chess.NewCastling(chess.E1, chess.H1)} {
			list := append(append([]chess.Move{}, moves[:i]...), bad)
			g, err := rules.Replay(start, append(list, moves[i+1:]...), nil)
			replay, ok := err.(*rules.ReplayError)
			if !ok || replay.Ply != i || !strings.Contains(err.Error(), bad.String()) || !strings.Contains(err.Error(), g.Pos.ShredderFEN()) {
				t.Errorf("move %v at ply %d: %v", bad, i, err)
			}
			if before, _ := rules.Replay(start, moves[:i], nil); g.Pos != before.Pos {
				t.Errorf("move %v at ply %d: the game stands at %s", bad, i, g.Pos.FEN())
			}
		}
	}
}
