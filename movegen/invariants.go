package movegen

import (
	"fmt"
	"slices"

	"skein/chess"
	"skein/position"
)

// What follows is called in builds with the tag debug only.

// sampled reports whether p is one of those for which slow checks are made: one
// in 64, the same ones in every run.
func sampled(p *position.Position) bool { return p.Key()%64 == 0 }

// validateMoves says what is wrong with the moves generated for the stage, if
// anything: each must be legal, belong to the stage and come once. With
// complete set none may be missing.
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

// validateComplete asks IsLegal about all codes of moves from squares of the
// side to move, and says which one is missing among the moves of the stage, if
// any.
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

// validateCount says so if n is not the number of legal moves.
func validateCount(p *position.Position, n int) error {
	var list chess.MoveList
	Generate(p, All, &list)
	if n != list.Len() {
		return fmt.Errorf("movegen: %s: %d moves counted, %d generated", p.FEN(), n, list.Len())
	}
	return nil
}
