package curate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"skein/internal/atomicfile"
	"skein/internal/dataset"
	"skein/internal/record"
)

const (
	mebibyte      = 1 << 20
	maxPartitions = 500 // open files

	shufflePrefix = ".shuffle-" // of the names of temporary folders
)

// partition is a temporary file with a random part of the positions, small enough
// to be shuffled in memory.
type partition struct {
	f *os.File
	w *bufio.Writer
}

// Shuffle writes the positions in random order to the new file out, which must be
// of records. It uses about as many MiB of memory, at least 1, and temporary files
// in the folder of out. The same seed and memory give the same order. It returns the
// number of positions.
func (e *Entries) Shuffle(ctx context.Context, out string, memory int64, seed uint64) (positions int, err error) {
	if kind, err := dataset.KindOf(out); err != nil || kind != dataset.Records {
		return 0, fmt.Errorf("%s is not a .bin file", out)
	}
	if memory > math.MaxInt64/mebibyte {
		return 0, fmt.Errorf("%d MiB of memory are more than %d", memory, int64(math.MaxInt64/mebibyte))
	}
	r := rand.New(rand.NewPCG(seed, 0))
	err = dataset.Create(out, func(w io.Writer) error {
		n, err := numPartitions(e.Names, memory*mebibyte)
		if err != nil {
			return err
		}
		return withPartitions(filepath.Dir(out), n, func(list []partition) error {
			err := e.each(ctx, func(entry *record.Entry) error {
				positions++
				return dataset.WriteEntry(list[r.IntN(n)].w, entry, dataset.Records)
			})
			if err != nil {
				return err
			}
			return writePartitions(ctx, w, list, r)
		})
	})
	return positions, err
}

// numPartitions returns the number of partitions of the files such that each fits
// into memory, in bytes: the largest if one is a pipe, whose size is unknown.
func numPartitions(names []string, memory int64) (int, error) {
	bytes := int64(0) // of records, estimated from above
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		if !info.Mode().IsRegular() {
			return maxPartitions, nil
		}
		size := info.Size()
		if dataset.HasGames(name) {
			size *= record.EntrySize / 4 // a ply, or a move of PGN, has about 4 bytes
		}
		if dataset.Compressed(name) {
			size *= 4 // the ratio of compression is hardly larger
		}
		bytes += size
	}
	n := bytes*5/4/memory + 1 // sizes of partitions vary
	if n > maxPartitions {
		least := bytes*5/4/maxPartitions/mebibyte + 1
		return 0, fmt.Errorf("%d MiB of records need at least %d MiB of memory", bytes/mebibyte, least)
	}
	return int(n), nil
}

// withPartitions calls f with n empty partitions in a temporary folder in dir.
func withPartitions(dir string, n int, f func([]partition) error) (err error) {
	folder, err := atomicfile.NewTempDir(dir, shufflePrefix)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Remove()) }()
	list := make([]partition, n)
	for i := range list {
		file, err := os.Create(filepath.Join(folder.Path, strconv.Itoa(i)))
		if err != nil {
			return err
		}
		defer file.Close()
		list[i] = partition{file, bufio.NewWriterSize(file, 1<<16)}
	}
	return f(list)
}

// writePartitions shuffles and writes one partition after another. As every
// position is in a random partition, all orders are equally likely.
func writePartitions(ctx context.Context, w io.Writer, list []partition, r *rand.Rand) error {
	var records []record.Packed
	for _, p := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
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
		records = records[:0]
		if n := int(size / record.EntrySize); n > cap(records) {
			records = nil // before there are two of them
			records = make([]record.Packed, 0, n+n/50)
		}
		for in := bufio.NewReaderSize(p.f, 1<<16); ; {
			var b record.Packed
			if _, err := io.ReadFull(in, b[:]); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
			records = append(records, b)
		}
		if err := p.f.Truncate(0); err != nil { // its room is for the output
			return err
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
