package label

import (
	"fmt"
	"io"

	"skein/chess"
	"skein/position"
	"skein/rules"
	"skein/syzygy"
)

// OpenTables opens the endgame tables in the folders of path. Files that turn
// out to be of no use are named on stderr. The error is that there are none.
func OpenTables(path string, stderr io.Writer) (*syzygy.Tables, error) {
	tables := syzygy.Open(path, func(err error) { fmt.Fprintln(stderr, err) })
	if tables.Largest() == 0 {
		return nil, fmt.Errorf("no endgame tables in %s", path)
	}
	return tables, nil
}

// DescribeTables tells which tables there are, as far as it matters to games.
func DescribeTables(t *syzygy.Tables) string {
	wdl, _ := t.Count()
	return fmt.Sprintf("%d tables of up to %d men", wdl, t.Largest())
}

// TableResult returns a function that knows the result of positions in the tables
// after a capture or pawn move, the fifty-move rule included.
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

// tableScore returns the score, in units of 1/256 pawn for the side to move, of a
// position in the tables, whatever its halfmove clock: those of the fifty-move
// rule are draws.
func tableScore(t *syzygy.Tables, p *position.Position) (score int, ok bool) {
	v, err := t.ProbeWDL(p)
	switch {
	case err != nil:
		return 0, false
	case v == syzygy.Win:
		return int(chess.TableWin), true
	case v == syzygy.Loss:
		return -int(chess.TableWin), true
	}
	return 0, true
}
