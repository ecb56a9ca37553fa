package ucicheck

import (
	"errors"
	"fmt"

	"skein/chess"
	"skein/position"
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

	ended  bool    // the end of the game was reported
	block  []*info // lines of the last block, by multipv
	depths []int64 // of the last reports, by multipv
	time   int64
	nodes  int64
}

// checkInfo checks an info line.
func (r *search) checkInfo(in *info) error {
	switch {
	case len(in.pv) > 0:
		return r.checkLine(in)
	case in.currMove != "":
		if err := in.require("depth currmovenumber"); err != nil {
			return err
		}
		if n := in.numbers["currmovenumber"]; n < 1 || n > int64(len(r.moves)) {
			return fmt.Errorf("there are %d moves", len(r.moves))
		}
		return r.checkRootMove(in.currMove)
	case len(in.refutation) > 0:
		if err := r.checkRootMove(in.refutation[0]); err != nil {
			return err
		}
		_, err := play(r.root, in.refutation, r.chess960)
		return errors.Join(err, in.require(""))
	case len(in.currLine) > 0:
		n, moves, err := takeNumber(in.currLine)
		if err == nil && (n < 1 || n > int64(r.threads) || len(moves) == 0) {
			err = fmt.Errorf("line %d of %d threads", n, r.threads)
		}
		if err != nil {
			return err
		}
		_, err = play(r.root, moves, r.chess960)
		return errors.Join(err, in.require(""))
	case in.score != nil:
		return r.checkEnd(in)
	}
	return errors.New("an info without content")
}

// checkRootMove returns an error if text is not a move to be searched.
func (r *search) checkRootMove(text string) error {
	if !contains(r.moves, text, r.chess960) {
		return fmt.Errorf("%s is not among the moves to search", text)
	}
	return nil
}

// checkEnd checks the report of a position without moves.
func (r *search) checkEnd(in *info) error {
	switch {
	case len(r.moves) > 0:
		return errors.New("a line without moves")
	case in.numbers["depth"] != 0 || in.score.value != 0 || in.score.bound != "" ||
		in.score.mate != r.root.InCheck():
		return errors.New("not the result of the game")
	}
	r.ended = true
	return in.require("depth")
}

// checkLine checks a principal variation.
func (r *search) checkLine(in *info) error {
	if err := in.require("depth seldepth multipv nodes nps hashfull tbhits time", "cpuload"); err != nil {
		return err
	}
	n := in.numbers
	switch {
	case in.score == nil:
		return errors.New("score is missing")
	case (in.wdl != nil) != r.wdl:
		return fmt.Errorf("wdl is not as the option: %v", r.wdl)
	case n["depth"] < 1 || r.depth > 0 && n["depth"] > int64(r.depth):
		return fmt.Errorf("the depth is not between 1 and %d", r.depth)
	case n["seldepth"] < int64(len(in.pv)):
		return fmt.Errorf("seldepth is less than the length of the line, %d", len(in.pv))
	case n["time"] < r.time || n["nodes"] < r.nodes:
		return fmt.Errorf("less time or nodes than before, %d and %d", r.time, r.nodes)
	}
	r.time, r.nodes = n["time"], n["nodes"]
	if err := r.checkRootMove(in.pv[0]); err != nil {
		return err
	}
	last, err := play(r.root, in.pv, r.chess960)
	if err != nil {
		return err
	}
	if in.score.mate && in.score.bound == "" {
		if err := checkMate(in.score.value, len(in.pv), &last); err != nil {
			return err
		}
	}
	return r.checkOrder(in)
}

// checkMate checks that a line of the given length leads to a mate in moves, and
// to the position last.
func checkMate(moves int64, length int, last *position.Position) error {
	plies := 2*moves - 1
	if moves <= 0 {
		plies = -2 * moves
	}
	if int64(length) != plies || !mated(last) {
		return fmt.Errorf("%d plies do not lead to the mate", length)
	}
	return nil
}

// checkOrder checks the place of a line in its block and in the search: blocks are
// complete, the lines of one are ordered by score and depth, and no line is of a
// lower depth than in the block before.
func (r *search) checkOrder(in *info) error {
	i := int(in.numbers["multipv"]) - 1
	if i == 0 {
		if err := r.checkComplete(); err != nil {
			return err
		}
		r.block = nil
	}
	if i != len(r.block) || i >= r.lines {
		return fmt.Errorf("line %d of %d after %d", i+1, r.lines, len(r.block))
	}
	depth := in.numbers["depth"]
	if depth < r.depths[i] {
		return fmt.Errorf("the depth was %d before", r.depths[i])
	}
	r.depths[i] = depth
	for _, above := range r.block {
		if above.pv[0] == in.pv[0] {
			return errors.New("another line has the same move")
		}
	}
	if i > 0 && !r.weak {
		above := r.block[i-1]
		if above.numbers["depth"] < depth {
			return errors.New("deeper than the line above")
		}
		if above.score.rank() < in.score.rank() {
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

// checkBestMove checks the words after bestmove.
func (r *search) checkBestMove(words []string) error {
	switch {
	case !r.stopped && (r.infinite || r.pondering):
		return errors.New("not stopped")
	case len(words) != 1 && (len(words) != 3 || words[1] != "ponder"):
		return errors.New("malformed")
	}
	if err := r.checkComplete(); err != nil {
		return err
	}
	if len(r.moves) == 0 {
		if words[0] != "(none)" || len(words) > 1 || !r.ended {
			return errors.New("the game is over")
		}
		return nil
	}
	if err := r.checkRootMove(words[0]); err != nil {
		return err
	}
	if len(words) == 3 {
		if _, err := play(r.root, []string{words[0], words[2]}, r.chess960); err != nil {
			return err
		}
	}
	if r.book && len(r.block) == 0 {
		return nil
	}
	if len(r.block) < r.lines {
		return errors.New("no line was reported")
	}
	if best := r.block[0].pv; best[0] != words[0] || len(best) > 1 && (len(words) < 3 || best[1] != words[2]) {
		return fmt.Errorf("the best line is %v", best)
	}
	return nil
}
