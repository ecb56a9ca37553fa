// Package dataset reads files of training data of every kind as positions with
// labels, decoding them with several goroutines.
package dataset

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"skein/internal/record"
)

// Kind is what a file holds.
type Kind uint8

// The kinds of files.
const (
	Games   Kind = iota // of package record
	Records             // of 32 bytes, record.Packed
	Text                // lines FEN | score | points
	EPD                 // lines of EPD or FEN
)

// extensions of file names tell the kind.
var extensions = map[string]Kind{".skr": Games, ".bin": Records, ".txt": Text, ".epd": EPD, ".fen": EPD}

// KindOf tells by its extension what a file holds. Files whose names go on with
// .gz are compressed.
func KindOf(name string) (Kind, error) {
	if kind, ok := extensions[filepath.Ext(strings.TrimSuffix(name, ".gz"))]; ok {
		return kind, nil
	}
	return 0, fmt.Errorf("%s: the extension is none of .skr (games), .bin (32-byte records), .txt (FEN | score | result), .epd", name)
}

// Entry is a position with the labels that its file gives. Those it does not
// give are zero, and a draw.
type Entry struct {
	record.Entry
	NoScore, NoResult bool
}

// Open opens a file for reading, uncompressed.
func Open(name string) (io.ReadCloser, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(name, ".gz") {
		return f, nil
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &unpacker{z, f}, nil
}

// unpacker is a compressed file.
type unpacker struct {
	io.Reader
	f *os.File
}

func (u *unpacker) Close() error { return u.f.Close() }
