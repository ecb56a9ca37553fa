package curate

import (
	"context"
	"io"
	"runtime"

	"skein/internal/dataset"
	"skein/internal/record"
)

// Entries are the labeled positions of files.
type Entries struct {
	Names     []string
	Filter    record.Filter // for positions of games
	Unlabeled bool          // keep positions without a score or a result, as 0 or a draw
	LeftOut   int           // number of positions skipped so far for lack of a label
	Visit     func()        // called for each position read; may be nil
}

// each calls visit for every position, in the order of the files. A score in an
// unknown unit is an error, as files of positions have none but 1/256 pawn.
func (e *Entries) each(ctx context.Context, visit func(*record.Entry) error) error {
	return dataset.Entries(ctx, e.Names, e.Filter, runtime.GOMAXPROCS(0), func(entry *dataset.Entry) error {
		if entry.BadUnit != nil {
			return entry.BadUnit
		}
		if !e.Unlabeled && (entry.NoScore || entry.NoResult) {
			e.LeftOut++
			return nil
		}
		if e.Visit != nil {
			e.Visit()
		}
		return visit(&entry.Entry)
	})
}

// Select writes the positions that meet the conditions, or all if s is nil, to the
// new file out, whose format is records or text by its extension. It returns the
// numbers of positions read and kept.
func (e *Entries) Select(ctx context.Context, out string, s *Selector) (read, kept int, err error) {
	kind, err := dataset.KindOf(out)
	if err != nil {
		return 0, 0, err
	}
	err = dataset.Create(out, func(w io.Writer) error {
		return e.each(ctx, func(entry *record.Entry) error {
			if read++; s != nil && !s.entry(entry) {
				return nil
			}
			kept++
			return dataset.WriteEntry(w, entry, kind)
		})
	})
	return read, kept, err
}
