package main

import (
	"context"
	"errors"
	"io"

	"skein/internal/cli"
	"skein/internal/curate"
)

// stats implements the command stats.
func stats(flags *cli.Flags) cli.Run {
	flags.Group("Output")
	folder := flags.String("svg", "", "`folder` to write charts of the histograms to")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) == 0 {
			return errors.New("no file given")
		}
		s, err := curate.Summarize(ctx, args)
		if err != nil {
			return err
		}
		if err := s.Write(stdout); err != nil || *folder == "" {
			return err
		}
		return s.Draw(*folder)
	}
}
