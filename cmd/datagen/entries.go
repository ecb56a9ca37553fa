package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"skein/internal/record"
	"skein/position"
)

// kindOf tells by its extension what a file holds: "games", "records" of 32
// bytes, or "text".
func kindOf(name string) (string, error) {
	switch filepath.Ext(name) {
	case ".skr":
		return "games", nil
	case ".bin":
		return "records", nil
	case ".txt":
		return "text", nil
	}
	return "", fmt.Errorf("%s: the extension is none of .skr (games), .bin (32-byte records), .txt (FEN | score | result)", name)
}

// filterFlags adds the flags that choose positions of games.
func filterFlags(flags *flag.FlagSet) *record.Filter {
	f := record.DefaultFilter()
	flags.IntVar(&f.MinMove, "min-move", f.MinMove, "leave out positions of games before this `move`")
	flags.IntVar(&f.MaxScore, "max-score", f.MaxScore, "leave out positions of games with scores beyond as many `cp`; 0: none")
	flags.BoolVar(&f.Quiet, "quiet", f.Quiet, "leave out positions of games in check or whose move is a capture or promotion")
	return &f
}

// chooser hands the positions of games that pass a filter to visit.
type chooser struct {
	filter *record.Filter
	visit  func(*record.Entry) error
	err    error
}

func (c *chooser) position(g *record.Game, p *position.Position, ply int) {
	if c.err == nil && c.filter.Keep(p, g.Plies[ply]) {
		c.err = c.visit(&record.Entry{Position: *p, Score: g.Plies[ply].Score, Result: g.Result})
	}
}

func (c *chooser) game(*record.Game) error { return c.err }

// eachEntry reads the positions of a file of any kind. The filter is for games.
func eachEntry(ctx context.Context, name string, filter *record.Filter, visit func(*record.Entry) error) error {
	kind, err := kindOf(name)
	if err != nil {
		return err
	}
	if kind == "games" {
		_, _, err := replayAll(ctx, name, &chooser{filter: filter, visit: visit})
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	next := textEntries(f)
	if kind == "records" {
		next = packedEntries(f)
	}
	for {
		e, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = visit(&e)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// textEntries reads lines of text. The error names the line.
func textEntries(r io.Reader) func() (record.Entry, error) {
	lines := bufio.NewScanner(r)
	n := 0
	return func() (record.Entry, error) {
		if !lines.Scan() {
			if err := lines.Err(); err != nil {
				return record.Entry{}, err
			}
			return record.Entry{}, io.EOF
		}
		n++
		e, err := record.ParseEntry(lines.Text())
		if err != nil {
			err = fmt.Errorf("line %d: %w", n, err)
		}
		return e, err
	}
}

// packedEntries reads records of 32 bytes. The error names the byte.
func packedEntries(r io.Reader) func() (record.Entry, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	at := int64(-record.EntrySize)
	return func() (record.Entry, error) {
		var b record.Packed
		at += record.EntrySize
		if _, err := io.ReadFull(in, b[:]); errors.Is(err, io.ErrUnexpectedEOF) {
			return record.Entry{}, fmt.Errorf("byte %d: the file ends within a record", at)
		} else if err != nil {
			return record.Entry{}, err
		}
		e, err := b.Unpack()
		if err != nil {
			err = fmt.Errorf("byte %d: %w", at, err)
		}
		return e, err
	}
}
