package rules_test

import (
	"math/rand/v2"
	"strings"
	"testing"

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
	rookEnding = "6k1/8/8/8/8/8/8/R5K1 w - - "
	knights    = "g1f3 g8f6 f3g1 f6g8 " // and back to the start position
	kings      = "g1h1 g8h8 h1g1 h8g8 "
	chess960   = "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1" // castling rights of Chess960
	rookTour   = "b1b2 e8e7 b2b1 e7e8 "
)

func TestOutcome(t *testing.T) {
	none := rules.Outcome{}
	whiteMates := rules.Outcome{Result: rules.WhiteWins, Reason: rules.Checkmate}
	blackMates := rules.Outcome{Result: rules.BlackWins, Reason: rules.Checkmate}
	draw := func(reason rules.Reason) rules.Outcome { return rules.Outcome{Result: rules.Draw, Reason: reason} }
	threefold, fivefold := draw(rules.ThreefoldRepetition), draw(rules.FivefoldRepetition)
	draw50, draw75 := draw(rules.FiftyMoves), draw(rules.SeventyFiveMoves)
	for _, test := range []struct {
		name, fen, moves string
		ended            rules.Outcome
		claimable        rules.Outcome // if not ended
	}{
		{"start", position.StartFEN, "", none, none},
		{"White mates", position.StartFEN, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", whiteMates, none},
		{"Black mates", position.StartFEN, "f2f3 e7e5 g2g4 d8h4", blackMates, none},
		{"stalemate", "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "g5g6", draw(rules.Stalemate), none},
		{"only castling is legal", "k4r2/8/8/8/8/7p/7P/6KR w H - 0 1", "", none, none},
		{"no right to castle", "k4r2/8/8/8/8/7p/7P/6KR w - - 0 1", "", draw(rules.Stalemate), none},
		{"bare kings", "7k/8/8/8/8/8/7r/6K1 w - - 0 1", "g1h2", draw(rules.InsufficientMaterial), none},
		{"a knight", "7k/8/8/8/8/8/8/N6K b - - 0 1", "", draw(rules.InsufficientMaterial), none},
		{"bishops on one color", "5b1k/8/8/8/8/8/8/K1B5 w - - 0 1", "", draw(rules.InsufficientMaterial), none},
		{"bishops on two colors", "4b2k/8/8/8/8/8/8/K1B5 w - - 0 1", "", none, none},
		{"two knights", "7k/8/8/8/8/8/8/NN5K w - - 0 1", "", none, none},
		{"stalemate and a bishop", "k7/2K5/8/8/8/4B3/8/8 b - - 0 1", "", draw(rules.Stalemate), none},
		{"stalemate by a capture", "k7/2K5/1p6/8/3B4/8/8/8 w - - 0 1", "d4b6", draw(rules.Stalemate), none},

		{"second occurrence", position.StartFEN, knights, none, none},
		{"before the third", position.StartFEN, knights + knights[:14], none, none},
		{"third occurrence", position.StartFEN, strings.Repeat(knights, 2), none, threefold},
		{"left again", position.StartFEN, strings.Repeat(knights, 2) + "e2e4", none, none},
		{"fourth occurrence", position.StartFEN, strings.Repeat(knights, 3), none, threefold},
		{"before the fifth", position.StartFEN, strings.Repeat(knights, 3) + knights[:14], none, threefold},
		{"fifth occurrence", position.StartFEN, strings.Repeat(knights, 4), fivefold, none},
		{"third but for castling", chess960, strings.Repeat(rookTour, 2), none, none},
		{"third without castling", chess960, strings.Repeat(rookTour, 3), none, threefold},
		{"fifth but for castling", chess960, strings.Repeat(rookTour, 4), none, threefold},
		{"fifth without castling", chess960, strings.Repeat(rookTour, 5), fivefold, none},

		{"99 plies", "7k/8/8/8/8/8/8/R6K w - - 98 80", "a1a2", none, none},
		{"fifty moves", "7k/8/8/8/8/8/8/R6K w - - 99 80", "a1a2", none, draw50},
		{"149 plies", "7k/8/8/8/8/8/8/R6K w - - 148 80", "a1a2", none, draw50},
		{"75 moves", "7k/8/8/8/8/8/8/R6K w - - 149 80", "a1a2", draw75, none},
		{"a pawn move in time", "7k/8/8/8/8/8/P7/R6K w - - 149 80", "a2a3", none, none},
		{"mate at fifty moves", "7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", whiteMates, none},
		{"mate at 75 moves", "7k/8/6K1/8/8/8/8/R7 w - - 149 80", "a1a8", whiteMates, none},

		{"third occurrence and fifty moves", rookEnding + "92 80", strings.Repeat(kings, 2), none, threefold},
		{"third occurrence and 75 moves", rookEnding + "142 80", strings.Repeat(kings, 2), draw75, none},
		{"fifth occurrence and 75 moves", rookEnding + "134 80", strings.Repeat(kings, 4), draw75, none},
	} {
		g := play(t, test.fen, test.moves)
		either := test.ended
		if test.ended == none {
			either = test.claimable
		}
		if got := rules.Ended(g); got != test.ended || got.Over() != (test.ended != none) {
			t.Errorf("%s: ended %v, want %v", test.name, got, test.ended)
		}
		if got := rules.EndedOrClaimable(g); got != either || got.Reason.Claimable() != (test.claimable != none) {
			t.Errorf("%s: ended or claimable %v, want %v", test.name, got, either)
		}
	}
}

// TestRandomGames plays random games until they end without a claim. Where
// Ended and EndedOrClaimable differ, the game is not over and a draw can be
// claimed.
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
	for _, reason := range []rules.Reason{
		rules.Stalemate, rules.InsufficientMaterial, rules.ThreefoldRepetition, rules.FiftyMoves,
		rules.SeventyFiveMoves,
	} {
		if reasons[reason] == 0 {
			t.Errorf("no game reached %v", reason)
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
