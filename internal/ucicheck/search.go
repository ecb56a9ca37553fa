package ucicheck

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"skein/chess"
	"skein/notation"
	"skein/position"
	"skein/rules"
	"skein/uciclient"
)

// search is a go with what has been reported of it.
type search struct {
	root      position.Position
	moves     []chess.Move // that may be played, none if the game is over
	lines     int          // to report in a block
	threads   int
	depth     int // limit of the depth, 0 if there is none
	infinite  bool
	pondering bool
	stopped   bool
	chess960  bool
	wdl       bool // each line has win, draw and loss
	book      bool // the answer may be from an opening book, without a line
	weak      bool // the line to be played comes first, even if it is not the best

	ended  bool              // the end of the game was reported
	block  []*uciclient.Info // lines of the last block, by multipv
	depths []int             // of the last reports, by multipv
	time   time.Duration
	nodes  int64
}

// checkInfo checks an info line.
func (r *search) checkInfo(in *uciclient.Info) error {
	switch {
	case in.Fields.Has(uciclient.FieldPV):
		return r.checkLine(in)
	case in.Fields.Has(uciclient.FieldCurrMove):
		if n := in.CurrMoveNumber; n < 1 || n > len(r.moves) {
			return fmt.Errorf("there are %d moves", len(r.moves))
		}
		err := require(in, uciclient.FieldDepth|uciclient.FieldCurrMove|uciclient.FieldCurrMoveNumber, 0)
		return errors.Join(err, r.checkRootMove(in.CurrMove))
	case in.Fields.Has(uciclient.FieldRefutation):
		return errors.Join(r.checkRootMove(in.Refutation[0]), require(in, uciclient.FieldRefutation, 0))
	case in.Fields.Has(uciclient.FieldCurrLine):
		if in.CurrLineCPU > r.threads {
			return fmt.Errorf("line %d of %d threads", in.CurrLineCPU, r.threads)
		}
		return require(in, uciclient.FieldCurrLine, 0)
	case in.Fields.Has(uciclient.FieldScore):
		return r.checkEnd(in)
	}
	return errors.New("an info without content")
}

// require returns an error unless the line has the required fields and, beyond them,
// only optional ones.
func require(in *uciclient.Info, required, optional uciclient.Fields) error {
	if missing := required &^ in.Fields; missing != 0 {
		return fmt.Errorf("%v is missing", missing)
	}
	if extra := in.Fields &^ (required | optional); extra != 0 {
		return fmt.Errorf("%v does not belong here", extra)
	}
	return nil
}

// checkRootMove returns an error if m is not a move to be searched.
func (r *search) checkRootMove(m chess.Move) error {
	if !slices.Contains(r.moves, m) {
		return fmt.Errorf("%s is not among the moves to search", notation.FormatUCI(m, r.chess960))
	}
	return nil
}

// checkEnd checks the report of a position without moves.
func (r *search) checkEnd(in *uciclient.Info) error {
	switch {
	case len(r.moves) > 0:
		return errors.New("a line without moves")
	case in.Depth != 0 || in.Score != (uciclient.Score{Mate: r.root.InCheck()}):
		return errors.New("not the result of the game")
	}
	r.ended = true
	return require(in, uciclient.FieldDepth|uciclient.FieldScore, uciclient.FieldWDL)
}

// lineFields are the fields of a principal variation.
const lineFields = uciclient.FieldDepth | uciclient.FieldSelDepth | uciclient.FieldMultiPV | uciclient.FieldScore |
	uciclient.FieldNodes | uciclient.FieldNPS | uciclient.FieldHashfull | uciclient.FieldTBHits |
	uciclient.FieldTime | uciclient.FieldPV

// checkLine checks a principal variation.
func (r *search) checkLine(in *uciclient.Info) error {
	if err := require(in, lineFields, uciclient.FieldCPULoad|uciclient.FieldWDL); err != nil {
		return err
	}
	switch {
	case in.Fields.Has(uciclient.FieldWDL) != r.wdl:
		return fmt.Errorf("wdl is not as the option: %v", r.wdl)
	case in.Depth < 1 || r.depth > 0 && in.Depth > r.depth:
		return fmt.Errorf("the depth is not between 1 and %d", r.depth)
	case in.SelDepth < len(in.PV):
		return fmt.Errorf("seldepth is less than the length of the line, %d", len(in.PV))
	case in.Time < r.time || in.Nodes < r.nodes:
		return fmt.Errorf("less time or nodes than before, %v and %d", r.time, r.nodes)
	}
	r.time, r.nodes = in.Time, in.Nodes
	if err := r.checkRootMove(in.PV[0]); err != nil {
		return err
	}
	if in.Score.Mate && in.Score.Bound == uciclient.Exact {
		if err := r.checkMate(in.Score.Value, in.PV); err != nil {
			return err
		}
	}
	return r.checkOrder(in)
}

// checkMate checks that a line leads to a mate in moves.
func (r *search) checkMate(moves int, line []chess.Move) error {
	plies := 2*moves - 1
	if moves <= 0 {
		plies = -2 * moves
	}
	end, err := rules.Replay(r.root, line, nil)
	if err == nil && (len(line) != plies || rules.Ended(end).Reason != rules.Checkmate) {
		err = fmt.Errorf("%d plies do not lead to the mate", len(line))
	}
	return err
}

// checkOrder checks the place of a line in its block and in the search: blocks are
// complete, the lines of one are ordered by score and depth, and no line is of a
// lower depth than in the block before.
func (r *search) checkOrder(in *uciclient.Info) error {
	i := in.MultiPV - 1
	if i == 0 {
		if err := r.checkComplete(); err != nil {
			return err
		}
		r.block = nil
	}
	if i != len(r.block) || i >= r.lines {
		return fmt.Errorf("line %d of %d after %d", i+1, r.lines, len(r.block))
	}
	if in.Depth < r.depths[i] {
		return fmt.Errorf("the depth was %d before", r.depths[i])
	}
	r.depths[i] = in.Depth
	for _, above := range r.block {
		if above.PV[0] == in.PV[0] {
			return errors.New("another line has the same move")
		}
	}
	if i > 0 && !r.weak {
		above := r.block[i-1]
		if above.Depth < in.Depth {
			return errors.New("deeper than the line above")
		}
		if above.Score.Compare(in.Score) < 0 {
			return errors.New("a higher score than that of the line above")
		}
	}
	r.block = append(r.block, in)
	return nil
}

// checkComplete returns an error if the last block lacks lines.
func (r *search) checkComplete() error {
	if n := len(r.block); n > 0 && n < r.lines {
		return fmt.Errorf("only %d of %d lines were reported before", n, r.lines)
	}
	return nil
}

// checkBestMove checks a bestmove line.
func (r *search) checkBestMove(line string) error {
	if !r.stopped && (r.infinite || r.pondering) {
		return errors.New("not stopped")
	}
	if err := r.checkComplete(); err != nil {
		return err
	}
	best, ponder, err := uciclient.ParseBestMove(&r.root, line, r.chess960)
	if err != nil {
		return err
	}
	if len(r.moves) == 0 {
		if line != "bestmove (none)" || !r.ended {
			return errors.New("the game is over")
		}
		return nil
	}
	if err := r.checkRootMove(best); err != nil {
		return err
	}
	if r.book && len(r.block) == 0 {
		return nil
	}
	if len(r.block) < r.lines {
		return errors.New("no line was reported")
	}
	if pv := r.block[0].PV; pv[0] != best || len(pv) > 1 && pv[1] != ponder {
		return fmt.Errorf("the best line is %v", pv)
	}
	return nil
}
