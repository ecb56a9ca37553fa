package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"skein/internal/cli"
	"skein/internal/input"
	"skein/internal/record"
	"skein/internal/train"
)

// filterEnds are the flags whose default is the value of those without "-end".
var filterEnds = []string{"max-score-end", "min-move-end", "max-surprise-end"}

// givenFlags returns the names of the flags that were set, on the command line if
// applySettings has not been called.
func givenFlags(flags *cli.Flags) (names []string) {
	flags.Visit(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// checkUseless returns an error if one of the flags of the command line has no effect.
// A file of settings, such as the description of a network, may name all flags.
func (j *trainJob) checkUseless(given []string) error {
	kind := j.config.Rate.Kind
	for _, name := range given {
		switch {
		case name == "rate-end" && kind != train.Cosine,
			(name == "rate-step" || name == "rate-every") && kind != train.Step:
			return fmt.Errorf("--%s has no effect with the schedule %s", name, kind)
		case name == "validation-positions" && j.config.Validation == "":
			return errors.New("--validation-positions has no effect without --validation")
		case name == "seed" && j.config.From != "" && j.layers == "": // with --layers, those may be drawn
			return errors.New("--seed has no effect with --from, which provides all weights")
		}
	}
	return nil
}

// maxSettings is the size of the largest file of settings in bytes.
const maxSettings = 1 << 20

// readSettings reads a file of settings, which may be a pipe, until ctx is done.
func readSettings(ctx context.Context, name string) ([]byte, error) {
	f, err := input.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err == nil && len(text) > maxSettings {
		err = fmt.Errorf("%s: more than a mebibyte of settings", name)
	}
	return text, err
}

// applySettings sets those flags in the text of a file called name that were not
// given on the command line, and leaves the end of a filter alone if its start was
// given. It returns the data files that the text names.
func applySettings(flags *cli.Flags, name string, text []byte) (data []string, err error) {
	given := givenFlags(flags)
	n := 0
	for line, err := range input.Lines(bytes.NewReader(text)) {
		n++
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value := line, ""
		if i := strings.IndexAny(line, " \t"); i >= 0 {
			key, value = line[:i], strings.TrimSpace(line[i:])
		}
		switch key {
		case "data":
			data = append(data, value)
			continue
		case "config":
			return nil, fmt.Errorf("%s:%d: settings cannot name another file of settings", name, n)
		}
		if f := flags.Find(key); f != nil {
			key = f.Name // of a letter
		}
		if slices.Contains(filterEnds, key) && slices.Contains(given, strings.TrimSuffix(key, "-end")) {
			continue
		}
		if !slices.Contains(given, key) {
			if err := flags.Set(key, value); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
		}
	}
	return data, nil
}

// setKingMap sets the king buckets from the flag --king-map; "" means one bucket.
func setKingMap(c *train.Config, digits string) error {
	a := &c.Architecture
	if digits == "" {
		return nil
	}
	if len(digits) != len(a.KingMap) {
		return fmt.Errorf("king map: %d squares, expected %d", len(digits), len(a.KingMap))
	}
	for i, d := range digits {
		b, err := strconv.ParseUint(string(d), 32, 8)
		if err != nil {
			return fmt.Errorf("king map: %q is not one of 0-9 and a-v", d)
		}
		a.KingMap[i] = uint8(b)
		a.KingBuckets = max(a.KingBuckets, int(b)+1)
	}
	for b := range a.KingBuckets {
		if !slices.Contains(a.KingMap[:], uint8(b)) {
			return fmt.Errorf("king map: no square has bucket %d of 0 to %d", b, a.KingBuckets-1)
		}
	}
	return nil
}

// setLayers sets the layers of the head from the flag --layers; "" means no head.
func setLayers(c *train.Config, numbers string) error {
	if numbers == "" {
		return nil
	}
	layers := strings.Split(numbers, ",")
	if len(layers) != len(c.Architecture.Layers) {
		return fmt.Errorf("layers %q are not two numbers, as in 16,32", numbers)
	}
	for i, text := range layers {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("layers: %q is not a positive number of neurons", text)
		}
		c.Architecture.Layers[i] = n
	}
	return nil
}

// setSizes sets the batch and superbatch size, unless they were given, from the
// amount of data.
func (j *trainJob) setSizes() error {
	positions := int64(0)
	for _, name := range j.config.Data {
		info, err := input.Stat(name)
		if err != nil {
			return err
		}
		positions += info.Size() / record.EntrySize
	}
	batch, superbatch := train.DefaultSizes(positions)
	if j.config.Batch == 0 {
		j.config.Batch = batch
	}
	if j.config.Superbatch == 0 {
		j.config.Superbatch = superbatch
	}
	return nil
}

// listSettings returns the flags that affect the network, sorted by name, and the
// names of the data files, without their folders, in the format of --config.
func listSettings(flags *cli.Flags, data []string) string {
	var lines []string
	flags.VisitAll(func(f *pflag.Flag) {
		value := f.Value.String()
		if slices.Contains([]string{"output", "config", "checkpoint-every"}, f.Name) || value == "" {
			return
		}
		if f.Name == "validation" || f.Name == "from" {
			value = filepath.Base(value)
		}
		lines = append(lines, f.Name+" "+value+"\n")
	})
	slices.Sort(lines)
	for _, name := range data {
		lines = append(lines, "data "+filepath.Base(name)+"\n")
	}
	return strings.Join(lines, "")
}
