package record

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// scan is what reading the headers of blocks reveals about a file.
type scan struct {
	header    fileHeader
	end       int64 // offset of the end of the last intact block
	blocks    int
	games     int64
	positions int64
}

// Count returns the number of games in a file of size bytes, up to the first damage. The
// error is that of reading, or of ctx once that is done.
func Count(ctx context.Context, r io.ReaderAt, size int64) (int64, error) {
	s, err := scanBlocks(ctx, r, size)
	if _, ok := errors.AsType[*DamageError](err); ok {
		err = nil
	}
	return s.games, err
}

// scanBlocks finds the end of the intact blocks. Damage at the end of the file
// is not an error, since the writer may have been interrupted; damage followed
// by an intact block is a *DamageError, and so is a header that is cut off. It ends with
// the error of ctx once that is done.
func scanBlocks(ctx context.Context, r io.ReaderAt, size int64) (scan, error) {
	find := finder{r: r, size: size}
	in := bufio.NewReaderSize(io.NewSectionReader(r, 0, size), 1<<16)
	var s scan
	var err error
	if s.header, s.end, err = readFileHeader(in); err != nil {
		if damage, ok := errors.AsType[*DamageError](err); ok && damage.Torn {
			next, findErr := find.next(ctx, 0)
			if findErr != nil {
				return s, findErr
			}
			damage.Torn = next < 0
		}
		return s, err
	}
	var buf []byte
	for {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		var b block
		b, buf, err = readBlock(in, buf)
		switch bad, ok := errors.AsType[*blockError](err); {
		case errors.Is(err, io.EOF):
			return s, nil
		case ok:
			next, err := find.next(ctx, s.end+1)
			if err != nil || next < 0 {
				return s, err
			}
			return s, &DamageError{Offset: s.end + int64(bad.at), Block: s.blocks, Game: s.games, Reason: bad.reason}
		case err != nil:
			return s, err
		}
		s.end += b.size()
		s.blocks++
		s.games += int64(b.games)
		s.positions += b.positions()
	}
}

// Recovery is the result of Recover.
type Recovery struct {
	Blocks, Games, Positions int64
	Lost                     int64 // bytes not copied
}

// gap begins the description of a file from which games are missing, so that its
// run is not continued: their numbers would be played again.
const gap = "games are missing; recovered from a file with this description:\n"

// Recover copies the intact blocks of a damaged file of size bytes, whose header
// must be intact, to w, until ctx is done. If blocks before the last are lost, the
// description says so.
func Recover(ctx context.Context, r io.ReaderAt, size int64, w io.Writer) (saved Recovery, err error) {
	header, at, err := readFileHeader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return saved, err
	}
	_, err = scanBlocks(ctx, r, size)
	if _, ok := errors.AsType[*DamageError](err); ok {
		header.description = gap + header.description[:min(len(header.description), maxDescription-len(gap))]
	} else if err != nil {
		return saved, err
	}
	buf, err := header.append(nil)
	if err != nil {
		return saved, err
	}
	if _, err := w.Write(buf); err != nil {
		return saved, err
	}
	for find := (finder{r: r, size: size}); at < size; {
		next, err := find.next(ctx, at)
		if err != nil {
			return saved, err
		}
		if next < 0 {
			next = size
		}
		saved.Lost += next - at
		at = next
		if at == size {
			break
		}
		var b block
		b, buf, err = readBlock(io.NewSectionReader(r, at, size-at), buf)
		if err != nil {
			return saved, err
		}
		if _, err := w.Write(buf); err != nil {
			return saved, err
		}
		at += b.size()
		saved.Blocks++
		saved.Games += int64(b.games)
		saved.Positions += b.positions()
	}
	return saved, nil
}
