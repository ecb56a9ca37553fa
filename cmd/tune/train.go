package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"skein/internal/cli"
	"skein/internal/dataset"
	"skein/internal/input"
	"skein/internal/train"
	"skein/nnue"
)

// trainJob holds the settings of a run of train.
type trainJob struct {
	config          train.Config
	out             string // network file
	checkpointEvery time.Duration
	configFile      string // "" means none
	kingMap, layers string // as given
	settings        string // the flags that affect the network, one per line
}

// beside returns the name of the network file with another extension.
func (j *trainJob) beside(extension string) string {
	return strings.TrimSuffix(j.out, filepath.Ext(j.out)) + extension
}

// trainNet implements the command train.
func trainNet(flags *cli.Flags) cli.Run {
	j := &trainJob{config: train.DefaultConfig()}
	j.define(flags)
	return func(ctx context.Context, args []string, _, stderr io.Writer) error {
		if err := j.complete(ctx, flags, args); err != nil {
			return err
		}
		return j.run(ctx, stderr)
	}
}

// define defines the flags of the command.
func (j *trainJob) define(flags *cli.Flags) {
	outputFlags(flags, j)
	inputFlags(flags, j)
	filterFlags(flags, &j.config)
	architectureFlags(flags, j)
	runFlags(flags, &j.config)
	rateFlags(flags, &j.config)
	targetFlags(flags, &j.config)
}

// complete completes the settings after the flags have been parsed, and validates
// them.
func (j *trainJob) complete(ctx context.Context, flags *cli.Flags, data []string) error {
	c := &j.config
	given := givenFlags(flags)
	if j.configFile != "" {
		text, err := readSettings(ctx, j.configFile)
		if err != nil {
			return err
		}
		if c.Data, err = applySettings(flags, j.configFile, text); err != nil {
			return err
		}
	}
	if len(data) > 0 {
		c.Data = data
	}
	if flags.Changed("from") && c.From == "" {
		return errors.New("--from: expected a file; that of the embedded network is nets/default.nnue")
	}
	setFilterEnd(flags, c)
	if j.out == "" || len(c.Data) == 0 {
		return errors.New("expected -o NET and files of training data")
	}
	if filepath.Ext(j.out) != ".nnue" {
		return fmt.Errorf("%s: the extension is not .nnue", j.out)
	}
	if c.Name == "" {
		c.Name = strings.TrimSuffix(filepath.Base(j.out), ".nnue")
	}
	if err := setKingMap(c, j.kingMap); err != nil {
		return err
	}
	if j.checkpointEvery <= 0 {
		return fmt.Errorf("--checkpoint-every %v is not positive", j.checkpointEvery)
	}
	if err := setLayers(c, j.layers); err != nil {
		return err
	}
	if err := j.checkFiles(); err != nil {
		return err
	}
	if c.From != "" && !flags.Changed("scale") {
		from, err := nnue.LoadFile(c.From)
		if err != nil {
			return err
		}
		c.Architecture.Scale = from.Architecture().Scale
	}
	if err := j.setSizes(); err != nil {
		return err
	}
	j.settings = listSettings(flags, c.Data)
	return cmp.Or(c.Validate(), j.checkUseless(given))
}

// checkFiles returns an error if an output is also an input, if a file of data has
// the extension of another format, or if the validation data or the initial network
// is not a regular file.
func (j *trainJob) checkFiles() error {
	c := &j.config
	inputs := append([]string{j.configFile, c.Validation, c.From}, c.Data...)
	for _, extension := range []string{".nnue", ".checkpoint", ".csv", ".svg", ".lock"} {
		if err := checkOutput(j.beside(extension), inputs...); err != nil {
			return err
		}
	}
	for _, name := range append([]string{c.Validation}, c.Data...) {
		if kind, err := dataset.KindOf(name); err == nil && kind != dataset.Records || dataset.Compressed(name) {
			return fmt.Errorf("%s: not a file .bin, as datagen shuffle writes", name)
		}
	}
	for _, name := range []string{c.Validation, c.From} {
		if name == "" {
			continue
		}
		if _, err := input.Stat(name); err != nil {
			return err
		}
	}
	return nil
}
