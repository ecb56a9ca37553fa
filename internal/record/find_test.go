package record

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"skein/rules"
)

// claims returns n headers of blocks that are not there, each of which claims as many
// bytes as a block can have.
func claims(n int) []byte {
	header := binary.LittleEndian.AppendUint32([]byte(blockMagic), maxPayload-(maxPayload-minGameSize)%plySize)
	header = binary.LittleEndian.AppendUint32(header, 1)
	return bytes.Repeat(append(header, make([]byte, 8)...), n)
}

// sealed returns a block of n games without moves.
func sealed(t *testing.T, n int) []byte {
	t.Helper()
	b := make([]byte, blockHeaderSize)
	for range n {
		var err error
		if b, err = appendGame(b, &Game{Start: endgame(t), Result: rules.Draw}); err != nil {
			t.Fatal(err)
		}
	}
	seal(b, n)
	return b
}

// header returns the header of a file.
func header(t *testing.T) []byte {
	t.Helper()
	b, err := fileHeader{}.append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt
	read int64
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, at)
	c.read += int64(n)
	return n, err
}

// TestClaims recovers a file full of headers that claim long blocks, and reads only a few
// times as many bytes as it has.
func TestClaims(t *testing.T) {
	block := sealed(t, 3)
	data := slices.Concat(header(t), claims(1000), block, claims(10000), block, claims(200_000))
	r := &counted{ReaderAt: bytes.NewReader(data)}
	saved, err := Recover(t.Context(), r, int64(len(data)), io.Discard)
	want := Recovery{Blocks: 2, Games: 6, Lost: int64(len(claims(211_000)))}
	if err != nil || saved != want || r.read > 4*int64(len(data)) {
		t.Errorf("%+v instead of %+v after %d bytes of %d: %v", saved, want, r.read, len(data), err)
	}
}

// stopping ends a context when the first claim has been read.
type stopping struct {
	io.ReaderAt
	cancel func()
}

func (s stopping) ReadAt(b []byte, at int64) (int, error) {
	n, err := s.ReaderAt.ReadAt(b, at)
	if bytes.Contains(b[:n], []byte(blockMagic)) {
		s.cancel()
	}
	return n, err
}

// TestInterrupted ends the search for blocks.
func TestInterrupted(t *testing.T) {
	data := slices.Concat(header(t), claims(10), sealed(t, 1))
	ctx, cancel := context.WithCancel(t.Context())
	r := stopping{bytes.NewReader(data), cancel}
	var damage *DamageError
	if _, err := scanBlocks(ctx, r, int64(len(data))); !errors.Is(err, context.Canceled) || errors.As(err, &damage) {
		t.Errorf("error %v", err)
	}
	find := finder{r: r, size: int64(len(data))}
	if at, err := find.next(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("found %d, error %v", at, err)
	}
	name := filepath.Join(t.TempDir(), "x.skr")
	for _, data := range [][]byte{data, slices.Concat(header(t), sealed(t, 1))} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Open(ctx, name, ""); !errors.Is(err, context.Canceled) {
			t.Errorf("%d bytes: error %v", len(data), err)
		}
		if after, err := os.ReadFile(name); err != nil || !bytes.Equal(after, data) {
			t.Errorf("%d bytes: the file was changed: %v", len(data), err)
		}
	}
}

// TestFind finds the blocks among random bytes and claims, at every distance from the end
// of what is read at once, and none of those that are damaged.
func TestFind(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	block, damaged := sealed(t, 100), sealed(t, 100)
	damaged[len(damaged)-1]++
	var data []byte
	var blocks []int64
	for len(data) < 5*window {
		gap := random.IntN(maxBlock)
		for range gap {
			data = append(data, byte(random.Uint32()))
		}
		data = slices.Concat(data, claims(random.IntN(3)), damaged[:random.IntN(len(damaged))], damaged)
		blocks = append(blocks, int64(len(data)))
		data = append(data, block...)
	}
	find := finder{r: bytes.NewReader(data), size: int64(len(data))}
	from := int64(0)
	for _, want := range append(blocks, -1) {
		at, err := find.next(t.Context(), from)
		if err != nil || at != want {
			t.Fatalf("found %d instead of %d: %v", at, want, err)
		}
		from = at + int64(len(block))
	}
}

// TestFindAtWindowEnd has a block begin at each of the last bytes that are read at once.
func TestFindAtWindowEnd(t *testing.T) {
	block := sealed(t, 1)
	zeros := make([]byte, window)
	for before := range len(block) + 1 {
		at := int64(len(zeros) - before)
		data := slices.Concat(zeros[:at], block)
		find := finder{r: bytes.NewReader(data), size: int64(len(data))}
		if got, err := find.next(t.Context(), 0); err != nil || got != at {
			t.Errorf("found %d instead of %d: %v", got, at, err)
		}
	}
}

// TestApart compares checksums that are updated with the same bytes.
func TestApart(t *testing.T) {
	data := make([]byte, maxPayload)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	for _, n := range []int{0, 1, 2, 3, 255, 256, 257, 1000, maxPayload - 1, maxPayload} {
		a, b := random.Uint32(), random.Uint32()
		if got, want := apart(a^b, n), update(a, data[:n])^update(b, data[:n]); got != want {
			t.Errorf("%d bytes: %08x, want %08x", n, got, want)
		}
	}
}
