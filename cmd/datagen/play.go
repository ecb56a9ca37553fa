package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"skein/internal/atomicfile"
	"skein/internal/cli"
	"skein/internal/record"
	"skein/internal/selfplay"
	"skein/nnue"
)

// open opens the file for writing and reports what it contains.
func (j *job) open(ctx context.Context, description string, stderr io.Writer) (*record.Writer, error) {
	w, torn, err := record.Open(ctx, j.file, description)
	if other, ok := errors.AsType[*record.DescriptionError](err); ok {
		return nil, fmt.Errorf("%s has games of other settings; use another file or these settings:\n%s",
			j.file, other.Description)
	} else if err != nil {
		return nil, err
	}
	if torn > 0 {
		fmt.Fprintf(stderr, "%s: removed %d bytes after its last intact block\n", j.file, torn)
	}
	if w.Games() > 0 {
		fmt.Fprintf(stderr, "%s has %d games, %d positions: continuing\n", j.file, w.Games(), w.Positions())
	}
	return w, nil
}

// play implements the command play.
func play(flags *cli.Flags) cli.Run {
	j := newJob(flags)
	return func(ctx context.Context, args []string, _, stderr io.Writer) error {
		if err := j.check(args); err != nil {
			return err
		}
		if err := cmp.Or(j.checkOpenings(flags), j.checkAdjudication(flags)); err != nil {
			return err
		}
		return j.play(ctx, stderr)
	}
}

// play loads what the settings name and plays.
func (j *job) play(ctx context.Context, stderr io.Writer) error {
	net, err := cli.Await(ctx, func() (*nnue.Network, error) { return j.load(stderr) })
	if err != nil {
		return err
	}
	lock, err := atomicfile.NewLock(j.file)
	if err != nil {
		return err
	}
	return errors.Join(j.generate(ctx, net, stderr), lock.Close())
}

// generate plays games and writes them to the file, which must be locked. If it
// fails before the first game, the file is empty.
func (j *job) generate(ctx context.Context, net *nnue.Network, stderr io.Writer) error {
	w, err := j.open(ctx, j.describe(net), stderr)
	if err != nil {
		return err
	}
	p := newProgress(stderr, w.Games(), w.Positions(), j.games, j.positions)
	if !p.reached() {
		write := func(g *record.Game, t selfplay.Tally) (bool, error) {
			if err := w.Write(g); err != nil {
				return false, err
			}
			p.add(1, t)
			return !p.reached(), nil
		}
		err = selfplay.Run(ctx, net, &j.config, uint64(w.Games()), j.workers, write)
	}
	p.stop()
	err = cmp.Or(err, w.Close())
	if err != nil && w.Games() == 0 && !errors.Is(err, record.ErrShared) {
		return errors.Join(err, os.Truncate(j.file, 0))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: %d games, %d positions\n", j.file, w.Games(), w.Positions())
	if p.reached() {
		return nil
	}
	return ctx.Err()
}
