package search

import (
	"fmt"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// validateNode checks the arguments and the frame of a node at ply when its
// search starts. Quiescence search has depth 0. The error names the position
// and the fault.
func (w *worker) validateNode(ply, depth int, alpha, beta chess.Score, cut bool) error {
	switch f := w.at(ply); {
	case f == nil:
		return fmt.Errorf("search: ply %d is beyond the stack", ply)
	case alpha < -chess.Infinity || alpha >= beta || beta > chess.Infinity:
		return fmt.Errorf("search: %s: the window is %d to %d", f.pos.FEN(), alpha, beta)
	case cut && beta-alpha > 1:
		return fmt.Errorf("search: %s: a node of a principal variation is expected to fail high", f.pos.FEN())
	case depth < 0 || depth > 2*chess.MaxPly:
		return fmt.Errorf("search: %s: the depth is %d", f.pos.FEN(), depth)
	case w.keys[w.gameKeys+ply] != f.pos.Key():
		return fmt.Errorf("search: %s: the line has the key of another position at ply %d", f.pos.FEN(), ply)
	case f.reversible > w.gameKeys+ply:
		return fmt.Errorf("search: %s: %d plies of reversible moves, but only %d before it",
			f.pos.FEN(), f.reversible, w.gameKeys+ply)
	}
	return nil
}

// at returns the frame of ply, nil if ply is out of range or has no frame after
// it.
func (w *worker) at(ply int) *frame {
	if ply < 0 || ply >= len(w.stack)-1 {
		return nil
	}
	return &w.stack[ply]
}

// validateStatic checks the range of the static evaluation of f, whose position
// is not in check.
func (f *frame) validateStatic() error {
	if f.static < -chess.MaxEval || f.static > chess.MaxEval {
		return fmt.Errorf("search: %s: the static evaluation is %d", f.pos.FEN(), f.static)
	}
	return nil
}

// validateScore checks the range of a score found for p.
func validateScore(p *position.Position, score chess.Score) error {
	if score < -chess.MateScore || score > chess.MateScore {
		return fmt.Errorf("search: %s: the score is %d", p.FEN(), score)
	}
	return nil
}

// validateTableMove checks that the table move m, if any, is legal in p.
func validateTableMove(p *position.Position, m chess.Move) error {
	if m != chess.NoMove && !movegen.IsLegal(p, m) {
		return fmt.Errorf("search: %s: the table's move %s (code %#04x) is illegal", p.FEN(), m, uint16(m))
	}
	return nil
}

// validateLine checks that the moves of a line from p are legal.
func validateLine(p *position.Position, line []chess.Move) error {
	at := *p
	for i, m := range line {
		if !movegen.IsLegal(&at, m) {
			return fmt.Errorf("search: %s: move %d of the line %v is illegal", p.FEN(), i+1, line)
		}
		at = at.After(m)
	}
	return nil
}

// tallied records a move returned by the picker, NoMove at the end, and returns
// an error for an illegal or repeated move, and at the end for missing moves.
func (mp *movePicker) tallied(m chess.Move) error {
	tally := mp.tally.Get()
	switch {
	case m != chess.NoMove:
		return tally.Add(mp.pos, m)
	case mp.noisyOnly: // losing captures are skipped
		return nil
	case mp.noQuiets:
		return tally.Complete(mp.pos, movegen.Noisy)
	}
	return tally.Complete(mp.pos, movegen.All)
}
