package main

import (
	"errors"
	"fmt"
	"io"

	"skein/internal/dataset"
	"skein/internal/label"
)

// resume writes the file out of the positions that run makes of the inputs, or
// continues one that was begun with the same settings and inputs. run skips the
// batches that are already there. leftOut says what it leaves out; the goals are those
// of newProgress. If the file is complete, it only says so.
func resume(
	out, settings, leftOut string, inputs []string, goalGames, goalPositions int64, stdout, stderr io.Writer,
	run func(skip int, write func(*label.Batch) error) error,
) error {
	sums, err := dataset.Inputs(inputs)
	if err != nil {
		return err
	}
	r, err := dataset.Resume(out, settings+"\n"+sums)
	if errors.Is(err, dataset.ErrComplete) {
		fmt.Fprintf(stderr, "%s is complete\n", out)
		return nil
	} else if err != nil {
		return err
	}
	if r.Batches > 0 {
		fmt.Fprintf(stderr, "%s: continuing after %d positions\n", out, r.Positions)
	}
	p := newProgress(stderr, r.Games, r.Positions, goalGames, goalPositions)
	err = run(r.Batches, func(b *label.Batch) error {
		p.count(b.Games, int64(len(b.Entries)), b.Nodes)
		return r.Write(b.Entries, b.Games, b.LeftOut, b.Beyond)
	})
	p.stop()
	if err := r.Close(err); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d positions\n", out, r.Positions)
	tellLeftOut(stdout, int(r.LeftOut), leftOut)
	tellLeftOut(stdout, int(r.Beyond), "labels beyond --max-score")
	return nil
}
