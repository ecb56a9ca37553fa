package record_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/internal/record"
)

// damageOf returns the error as a *DamageError.
func damageOf(t *testing.T, err error) *record.DamageError {
	t.Helper()
	var damage *record.DamageError
	if !errors.As(err, &damage) {
		t.Fatalf("%v is not a DamageError", err)
	}
	return damage
}

// TestTorn truncates a file at every byte of its last block: the games before
// are read, and appending the lost ones restores the file.
func TestTorn(t *testing.T) {
	list := games(t, 9, 6)
	whole := contents(t, write(t, list, 3))
	last := bytes.LastIndex(whole, []byte("SkBl"))
	name := filepath.Join(t.TempDir(), "torn.skr")
	for size := last; size < len(whole); size++ {
		got, err := read(whole[:size])
		if size == last {
			if err != nil {
				t.Error(err)
			}
		} else if d := damageOf(t, err); !d.Torn || d.Offset != int64(size) || d.Block != 2 || d.Game != 6 {
			t.Errorf("cut at %d: %+v", size, d)
		}
		if err := same(got, list[:6]); err != nil {
			t.Errorf("cut at %d: %v", size, err)
		}

		if err := os.WriteFile(name, whole[:size], 0o666); err != nil {
			t.Fatal(err)
		}
		w, torn, err := record.Append(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if w.Games() != 6 || torn != int64(size-last) {
			t.Errorf("cut at %d: %d games, %d bytes torn", size, w.Games(), torn)
		}
		add(t, w, list[6:], 3)
		if !bytes.Equal(contents(t, name), whole) {
			t.Errorf("cut at %d and continued, the file differs", size)
		}
	}
}

// TestTornHeader truncates a file within its header, where Open starts again.
func TestTornHeader(t *testing.T) {
	list := games(t, 3, 6)
	whole := contents(t, write(t, list, 0))
	name := filepath.Join(t.TempDir(), "torn.skr")
	for size := range bytes.Index(whole, []byte("SkBl")) {
		if _, err := read(whole[:size]); !damageOf(t, err).Torn {
			t.Errorf("cut at %d: %v", size, err)
		}
		if err := os.WriteFile(name, whole[:size], 0o666); err != nil {
			t.Fatal(err)
		}
		w, torn, err := record.Open(t.Context(), name, "a test")
		if err != nil {
			t.Fatal(err)
		}
		if torn != int64(size) {
			t.Errorf("cut at %d: %d bytes torn", size, torn)
		}
		add(t, w, list, 0)
		if !bytes.Equal(contents(t, name), whole) {
			t.Errorf("cut at %d and started again, the file differs", size)
		}
	}
}

// TestDamagedHeader reads a header that claims to be longer than the file. Open must
// not take it for one whose writing was interrupted, as games follow.
func TestDamagedHeader(t *testing.T) {
	name := write(t, games(t, 3, 6), 0)
	damaged := contents(t, name)
	binary.LittleEndian.PutUint32(damaged[12:], uint32(len(damaged)))
	if err := os.WriteFile(name, damaged, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := record.Open(t.Context(), name, "a test"); damageOf(t, err).Torn {
		t.Error(err)
	}
	if !bytes.Equal(contents(t, name), damaged) {
		t.Error("the file was changed")
	}
}

// TestForeign checks that Open does not change files of other kinds.
func TestForeign(t *testing.T) {
	name := filepath.Join(t.TempDir(), "letter.txt")
	for text, want := range map[string]string{
		"x":        "not a file of games",
		"Dear Sir": "not a file of games",
		"SkeinRec\x02\x00and more of a later version": "version 2 of the format is not 1",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := record.Open(t.Context(), name, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
		if got := string(contents(t, name)); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestTwoWriters writes to one file with two writers: the second one to write
// must return an error.
func TestTwoWriters(t *testing.T) {
	list := games(t, 3, 6)
	name := write(t, list[:1], 0)
	var writers [2]*record.Writer
	for i := range writers {
		w, _, err := record.Append(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		writers[i] = w
		if err := w.Write(&list[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := writers[0].Close(); err != nil {
		t.Fatal(err)
	}
	if err := writers[1].Close(); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Error(err)
	}
	got, err := read(contents(t, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := same(got, list[:2]); err != nil {
		t.Error(err)
	}
}

// TestFlippedBits flips every bit of a file: the damage must be detected, and
// no other games than the written ones may be read.
func TestFlippedBits(t *testing.T) {
	list := games(t, 4, 6)
	whole := contents(t, write(t, list, 2))
	for i := range whole {
		for bit := range 8 {
			damaged := bytes.Clone(whole)
			damaged[i] ^= 1 << bit
			got, err := read(damaged)
			if err == nil {
				t.Fatalf("byte %d bit %d: not detected", i, bit)
			}
			damageOf(t, err)
			if len(got) != 0 && len(got) != 2 || same(got, list[:len(got)]) != nil {
				t.Fatalf("byte %d bit %d: other games, %v", i, bit, got)
			}
		}
	}
}

// TestRecover damages the middle block: Append must refuse, and Recover must
// copy the other blocks.
func TestRecover(t *testing.T) {
	list := games(t, 9, 6)
	dir := t.TempDir()
	whole := contents(t, write(t, list, 3))
	second := bytes.LastIndex(whole[:bytes.LastIndex(whole, []byte("SkBl"))], []byte("SkBl"))
	name := filepath.Join(dir, "damaged.skr")
	for i, spoil := range []func([]byte) []byte{
		func(b []byte) []byte { b[second+30]++; return b },
		func(b []byte) []byte { b[second]++; return b },                                 // its magic
		func(b []byte) []byte { b[second+5]++; return b },                               // its length
		func(b []byte) []byte { return append(b[:second+7:second+7], b[second+9:]...) }, // two bytes lost
	} {
		damaged := spoil(bytes.Clone(whole))
		if err := os.WriteFile(name, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		_, _, err := record.Open(t.Context(), name, "")
		if err == nil {
			t.Fatalf("damage %d: opened", i)
		}
		if d := damageOf(t, err); d.Block != 1 || d.Game != 3 || d.Torn {
			t.Errorf("damage %d: %+v", i, d)
		}
		if !bytes.Equal(contents(t, name), damaged) {
			t.Errorf("damage %d: the file was touched", i)
		}
		var saved bytes.Buffer
		recovery, err := record.Recover(t.Context(), bytes.NewReader(damaged), int64(len(damaged)), &saved)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read(saved.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := same(got, append(list[:3:3], list[6:]...)); err != nil {
			t.Errorf("damage %d: %v", i, err)
		}
		if recovery.Games != 6 || recovery.Blocks != 2 || recovery.Lost == 0 {
			t.Errorf("damage %d: %+v", i, recovery)
		}
		// Whoever would continue the file with its settings would play games of it again.
		r, err := record.NewReader(bytes.NewReader(saved.Bytes()))
		if err != nil || !strings.HasPrefix(r.Description(), "games are missing") {
			t.Errorf("damage %d: description %q, %v", i, r.Description(), err)
		}
	}
}

// TestRecoverTorn recovers a file whose last block is torn: no games before others are
// missing, so that its description, and with it its run, stays the same.
func TestRecoverTorn(t *testing.T) {
	whole := contents(t, write(t, games(t, 9, 6), 3))
	torn, last := whole[:len(whole)-1], bytes.LastIndex(whole, []byte("SkBl"))
	var saved bytes.Buffer
	recovery, err := record.Recover(t.Context(), bytes.NewReader(torn), int64(len(torn)), &saved)
	if err != nil || !bytes.Equal(saved.Bytes(), whole[:last]) || recovery.Lost != int64(len(torn)-last) {
		t.Errorf("%d bytes instead of %d, %+v, %v", saved.Len(), last, recovery, err)
	}
}

// TestBadGames reads blocks with correct checksums and damaged games.
func TestBadGames(t *testing.T) {
	list := games(t, 2, 0)
	for _, test := range []struct {
		at   int // in the second game
		with string
		want string
	}{
		{0, "\x00\x00\x00\x00\x00\x00\x00\x00", "start position: FEN: board"},
		{0, "\xff\xff\xff\xff\xff\xff\xff\xff", "64 men"},
		{8, "\x77", "code 7 is not a piece"},
		{24, "\x42", "not encoded canonically"},
		{26, "\x00\x00", "not encoded canonically"},
		{30, "\x03", "not a result"},
		{31, "\x63", "not a reason"},
		{32, "\x01\x00", "no end mark"},
		{32, "\x41\x00", "is not a move"},
		{34, "\x01", "end mark with a score"},
	} {
		name := record.WriteRaw(t, filepath.Join(t.TempDir(), "bad.skr"), list, func(payload []byte) {
			copy(payload[36+test.at:], test.with)
		})
		got, err := read(contents(t, name))
		d := damageOf(t, err)
		if !strings.Contains(d.Error(), test.want) || d.Game != 1 || d.Block != 0 || len(got) != 1 {
			t.Errorf("%q at %d: %v after %d games", test.with, test.at, d, len(got))
		}
		if at := int(d.Offset) - (16 + 4 + 20 + 36); at < 0 || at > 36 {
			t.Errorf("%q at %d: named %d", test.with, test.at, at)
		}
	}
}

// FuzzScan looks for the good blocks of anything: all of them, if the games can be
// read to the end.
func FuzzScan(f *testing.F) {
	whole := contents(f, write(f, games(f, 5, 8), 2))
	f.Add(whole)
	f.Add(append(append(bytes.Clone(whole[:90]), "SkBl"...), whole[90:]...))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range [][]byte{data, record.Reseal(data)} {
			found, scanErr := record.Scan(t.Context(), d)
			r, err := record.NewReader(bytes.NewReader(d))
			var g record.Game
			n := int64(-1)
			for ; err == nil; n++ {
				err = r.Read(&g)
			}
			if err == io.EOF && (scanErr != nil || found != n) {
				t.Errorf("%d games are found, %v, and %d read", found, scanErr, n)
			}
		}
	})
}

func FuzzReader(f *testing.F) {
	whole := contents(f, write(f, games(f, 5, 8), 2))
	f.Add(whole)
	f.Add(whole[:len(whole)-9])
	f.Add([]byte("SkeinRec\x01\x00\x00\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		// Without correct checksums a fuzzer would never reach a game.
		for _, d := range [][]byte{data, record.Reseal(data)} {
			r, err := record.NewReader(bytes.NewReader(d))
			var g record.Game
			for err == nil {
				if err = r.Read(&g); err == nil {
					record.CheckEncoding(t, &g)
				}
			}
			if n := record.Memory(r); n > 2*len(d)+1<<10 && n > 1<<21 {
				t.Errorf("%d bytes of memory for a file of %d", n, len(d))
			}
		}
	})
}

// TestUnknownKind keeps blocks of a kind that a later version may write.
func TestUnknownKind(t *testing.T) {
	data := contents(t, write(t, games(t, 9, 6), 3))
	last := data[bytes.LastIndex(data, []byte("SkBl")):]
	binary.LittleEndian.PutUint32(last[12:], 1)
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Update(crc32.Checksum(last[:16], castagnoli), castagnoli, last[20:])
	binary.LittleEndian.PutUint32(last[16:], sum)
	const want = "a block of kind 1, which this version does not know"
	if got, err := read(data); len(got) != 6 || err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("read %d games, error %v", len(got), err)
	}
	name := filepath.Join(t.TempDir(), "later.skr")
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := record.Append(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("appended with error %v", err)
	}
	if !bytes.Equal(contents(t, name), data) {
		t.Error("the file has changed")
	}
}
