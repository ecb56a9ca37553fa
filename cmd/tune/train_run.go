package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"skein/internal/atomicfile"
	"skein/internal/cli"
	"skein/internal/status"
	"skein/internal/terminal"
	"skein/internal/train"
	"skein/nnue"
)

// run trains the network, continuing from the checkpoint if there is one. An empty
// file, NAME.lock, keeps other processes from writing the same files meanwhile.
func (j *trainJob) run(ctx context.Context, stderr io.Writer) (err error) {
	lock, err := atomicfile.NewLock(j.beside(".lock"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	t, err := train.New(j.config)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := j.resume(t, stderr); err != nil {
		return err
	}
	if _, err := t.Validate(ctx); err != nil {
		return err // now, rather than after the first superbatch
	}
	if hash := t.FromHash(); hash != "" {
		j.settings += "# from has the hash " + hash + "\n"
	}
	fmt.Fprintf(terminal.PrintableWriter{W: stderr}, "%s %s, %s positions of data\n%s",
		j.config.Name, j.config.Architecture, thousands(t.Positions()), j.settings)
	if n := t.Clipped(); n > 0 {
		fmt.Fprintf(stderr, "%s: weights beyond the bounds of training, which were clipped: %s\n",
			j.config.From, thousands(int64(n)))
	}
	p := &trainProgress{Line: status.New(stderr), first: -1}
	defer p.End()
	defer func() {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			p.Print("the same command continues from " + j.beside(".checkpoint"))
		}
	}()
	warn := func(err error) {
		if err != nil { // for a while the disk may be full, or another program have the file open
			p.Print("warning: " + err.Error())
		}
	}
	saved := time.Now()
	var unsaved error // why the last checkpoint could not be written
	for !t.Done() {
		r, err := t.Learn(ctx, func(now train.Progress) error {
			p.update(now)
			if time.Since(saved) < j.checkpointEvery {
				return nil
			}
			saved = time.Now()
			warn(t.Save(j.beside(".checkpoint")))
			return nil
		})
		if err != nil && ctx.Err() != nil {
			return cmp.Or(t.Save(j.beside(".checkpoint")), ctx.Err())
		}
		if err != nil {
			return err
		}
		if unsaved = t.Save(j.beside(".checkpoint")); !t.Done() {
			warn(unsaved)
		}
		p.Print(describeReport(&r))
		saved = time.Now()
		if t.Done() {
			break // the network is written below
		}
		_, _, err = j.write(ctx, t)
		if err != nil && ctx.Err() != nil {
			return cmp.Or(unsaved, ctx.Err())
		}
		warn(errors.Join(err, j.writeLosses(t)))
	}
	net, rounding, err := j.write(ctx, t)
	if err != nil && ctx.Err() != nil {
		return cmp.Or(unsaved, ctx.Err())
	}
	if err == nil {
		err = j.writeLosses(t)
	}
	if err = errors.Join(unsaved, err); err != nil {
		return err
	}
	p.Print(describeRounding(&rounding))
	p.Print(terminal.Printable(fmt.Sprintf("%s: %s %s, hash %s", j.out, net.Name(), net.Architecture(), net.Hash())))
	return nil
}

// resume continues from the checkpoint if there is one. It is an error if there are
// other files of the run without one, as they are of another run.
func (j *trainJob) resume(t *train.Trainer, stderr io.Writer) error {
	name := j.beside(".checkpoint")
	err := t.Resume(name)
	switch {
	case err == nil:
		fmt.Fprintf(stderr, "%s: continuing after superbatch %d\n", name, len(t.History()))
		return nil
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	for _, file := range []string{j.out, j.beside(".csv"), j.beside(".svg")} {
		if _, err := os.Stat(file); err == nil {
			return fmt.Errorf("%s already exists, and there is no %s to continue from", file, name)
		}
	}
	return nil
}

// write writes the current network, unless ctx is done: to quantize a wide one takes
// minutes.
func (j *trainJob) write(ctx context.Context, t *train.Trainer) (*nnue.Network, train.Rounding, error) {
	var rounding train.Rounding
	weights, err := cli.Await(ctx, func() (weights *nnue.Parameters, err error) {
		weights, rounding, err = t.Quantize(ctx)
		return weights, err
	})
	if err != nil {
		return nil, train.Rounding{}, err // Quantize may still be running
	}
	history := t.History()
	last := history[len(history)-1]
	weights.Description = "Trained by `tune train`.\n" + j.settings +
		describeReport(&last) + "\n" + describeRounding(&rounding) + "\n"
	net, err := nnue.New(weights)
	if err != nil {
		return nil, rounding, err
	}
	return net, rounding, writeNet(j.out, net)
}

// writeLosses writes the table and the chart of the losses.
func (j *trainJob) writeLosses(t *train.Trainer) error {
	history := t.History()
	return errors.Join(writeLog(j.beside(".csv"), history),
		atomicfile.WriteFile(j.beside(".svg"), curves(j.config.Name, history)))
}

// writeNet writes a network to a file, replacing an existing one.
func writeNet(name string, net *nnue.Network) error { return atomicfile.Replace(name, writerOf(net)) }

// writerOf returns a function that writes the file of a network.
func writerOf(net *nnue.Network) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := net.WriteTo(w)
		return err
	}
}
