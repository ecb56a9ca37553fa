package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

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
	checkpoint := j.beside(".checkpoint")
	switch err := t.Resume(checkpoint); {
	case err == nil:
		fmt.Fprintf(stderr, "%s: going on after superbatch %d\n", checkpoint, len(t.History()))
	case !errors.Is(err, os.ErrNotExist):
		return err
	default:
		if _, err := os.Stat(j.out); err == nil {
			return fmt.Errorf("%s exists already", j.out)
		}
	}
	fmt.Fprintf(stderr, "%s %s, %s positions of data\n%s", j.config.Name, j.config.Architecture, thousands(t.Positions()), j.settings)
	p := &trainProgress{out: stderr, live: isTerminal(stderr), start: time.Now(), first: -1}
	saved := time.Now()
	for !t.Done() {
		r, err := t.Learn(ctx, func(now train.Progress) error {
			p.update(now)
			if time.Since(saved) < j.checkpointEvery {
				return nil
			}
			saved = time.Now()
			return t.Save(checkpoint)
		})
		if err != nil && ctx.Err() != nil {
			if err := t.Save(checkpoint); err != nil {
				return err
			}
			p.line("interrupted; the same command goes on from " + checkpoint)
			return nil
		}
		if err != nil {
			return err
		}
		p.line(describeReport(&r))
		if err := j.save(ctx, t, p); err != nil {
			return err
		}
		saved = time.Now()
	}
	return nil
}

// save writes all that there is after a superbatch, the checkpoint last.
func (j *trainJob) save(ctx context.Context, t *train.Trainer, p *trainProgress) error {
	weights, rounding, err := t.Quantise(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	if t.Done() {
		p.line(describeRounding(&rounding))
	}
	history := t.History()
	last := history[len(history)-1]
	weights.Description = "Trained by `tune train`.\n" + j.settings + describeReport(&last) + "\n" + describeRounding(&rounding) + "\n"
	net, err := nnue.New(weights)
	if err != nil {
		return err
	}
	if err := writeNet(j.out, net); err != nil {
		return err
	}
	if err := writeLog(j.beside(".csv"), history); err != nil {
		return err
	}
	if err := train.WriteFile(j.beside(".svg"), curves(j.config.Name, history)); err != nil {
		return err
	}
	if err := t.Save(j.beside(".checkpoint")); err != nil {
		return err
	}
	if t.Done() {
		p.line(fmt.Sprintf("%s: %s %s, hash %s", j.out, net.Name(), net.Architecture(), net.Hash()))
	}
	return nil
}

func writeNet(name string, net *nnue.Network) error {
	var b bytes.Buffer
	if _, err := net.WriteTo(&b); err != nil {
		return err
	}
	return train.WriteFile(name, b.Bytes())
}
