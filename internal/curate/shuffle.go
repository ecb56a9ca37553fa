package curate

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

// Shuffle writes the positions in random order to the file out, which must be of
// records, within as many MiB of memory, 1 or more: what is larger goes by way of
// temporary files beside out. The same seed makes the same order. It returns how
// many positions there are.
func (e *Entries) Shuffle(ctx context.Context, out string, memory int64, seed uint64) (positions int, err error) {
	if kind, err := dataset.KindOf(out); err != nil || kind != dataset.Records {
		return 0, fmt.Errorf("%s is not a .bin file", out)
	}
	n, err := numPiles(e.Names, memory*mebibyte)
	if err != nil {
		return 0, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	err = withPiles(filepath.Dir(out), n, func(piles []pile) error {
		err := e.Each(ctx, func(entry *record.Entry) error {
			positions++
			return dataset.WriteEntry(piles[r.IntN(n)].w, entry, dataset.Records)
		})
		if err != nil {
			return err
		}
		return dataset.Create(out, func(w io.Writer) error { return writePiles(w, piles, r) })
	})
	return positions, err
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
		least := bytes*5/4/maxPiles/mebibyte + 1
		return 0, fmt.Errorf("%d MiB of records need at least %d MiB of memory", bytes/mebibyte, least)
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
