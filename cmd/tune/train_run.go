package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"skein/internal/atomicfile"
	"skein/internal/status"
	"skein/internal/train"
	"skein/nnue"
)

// run trains, from the checkpoint if there is one.
func (j *trainJob) run(ctx context.Context, stderr io.Writer) error {
	t, err := train.New(j.config)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := j.resume(t, stderr); err != nil {
		return err
	}
	if hash := t.FromHash(); hash != "" {
		j.settings += "# from has the hash " + hash + "\n"
	}
	fmt.Fprintf(stderr, "%s %s, %s positions of data\n%s",
		j.config.Name, j.config.Architecture, thousands(t.Positions()), j.settings)
	p := &trainProgress{Line: status.New(stderr), first: -1}
	saved := time.Now()
	for !t.Done() {
		r, err := t.Learn(ctx, func(now train.Progress) error {
			p.update(now)
			if time.Since(saved) < j.checkpointEvery {
				return nil
			}
			saved = time.Now()
			return t.Save(j.beside(".checkpoint"))
		})
		if err != nil && ctx.Err() != nil {
			p.Print("interrupted; the same command goes on from " + j.beside(".checkpoint"))
			return t.Save(j.beside(".checkpoint"))
		}
		if err != nil {
			return err
		}
		p.Print(describeReport(&r))
		if err := t.Save(j.beside(".checkpoint")); err != nil {
			return err
		}
		saved = time.Now()
		if t.Done() {
			break // and write what is written of a finished run
		}
		if _, _, err := j.write(ctx, t); err != nil {
			return err
		}
	}
	net, rounding, err := j.write(ctx, t)
	if err != nil {
		return err
	}
	p.Print(describeRounding(&rounding))
	p.Print(fmt.Sprintf("%s: %s %s, hash %s", j.out, net.Name(), net.Architecture(), net.Hash()))
	return nil
}

// resume goes on from the checkpoint if there is one. Without one there must be no
// network: it would be of another run.
func (j *trainJob) resume(t *train.Trainer, stderr io.Writer) error {
	name := j.beside(".checkpoint")
	err := t.Resume(name)
	switch {
	case err == nil:
		fmt.Fprintf(stderr, "%s: going on after superbatch %d\n", name, len(t.History()))
		return nil
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	if _, err := os.Stat(j.out); err == nil {
		return fmt.Errorf("%s exists already, and there is no %s to go on from", j.out, name)
	}
	return nil
}

// write writes the network of the moment and the log. Whoever is killed before
// that finds them written after the next superbatch, or at the end.
func (j *trainJob) write(ctx context.Context, t *train.Trainer) (*nnue.Network, train.Rounding, error) {
	weights, rounding, err := t.Quantise(context.WithoutCancel(ctx))
	if err != nil {
		return nil, rounding, err
	}
	history := t.History()
	last := history[len(history)-1]
	weights.Description = "Trained by `tune train`.\n" + j.settings +
		describeReport(&last) + "\n" + describeRounding(&rounding) + "\n"
	net, err := nnue.New(weights)
	if err != nil {
		return nil, rounding, err
	}
	if err := writeNet(j.out, net); err != nil {
		return nil, rounding, err
	}
	if err := writeLog(j.beside(".csv"), history); err != nil {
		return nil, rounding, err
	}
	return net, rounding, atomicfile.WriteFile(j.beside(".svg"), curves(j.config.Name, history))
}

func writeNet(name string, net *nnue.Network) error {
	return atomicfile.Replace(name, func(w io.Writer) error {
		_, err := net.WriteTo(w)
		return err
	})
}
