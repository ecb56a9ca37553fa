package record_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
)

func TestReplay(t *testing.T) {
	good := record.Game{
		Start: parse(t, "7k/6pp/8/8/8/8/R7/K7 w - - 0 1"), Result: rules.WhiteWins, End: record.Checkmate,
		Plies: []record.Ply{{Move: chess.NewMove(8, 56)}},
	}
	visited := 0
	if err := good.Replay(func(*position.Position, int) { visited++ }); err != nil || visited != 1 {
		t.Error(visited, err)
	}
	for _, test := range []struct {
		spoil func(*record.Game)
		ply   int
		want  string
	}{
		{func(g *record.Game) { g.Plies[0].Move = chess.NewMove(8, 17) }, 0, "illegal"},
		{func(g *record.Game) { g.Plies[0].Move = chess.NewMove(8, 48) }, 1, "claims"},
		{func(g *record.Game) { g.Result = rules.Draw }, 1, "claims"},
		{func(g *record.Game) { g.End = record.Stalemate }, 1, "claims"},
		{func(g *record.Game) { g.End = record.ScoreDraw }, 1, "claims"},
		{func(g *record.Game) { g.End, g.Result = record.ScoreWin, rules.Draw }, 1, "claims"},
	} {
		bad := good
		bad.Plies = slices.Clone(good.Plies)
		test.spoil(&bad)
		var replay *rules.ReplayError
		err := bad.Replay(nil)
		if !errors.As(err, &replay) || replay.Ply != test.ply || !strings.Contains(replay.Reason, test.want) {
			t.Errorf("%v instead of %q at ply %d", err, test.want, test.ply)
		}
	}
}

// TestReplayEnds plays games that the rules end, and checks Replay with every
// End.
func TestReplayEnds(t *testing.T) {
	shuffle := []chess.Move{
		chess.NewMove(chess.A1, chess.B1), chess.NewMove(chess.H8, chess.G8),
		chess.NewMove(chess.B1, chess.A1), chess.NewMove(chess.G8, chess.H8),
	}
	ends := []record.End{record.Checkmate, record.Stalemate, record.Material, record.Threefold, record.FiftyMoves}
	twice := append(slices.Clone(shuffle), shuffle...)
	castling := []chess.Move{chess.NewCastling(chess.B1, chess.A1)}
	for _, test := range []struct {
		fen    string
		moves  []chess.Move
		result rules.Result
		end    record.End // Unknown if the game is not over
	}{
		{"7k/6pp/8/8/8/8/R7/K7 w - - 0 1", []chess.Move{chess.NewMove(8, 56)}, rules.WhiteWins, record.Checkmate},
		{"7k/8/8/6Q1/8/8/8/K7 w - - 0 80", []chess.Move{chess.NewMove(38, 46)}, rules.Draw, record.Stalemate},
		{"7k/8/8/8/8/8/1p6/K7 w - - 0 80", []chess.Move{chess.NewMove(chess.A1, 9)}, rules.Draw, record.Material},
		{"7k/8/8/8/8/8/4P3/K7 w - - 0 1", twice, rules.Draw, record.Threefold},
		{"7k/8/8/8/8/8/4P3/K7 w - - 0 1", append(slices.Clone(twice), twice...), rules.Draw, record.Threefold},
		{"7k/8/8/8/8/8/4P3/K7 w - - 99 80", shuffle[:1], rules.Draw, record.FiftyMoves},
		{"7k/8/8/8/8/8/4P3/K7 w - - 149 80", shuffle[:1], rules.Draw, record.FiftyMoves},
		{"7k/8/8/8/8/8/4P3/RK6 w A - 0 1", castling, rules.Draw, record.Unknown},
		{"7k/8/8/8/8/8/4P3/K7 w - - 98 80", shuffle[:1], rules.Draw, record.Unknown},
	} {
		g := record.Game{Start: parse(t, test.fen), Result: test.result}
		for _, m := range test.moves {
			g.Plies = append(g.Plies, record.Ply{Move: m})
		}
		for _, end := range ends {
			g.End = end
			if err := g.Replay(nil); (err == nil) != (end == test.end) {
				t.Errorf("%s, %d plies: the claim of %v: %v", test.fen, len(g.Plies), end, err)
			}
		}
	}
}

func TestEndOf(t *testing.T) {
	for reason, want := range map[rules.Reason]record.End{
		rules.NoReason: record.Unknown, rules.Checkmate: record.Checkmate, rules.Stalemate: record.Stalemate,
		rules.InsufficientMaterial: record.Material,
		rules.FivefoldRepetition:   record.Threefold, rules.ThreefoldRepetition: record.Threefold,
		rules.SeventyFiveMoves: record.FiftyMoves, rules.FiftyMoves: record.FiftyMoves,
	} {
		if got := record.EndOf(reason); got != want {
			t.Errorf("%v is written as %v, want %v", reason, got, want)
		}
	}
}
