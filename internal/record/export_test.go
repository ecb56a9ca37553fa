package record

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"skein/chess"
	"skein/position"
	"skein/rules"
)

// Append is Open for a file that exists, with any description.
func Append(ctx context.Context, name string) (w *Writer, torn int64, err error) {
	w, torn, err = load(ctx, name)
	if err == nil {
		w, err = w.resume()
	}
	return w, torn, err
}

// WriteRaw writes a file of one block whose payload is changed by spoil before
// the checksum is computed.
func WriteRaw(t *testing.T, name string, list []Game, spoil func(payload []byte)) string {
	t.Helper()
	data, err := fileHeader{"", chess.UnitsPerPawn}.append(nil)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, blockHeaderSize)
	for i := range list {
		if buf, err = appendGame(buf, &list[i]); err != nil {
			t.Fatal(err)
		}
	}
	spoil(buf[blockHeaderSize:])
	seal(buf, len(list))
	if err := os.WriteFile(name, append(data, buf...), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// Scan returns the number of games in the good blocks of a file.
func Scan(ctx context.Context, data []byte) (int64, error) {
	s, err := scanBlocks(ctx, bytes.NewReader(data), int64(len(data)))
	return s.games, err
}

// Reseal returns data with correct checksums of the header and the first
// blocks.
func Reseal(data []byte) []byte {
	if len(data) < fileHeaderSize {
		return data
	}
	out, _ := fileHeader{"", chess.UnitsPerPawn}.append(nil)
	rest := data[fileHeaderSize:]
	for len(rest) > blockHeaderSize {
		n := min(int(binary.LittleEndian.Uint16(rest[4:])), len(rest)-blockHeaderSize)
		games := int(rest[8])
		from := len(out)
		out = append(out, rest[:blockHeaderSize+n]...)
		rest = rest[blockHeaderSize+n:]
		seal(out[from:], games)
	}
	return out
}

// CheckEncoding fails the test unless the decoded game g survives encoding and
// decoding.
func CheckEncoding(t *testing.T, g *Game) {
	t.Helper()
	b, err := appendGame(nil, g)
	if err != nil {
		t.Fatal(err)
	}
	var again Game
	n, err := decodeGame(b, &again)
	if err != nil || n != len(b) ||
		again.Start != g.Start || again.Result != g.Result || len(again.Plies) != len(g.Plies) {
		t.Fatalf("%v became %v, %v", g, again, err)
	}
}

// Memory returns the size of the block buffer of r, which may be nil.
func Memory(r *Reader) int {
	if r == nil {
		return 0
	}
	return cap(r.buf)
}

// endgame returns a position with few men.
func endgame(t *testing.T) position.Position {
	t.Helper()
	p, err := position.Parse("7k/8/8/8/8/8/8/K3R3 w - - 0 1", true)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// disk is a file on a disk with free bytes left.
type disk struct {
	data []byte
	at   int
	free int
}

func (d *disk) Write(p []byte) (int, error) {
	n := min(len(p), d.free)
	d.data = append(d.data[:d.at], p[:n]...)
	d.at += n
	d.free -= n
	if n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func (d *disk) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		offset += int64(len(d.data))
	}
	d.at = int(offset)
	return offset, nil
}

func (d *disk) Name() string              { return "games.skr" }
func (d *disk) Truncate(size int64) error { d.data = d.data[:size]; return nil }
func (d *disk) Sync() error               { return nil }
func (d *disk) Close() error              { return nil }

// TestFullDisk writes two blocks to disks that are full after every number of
// bytes.
func TestFullDisk(t *testing.T) {
	header, _ := fileHeader{"", chess.UnitsPerPawn}.append(nil)
	g := Game{Start: endgame(t), Result: rules.Draw}
	const block = blockHeaderSize + minGameSize
	for free := range 2*block + 1 {
		d := &disk{data: append([]byte(nil), header...), at: len(header), free: free}
		w := newWriter(d, int64(len(header)))
		var err error
		for range 2 {
			if err == nil {
				err = w.Write(&g)
			}
			if err == nil {
				err = w.Flush()
			}
		}
		whole := free / block
		if len(d.data) != len(header)+whole*block || w.Games() != int64(whole) {
			t.Errorf("room for %d bytes: %d bytes and %d games in the file", free, len(d.data), w.Games())
		}
		if (whole < 2) != errors.Is(err, syscall.ENOSPC) {
			t.Errorf("room for %d bytes: error %v", free, err)
		}
		if whole < 2 && (!errors.Is(w.Write(&g), syscall.ENOSPC) || !errors.Is(w.Close(), syscall.ENOSPC)) {
			t.Errorf("room for %d bytes: the error was not returned again", free)
		}
		r, err := NewReader(strings.NewReader(string(d.data)))
		n := 0
		for err == nil {
			if err = r.Read(&g); err == nil {
				n++
			}
		}
		if !errors.Is(err, io.EOF) || n != whole {
			t.Errorf("room for %d bytes: read %d games, %v", free, n, err)
		}
	}
}

// TestLongGame writes and reads games that fill almost a whole block, and one that is
// too long.
func TestLongGame(t *testing.T) {
	plies := make([]Ply, (maxPayload-minGameSize)/plySize+1)
	for i := range plies {
		plies[i].Move = 0x0040 // a1b1, legal or not
	}
	pos := endgame(t)
	header, err := fileHeader{}.append(nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &disk{free: 1 << 30, data: header}
	w := newWriter(d, int64(len(header)))
	short := Game{Start: pos, Result: rules.Draw}
	long := Game{Start: pos, Plies: plies[:len(plies)-1], Result: rules.Draw}
	tooLong := Game{Start: pos, Plies: plies, Result: rules.Draw}
	for _, g := range []*Game{&short, &long, &short} {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write(&tooLong); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Error("a game longer than a block:", err)
	}
	if err := w.Close(); err != nil || w.Games() != 3 {
		t.Error(w.Games(), err)
	}
	r, err := NewReader(bytes.NewReader(d.data))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		if err := r.Read(&Game{}); err != nil {
			t.Fatalf("game %d: %v", n+1, err)
		}
	}
}

// WithUnit changes the unit in the header of a file.
func WithUnit(t *testing.T, name string, unit int) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	h, size, err := readFileHeader(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	h.unit = unit
	header, err := h.append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(header, data[size:]...), 0o666); err != nil {
		t.Fatal(err)
	}
}
