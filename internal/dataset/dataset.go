// Package dataset reads training data files of every format as labeled
// positions, decoding them with several goroutines, and writes such files.
package dataset

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"skein/internal/input"
	"skein/internal/record"
)

// Kind is the format of a file.
type Kind uint8

// The formats.
const (
	Games   Kind = iota // of package record
	Records             // of 32 bytes, record.Packed
	Text                // lines "FEN | score | points"
	EPD                 // lines of EPD or FEN
	PGN                 // games with scores in their comments, or without
)

// extensions are the file name extensions of the formats.
var extensions = map[string]Kind{
	".skr": Games, ".bin": Records, ".txt": Text, ".epd": EPD, ".fen": EPD, ".pgn": PGN,
}

// KindOf returns the format of a file by its extension, which may be followed
// by .gz or .zst.
func KindOf(name string) (Kind, error) {
	plain, _ := compression(name)
	if kind, ok := extensions[filepath.Ext(plain)]; ok {
		return kind, nil
	}
	return 0, fmt.Errorf("%s: the extension is not one of "+
		".skr (games), .bin (32-byte records), .txt (FEN | score | result), .epd, .fen, .pgn", name)
}

// Count returns the number of games or, of files of records, of positions in the files, as
// far as it shows without decoding them: otherwise, as of text and compressed files, both
// are 0.
func Count(ctx context.Context, names []string) (games, positions int64, err error) {
	for _, name := range names {
		kind, err := KindOf(name)
		if err != nil {
			return 0, 0, err
		}
		info, err := os.Stat(name)
		if err != nil {
			return 0, 0, err
		}
		if Compressed(name) || !info.Mode().IsRegular() || kind != Games && kind != Records {
			return 0, 0, nil
		}
		if kind == Records {
			positions += info.Size() / record.EntrySize
			continue
		}
		n, err := countGames(ctx, name, info.Size())
		if err != nil {
			return 0, 0, err
		}
		games += n
	}
	if games > 0 && positions > 0 {
		return 0, 0, nil
	}
	return games, positions, nil
}

func countGames(ctx context.Context, name string, size int64) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := record.Count(ctx, f, size)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

// CheckInputs returns the first error about files that shows before they are read: a
// missing file, or one whose extension is not that of a format. It spares the work on
// the files before it.
func CheckInputs(names []string) error {
	for _, name := range names {
		if _, err := KindOf(name); err != nil {
			return err
		}
		if _, err := os.Stat(name); err != nil {
			return err
		}
	}
	return nil
}

// HasGames reports whether the name is that of a file of games, whose positions a
// filter selects.
func HasGames(name string) bool {
	kind, err := KindOf(name)
	return err == nil && (kind == Games || kind == PGN)
}

// compression splits the extension .gz or .zst, "" if there is none, from the
// name of a file.
func compression(name string) (plain, extension string) {
	switch extension = filepath.Ext(name); extension {
	case ".gz", ".zst":
		return strings.TrimSuffix(name, extension), extension
	}
	return name, ""
}

// Entry is a position with the labels in its file. A missing score is 0, a
// missing result a draw. BadUnit is an error if the file does not state the unit of
// the score.
type Entry struct {
	record.Entry
	NoScore, NoResult bool
	BadUnit           error
}

// open opens a file for reading and decompresses it if its name says that it is
// compressed. Once ctx is done it and Read return, even if they wait.
func open(ctx context.Context, name string) (io.ReadCloser, error) {
	f, err := input.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	var r io.ReadCloser
	switch _, extension := compression(name); extension {
	case ".gz":
		r, err = gzip.NewReader(f)
	case ".zst":
		var z *zstd.Decoder
		if z, err = zstd.NewReader(f); err == nil {
			r = z.IOReadCloser()
		}
	default:
		return f, nil
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &unpacker{r, f}, nil
}

// unpacker reads a compressed file.
type unpacker struct {
	io.ReadCloser
	f io.Closer
}

var errCutOff = errors.New("the compressed data is cut off")

// Read is the Read of the data. Its error where the file is cut off is not
// io.ErrUnexpectedEOF, which readers take for that of io.ReadFull.
func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCutOff
	}
	return n, err
}

// Close closes the file first: that of the data waits for a read of it.
func (u *unpacker) Close() error { return errors.Join(u.f.Close(), u.ReadCloser.Close()) }

// Compressed reports whether the name is that of a compressed file.
func Compressed(name string) bool {
	_, extension := compression(name)
	return extension != ""
}

// compress returns a writer that compresses to w in the format of the extension
// of name. Closing it does not close w.
func compress(w io.Writer, name string) (io.WriteCloser, error) {
	switch _, extension := compression(name); extension {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		return zstd.NewWriter(w)
	}
	return nil, fmt.Errorf("%s: the extension is not that of a compressed file", name)
}
