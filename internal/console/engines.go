package console

import (
	"errors"
	"fmt"
	"runtime"

	"skein/search"
	"skein/syzygy"
)

// engine is a searcher with its tablebases, nil for none.
type engine struct {
	*search.Engine
	tables *syzygy.Tables
}

// Close closes the engine and its tablebases.
func (e *engine) Close() error { return errors.Join(e.Engine.Close(), e.tables.Close()) }

// newEngine creates the engine.
func (c *call) newEngine(e *effort) (*engine, error) {
	one, err := c.newEngines(e, 1, e.threads)
	if err != nil {
		return nil, err
	}
	return &engine{one.list[0], one.tables}, nil
}

// engines are several searchers that share their tablebases, nil for none.
type engines struct {
	list   []*search.Engine
	tables *syzygy.Tables
}

// Close closes the engines and their tablebases.
func (e *engines) Close() error {
	var errs []error
	for _, searcher := range e.list {
		errs = append(errs, searcher.Close())
	}
	return errors.Join(append(errs, e.tables.Close())...)
}

// newEngines creates n engines with so many threads each. It raises GOMAXPROCS above
// the number of search threads, so that interrupts and output are handled in time.
func (c *call) newEngines(e *effort, n, threads int) (*engines, error) {
	tables, err := c.openTables(e.syzygy)
	if err != nil {
		return nil, err
	}
	runtime.GOMAXPROCS(max(processors, n*threads+2))
	created := &engines{tables: tables}
	for range n {
		searcher, err := c.NewEngine(threads, e.hash, e.net)
		if err != nil {
			return nil, errors.Join(err, created.Close())
		}
		searcher.SetTablebase(search.Tablebase{
			Tables: tables, ProbeLimit: syzygy.MaxMen, ProbeDepth: 1, FiftyMoves: true,
		})
		created.list = append(created.list, searcher)
	}
	return created, nil
}

// openTables opens the tablebases in the folders of path, nil if it is empty. It
// is an error if there are none. Damaged or missing tables that are found during
// a search only cause warnings.
func (c *call) openTables(path string) (*syzygy.Tables, error) {
	if path == "" {
		return nil, nil
	}
	var problems []error
	searching := false
	tables := syzygy.Open(path, func(err error) {
		if searching {
			c.warn("%v", err)
			return
		}
		problems = append(problems, err)
	})
	searching = true
	if wdl, _ := tables.Count(); wdl == 0 {
		problems = append(problems, fmt.Errorf("--syzygy %s: no tablebases found", path))
	}
	if len(problems) > 0 {
		return nil, errors.Join(append(problems, tables.Close())...)
	}
	return tables, nil
}
