package movegen

import (
	"fmt"
	"slices"

	"skein/chess"
	"skein/position"
)

// These functions are called only in builds with the tag debug.

// sampled reports whether slow checks are made for p: for one in 64 positions,
// the same ones in every run.
func sampled(p *position.Position) bool { return p.Key()%64 == 0 }

// validateMoves checks that the moves generated for the stage are legal, belong
// to it and are different; if complete is true, also that none is missing. The
// error names the position and the move.
func validateMoves(p *position.Position, stage Stage, moves []chess.Move, complete bool) error {
	var tally Tally
	for _, m := range moves {
		if err := tally.Add(p, m); err != nil {
			return err
		}
		if !belongs(p, m, stage) {
			return fmt.Errorf("movegen: %s: %s is not of stage %d", p.FEN(), m, stage)
		}
	}
	if complete {
		return validateComplete(p, stage, moves)
	}
	return nil
}

// belongs reports whether m, legal in p, is a move of the stage.
func belongs(p *position.Position, m chess.Move, stage Stage) bool {
	if p.IsNoisy(m) {
		return stage&Noisy != 0
	}
	return stage&Quiet != 0
}

// validateComplete calls IsLegal with all move codes from squares of the side
// to move, and returns an error that names a legal move of the stage missing in
// moves.
func validateComplete(p *position.Position, stage Stage, moves []chess.Move) error {
	for ours := p.Of(p.SideToMove()); ours != 0; {
		from := chess.Move(ours.Pop())
		for rest := range chess.Move(1 << 10) {
			m := from | rest<<6
			if IsLegal(p, m) && belongs(p, m, stage) && !slices.Contains(moves, m) {
				return fmt.Errorf("movegen: %s: %s (code %#04x) is missing", p.FEN(), m, uint16(m))
			}
		}
	}
	return nil
}

// validateCount returns an error if n is not the number of legal moves.
func validateCount(p *position.Position, n int) error {
	var list chess.MoveList
	Generate(p, All, &list)
	if n != list.Len() {
		return fmt.Errorf("movegen: %s: %d moves counted, %d generated", p.FEN(), n, list.Len())
	}
	return nil
}
