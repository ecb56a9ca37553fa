package record

import (
	"errors"
	"io"

	"skein/chess"
)

// NewWriter starts a file of games that goes to w. Closing the Writer writes its
// last block and does not close w. name is that of the file, for errors.
func NewWriter(w io.Writer, name, description string) (*Writer, error) {
	header, err := fileHeader{description, chess.UnitsPerPawn}.append(nil)
	if err != nil {
		return nil, err
	}
	writer := newWriter(&stream{w: w, name: name}, 0)
	return writer, writer.write(header)
}

// stream is a file that can only grow.
type stream struct {
	w    io.Writer
	name string
	size int64
}

// Write implements io.Writer.
func (s *stream) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	s.size += int64(n)
	return n, err
}

// Seek returns the end of the stream, the only place it can be at.
func (s *stream) Seek(int64, int) (int64, error) { return s.size, nil }

// Truncate is never called.
func (s *stream) Truncate(int64) error { return errors.ErrUnsupported }

func (s *stream) Name() string { return s.name }
func (s *stream) Sync() error  { return nil }
func (s *stream) Close() error { return nil }
