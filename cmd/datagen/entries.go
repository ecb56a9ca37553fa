package main

import (
	"context"
	"flag"
	"io"
	"runtime"

	"skein/internal/dataset"
	"skein/internal/record"
)

// entryFlags decide which positions are read.
type entryFlags struct {
	filter     record.Filter
	unlabelled bool
	leftOut    int // positions, for lack of a label
}

// newEntryFlags adds the flags.
func newEntryFlags(flags *flag.FlagSet) *entryFlags {
	f := &entryFlags{filter: record.DefaultFilter()}
	flags.IntVar(&f.filter.MinMove, "min-move", f.filter.MinMove, "leave out positions of games before this `move`")
	flags.IntVar(&f.filter.MaxScore, "max-score", f.filter.MaxScore, "leave out positions of games with scores beyond as many `units` of 1/256 pawn; 0: none")
	flags.BoolVar(&f.filter.Quiet, "quiet", f.filter.Quiet, "leave out positions of games in check or whose move is a capture or promotion")
	flags.BoolVar(&f.unlabelled, "unlabelled", false, "keep positions that have no score or no result, as 0 or a draw, to be rescored")
	return f
}

// each reads the positions of the files.
func (f *entryFlags) each(ctx context.Context, names []string, visit func(*record.Entry) error) error {
	return dataset.Entries(ctx, names, f.filter, runtime.NumCPU(), func(e *dataset.Entry) error {
		if !f.unlabelled && (e.NoScore || e.NoResult) {
			f.leftOut++
			return nil
		}
		return visit(&e.Entry)
	})
}

// writeEntry writes e as text or record.
func writeEntry(w io.Writer, e *record.Entry, kind dataset.Kind) error {
	if kind == dataset.Text {
		_, err := io.WriteString(w, e.String()+"\n")
		return err
	}
	b := e.Pack()
	_, err := w.Write(b[:])
	return err
}
