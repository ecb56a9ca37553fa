package uci

import (
	"errors"
	"fmt"

	"skein/search"
	"skein/syzygy"
)

func defaultTablebase() search.Tablebase {
	return search.Tablebase{ProbeDepth: defaultProbeDepth, ProbeLimit: syzygy.MaxMen, FiftyMoves: true}
}

// setSyzygyPath uses the tablebases in other folders from now on and reports how
// many there are. Damaged tables are reported later, when they are needed.
func (d *Driver) setSyzygyPath(v value) error {
	old := d.tablebase.Tables
	d.tablebase.Tables = nil
	if v.text != "" {
		tables := syzygy.Open(v.text, d.reportTable)
		wdl, dtz := tables.Count()
		d.note("found %d WDL and %d DTZ tables of up to %d men", wdl, dtz, tables.Largest())
		d.tablebase.Tables = tables
	}
	return errors.Join(d.setTablebase(), old.Close())
}

// reportTable reports an error about the files of tablebases, from any goroutine. That
// a table is missing is none, as few have all of them.
func (d *Driver) reportTable(err error) {
	if errors.Is(err, syzygy.ErrMissing) {
		d.note("%v", err)
		return
	}
	d.fail(fmt.Errorf("option SyzygyPath: %w", err))
}

func (d *Driver) setTablebase() error {
	d.engine.SetTablebase(d.tablebase)
	return nil
}

// verdict returns the tablebase result of the current position, "" if there is
// none.
func (d *Driver) verdict() string {
	p := &d.game.Pos
	wdl, err := d.tablebase.Tables.ProbeWDL(p)
	if err != nil {
		return ""
	}
	dtz, err := d.tablebase.Tables.ProbeDTZ(p)
	if err != nil {
		return fmt.Sprintf("\nTablebase: %v", wdl)
	}
	return fmt.Sprintf("\nTablebase: %v, distance to zeroing %d", wdl, dtz)
}
