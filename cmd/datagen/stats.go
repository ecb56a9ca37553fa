package main

import (
	"context"
	"errors"
	"io"

	"skein/internal/cli"
	"skein/internal/curate"
)

// stats implements the command stats.
func stats(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := cli.NewFlags("datagen stats", "FILE...", stderr)
	folder := flags.String("svg", "", "`folder` to write charts of the histograms to")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("stats: no file given")
	}
	s, err := curate.Summarize(ctx, flags.Args())
	if err != nil {
		return err
	}
	if err := s.Write(stdout); err != nil || *folder == "" {
		return err
	}
	return s.Draw(*folder)
}
