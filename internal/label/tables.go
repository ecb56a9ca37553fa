package label

import (
	"errors"
	"fmt"
	"io"

	"skein/chess"
	"skein/position"
	"skein/rules"
	"skein/syzygy"
)

// OpenTables opens the endgame tablebases in the folders of path. Errors of single
// files are printed to stderr. It is an error if there are no tables.
func OpenTables(path string, stderr io.Writer) (*syzygy.Tables, error) {
	tables := syzygy.Open(path, func(err error) { fmt.Fprintln(stderr, err) })
	if tables.Largest() == 0 {
		return nil, fmt.Errorf("no endgame tablebases in %s", path)
	}
	return tables, nil
}

// DescribeTables returns the number and the largest size of the tables, for the
// description of a file.
func DescribeTables(t *syzygy.Tables) string {
	wdl, _ := t.Count()
	return fmt.Sprintf("%d tables of up to %d men", wdl, t.Largest())
}

// TableResult returns a function that looks up the result, under the fifty-move
// rule, of a position in the tables whose halfmove clock is zero.
func TableResult(t *syzygy.Tables) func(*position.Position) (rules.Result, bool) {
	return func(p *position.Position) (rules.Result, bool) {
		if p.Halfmoves() > 0 {
			return rules.NoResult, false
		}
		v, err := t.ProbeWDL(p)
		switch {
		case err != nil:
			return rules.NoResult, false
		case v == syzygy.Win:
			return rules.WinFor(p.SideToMove()), true
		case v == syzygy.Loss:
			return rules.WinFor(p.SideToMove().Other()), true
		}
		return rules.Draw, true
	}
}

// tableWin is the score of won positions in the tables, in units: no more than what
// filters keep by default, so that training sees wins and losses beside the draws.
const tableWin = chess.Score(10000)

// tableScore returns the score of a position in the tables for the side to move.
// The halfmove clock is ignored; results that the fifty-move rule turns into draws
// are draws. A damaged table is an error, since it would depend on the order of lookups
// which positions are still found in it.
func tableScore(t *syzygy.Tables, p *position.Position) (score chess.Score, ok bool, err error) {
	v, err := t.ProbeWDL(p)
	_, file := errors.AsType[*syzygy.FileError](err)
	switch {
	case file && !errors.Is(err, syzygy.ErrMissing):
		return 0, false, err
	case err != nil:
		return 0, false, nil
	case v == syzygy.Win:
		return tableWin, true, nil
	case v == syzygy.Loss:
		return -tableWin, true, nil
	}
	return 0, true, nil
}
