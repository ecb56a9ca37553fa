package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"skein/internal/dataset"
	"skein/internal/record"
)

const (
	mebibyte = 1 << 20
	maxPiles = 500 // open files
)

// pile is a part of the positions that fits into memory when its turn comes.
type pile struct {
	f *os.File
	w *bufio.Writer
}

// shuffle carries out the command of that name.
func shuffle(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("shuffle", "-o OUT FILE...", stderr)
	out := flags.String("o", "", "`file` of 32-byte records to write, which must not exist")
	memory := flags.Int64("memory", 1024, "`MiB` to use; what is larger goes by way of temporary files beside OUT")
	seed := flags.Uint64("seed", 1, "the same seed makes the same order")
	entries := newEntryFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *out == "" || *memory < 1 {
		return errors.New("shuffle: expected -o OUT, files, and at least 1 MiB of memory")
	}
	if kind, err := dataset.KindOf(*out); err != nil || kind != dataset.Records {
		return fmt.Errorf("shuffle: %s is not a .bin file", *out)
	}
	n, err := numPiles(flags.Args(), *memory*mebibyte)
	if err != nil {
		return err
	}
	positions := 0
	r := rand.New(rand.NewPCG(*seed, 0))
	err = withPiles(filepath.Dir(*out), n, func(piles []pile) error {
		err := entries.each(ctx, flags.Args(), func(e *record.Entry) error {
			positions++
			return writeEntry(piles[r.IntN(n)].w, e, dataset.Records)
		})
		if err != nil {
			return err
		}
		return produceStream(*out, func(w io.Writer) error { return writePiles(w, piles, r) })
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d positions\n", *out, positions)
	return nil
}

// numPiles returns how many piles are needed so that each fits into memory.
func numPiles(names []string, memory int64) (int, error) {
	bytes := int64(0) // of records, at most
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		size := info.Size()
		kind, err := dataset.KindOf(name)
		if err != nil {
			return 0, err
		}
		if kind == dataset.Games || kind == dataset.PGN {
			size *= record.EntrySize / 4 // bytes of a ply, or of a move
		}
		if dataset.Compressed(name) {
			size *= 4 // little more
		}
		bytes += size
	}
	n := bytes*5/4/memory + 1 // piles are not all of one size
	if n > maxPiles {
		return 0, fmt.Errorf("shuffle: %d MiB of records need at least -memory %d", bytes/mebibyte, bytes*5/4/maxPiles/mebibyte+1)
	}
	return int(n), nil
}

// withPiles calls f with n empty piles in a temporary folder below dir.
func withPiles(dir string, n int, f func([]pile) error) (err error) {
	folder, err := os.MkdirTemp(dir, ".shuffle-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	piles := make([]pile, n)
	for i := range piles {
		file, err := os.Create(filepath.Join(folder, strconv.Itoa(i)))
		if err != nil {
			return err
		}
		defer file.Close()
		piles[i] = pile{file, bufio.NewWriterSize(file, 1<<16)}
	}
	return f(piles)
}

// writePiles shuffles the piles one after another. As every position went to a
// random pile, all orders are equally likely.
func writePiles(w io.Writer, piles []pile, r *rand.Rand) error {
	var records []record.Packed
	for _, p := range piles {
		if err := p.w.Flush(); err != nil {
			return err
		}
		size, err := p.f.Seek(0, io.SeekEnd)
		if err != nil {
			return err
		}
		if _, err := p.f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		records = slices.Grow(records[:0], int(size/record.EntrySize))
		for in := bufio.NewReaderSize(p.f, 1<<16); ; {
			var b record.Packed
			if _, err := io.ReadFull(in, b[:]); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
			records = append(records, b)
		}
		r.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		for i := range records {
			if _, err := w.Write(records[i][:]); err != nil {
				return err
			}
		}
	}
	return nil
}
