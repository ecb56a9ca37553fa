package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"skein/chess"
	"skein/internal/input"
)

// file is the part of *os.File that a Writer uses.
type file interface {
	io.Writer
	io.Seeker
	Name() string
	Truncate(size int64) error
	Sync() error
	Close() error
}

// Writer appends games to a file, block by block. After an abrupt end, such as
// a full disk or kill -9, all blocks but the last are intact.
type Writer struct {
	f           file
	description string // of a file that was opened
	buf         []byte // the next block, with space for its header
	pending     int    // games in buf
	end         int64  // offset of the end of the last block in the file
	games       int64  // in the file's blocks
	positions   int64  // in the file's blocks
	err         error  // the first error, which is permanent
}

// create opens a file with the flags and writes the header to it. If that fails, it
// removes a new file, and leaves one that existed empty: its name may be a symbolic link.
func create(name string, flags int, description string) (*Writer, error) {
	header, err := fileHeader{description, chess.UnitsPerPawn}.append(nil)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|flags, 0o666)
	if err != nil {
		return nil, err
	}
	w := newWriter(f, 0)
	if err := w.write(header); err != nil {
		err = errors.Join(err, f.Close())
		if flags&os.O_EXCL != 0 {
			err = errors.Join(err, os.Remove(name))
		}
		return nil, err
	}
	return w, nil
}

func newWriter(f file, end int64) *Writer {
	return &Writer{f: f, end: end, buf: make([]byte, blockHeaderSize, 2*blockTarget)}
}

// DescriptionError is the error of Open for a file with games and another
// description.
type DescriptionError struct {
	Description string // of the file
}

// Error includes the description.
func (e *DescriptionError) Error() string { return "games with another description: " + e.Description }

// Open opens a file to add games after its last intact block, or creates it if it does
// not exist. It truncates a torn block at the end and returns its size in bytes. A file
// that ends within its header, because its creation was interrupted, and one without
// games and with another description are written from the start. The file is not
// changed if the error is a *DescriptionError, as it has games and another description,
// or a *DamageError, as intact blocks follow the damage: Recover saves those. Nor is it
// changed if ctx is done before all of it has been read, whose error Open then returns.
func Open(ctx context.Context, name, description string) (w *Writer, torn int64, err error) {
	w, torn, err = load(ctx, name)
	damage := (*DamageError)(nil)
	switch {
	case errors.Is(err, os.ErrNotExist):
		w, err = create(name, os.O_CREATE|os.O_EXCL, description)
	case errors.As(err, &damage) && damage.Torn && damage.Block < 0:
		torn = damage.Offset
		w, err = create(name, os.O_TRUNC, description)
	case err != nil:
	case w.description == description:
		w, err = w.resume()
	case w.games > 0:
		return nil, 0, errors.Join(&DescriptionError{w.description}, w.f.Close())
	default:
		if err = w.f.Close(); err == nil {
			w, err = create(name, os.O_TRUNC, description)
		}
	}
	return w, torn, err
}

// resume truncates the file after its last intact block, or closes it.
func (w *Writer) resume() (*Writer, error) {
	if err := w.cut(); err != nil {
		return nil, errors.Join(err, w.f.Close())
	}
	return w, nil
}

// load opens a file to add games after its last intact block, as Open does, but does
// not truncate it.
func load(ctx context.Context, name string) (w *Writer, torn int64, err error) {
	if _, err := input.Stat(name); err != nil {
		return nil, 0, err
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, err
	}
	scan, err := scanBlocks(ctx, f, size)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	if scan.header.unit != chess.UnitsPerPawn {
		return nil, 0, fmt.Errorf("%s: scores in another unit (%d per pawn instead of %d): datagen merge converts it",
			name, scan.header.unit, chess.UnitsPerPawn)
	}
	w = newWriter(f, scan.end)
	w.description, w.games, w.positions = scan.header.description, scan.games, scan.positions
	return w, size - scan.end, nil
}

// Games returns the number of games written to the file's blocks.
func (w *Writer) Games() int64 { return w.games }

// Positions returns the number of positions written to the file's blocks.
func (w *Writer) Positions() int64 { return w.positions }

// Write adds a game, which is written to the file when its block is full, or by
// Flush or Close. After a write error the file, unless it is a stream, is truncated to
// its last intact block, and all later calls return the error.
func (w *Writer) Write(g *Game) error {
	if w.err != nil {
		return w.err
	}
	size := gameSize(len(g.Plies))
	if size > maxPayload {
		return fmt.Errorf("game of %d plies is too long", len(g.Plies))
	}
	if len(w.buf)-blockHeaderSize+size > maxPayload {
		if err := w.Flush(); err != nil {
			return err
		}
	}
	buf, err := appendGame(w.buf, g)
	if err != nil {
		return err // w.buf contains nothing of it
	}
	w.buf = buf
	w.pending++
	if len(w.buf)-blockHeaderSize >= blockTarget {
		return w.Flush()
	}
	return nil
}

// Flush writes the buffered games as a block.
func (w *Writer) Flush() error {
	if w.err != nil || w.pending == 0 {
		return w.err
	}
	seal(w.buf, w.pending)
	if err := w.write(w.buf); err != nil {
		return err
	}
	b := block{w.pending, w.buf[blockHeaderSize:]}
	w.games += int64(b.games)
	w.positions += b.positions()
	w.buf, w.pending = w.buf[:blockHeaderSize], 0
	return nil
}

// Close writes the buffered games and closes the file.
func (w *Writer) Close() error {
	err := w.Flush()
	if err == nil {
		err = w.f.Sync()
	}
	return cmp.Or(err, w.f.Close())
}

// ErrShared is the error of a Writer whose file another process has changed.
var ErrShared = errors.New("another process has changed it")

// check returns an error if the size of the file is not as this writer left it, or if the
// file was removed, so that what is written would be lost. It may have another name by now.
func (w *Writer) check() error {
	size, err := w.f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if size != w.end {
		return fmt.Errorf("%s: %d bytes long instead of %d: %w", w.f.Name(), size, w.end, ErrShared)
	}
	if f, ok := w.f.(*os.File); ok {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if removed(info) {
			return fmt.Errorf("%s was removed: %w", f.Name(), ErrShared)
		}
	}
	return nil
}

// write appends b to the file, or leaves the file unchanged. It returns an error without
// writing if check does.
func (w *Writer) write(b []byte) error {
	if err := w.check(); err != nil {
		w.err = err
		return err
	}
	n, err := w.f.Write(b)
	if err == nil {
		w.end += int64(n)
		return nil
	}
	if _, ok := w.f.(*stream); ok { // whoever made it removes the file
		w.err = err
		return err
	}
	w.err = fmt.Errorf("%w; the file ends after its last intact block, at byte %d", err, w.end)
	if err := w.cut(); err != nil {
		w.err = fmt.Errorf("%w (truncating it there failed: %w)", w.err, err)
	}
	return w.err
}

// cut truncates the file after its last intact block.
func (w *Writer) cut() error {
	if err := w.f.Truncate(w.end); err != nil {
		return err
	}
	_, err := w.f.Seek(w.end, io.SeekStart)
	return err
}
