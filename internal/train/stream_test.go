package train

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
)

// numbered writes a file of n records with scores first, first+1, ... modulo
// 30000 and alternately odd and even move numbers.
func numbered(t *testing.T, name string, first, n int) string {
	t.Helper()
	data := make([]byte, 0, n*record.EntrySize)
	for i := range n {
		e := endgame(1+i%2, chess.Score((first+i)%30000), rules.BlackWins)
		data = append(data, e[:]...)
	}
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// endgame returns an entry with bare kings at the given move number.
func endgame(move int, score chess.Score, result rules.Result) record.Packed {
	p, err := position.Parse("4k3/8/8/8/8/8/8/4K3 w - - 0 "+strconv.Itoa(move), true)
	if err != nil {
		panic(err)
	}
	e := record.Entry{Position: p, Score: score, Result: result}
	return e.Pack()
}

func open(t *testing.T, filter Filter, names ...string) *stream {
	t.Helper()
	s, err := openStream(names, filter.sieve(400))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s
}

// take returns the scores of the next n records.
func take(t *testing.T, s *stream, n int) []int {
	t.Helper()
	var scores []int
	for n > 0 {
		b := newBatch(min(n, 777))
		if err := s.fillBatch(t.Context(), b, -1); err != nil {
			t.Fatal(err)
		}
		for i := range b.records {
			scores = append(scores, int(b.records[i].Score()))
		}
		n -= len(b.records)
	}
	return scores
}

// TestStream expects every record once per pass, files in proportion, and the
// same order after seek.
func TestStream(t *testing.T) {
	sizes := []int{chunk*3 + 17, 0, 9001, 1}
	names := []string{
		numbered(t, "a.bin", 0, sizes[0]), numbered(t, "empty.bin", 0, 0),
		numbered(t, "b.bin", sizes[0], sizes[2]), numbered(t, "one.bin", sizes[0]+sizes[2], 1),
	}
	total := sizes[0] + sizes[2] + 1
	s := open(t, Filter{}, names...)
	all := take(t, s, 3*total)
	for pass := range 3 {
		seen := make([]bool, total)
		fromA := 0
		for i, x := range all[pass*total : (pass+1)*total] {
			if seen[x] {
				t.Fatalf("pass %d: record %d twice", pass, x)
			}
			seen[x] = true
			if x < sizes[0] {
				fromA++
			}
			if expected := float64(i) * float64(sizes[0]) / float64(total); math.Abs(float64(fromA)-expected) > chunk {
				t.Fatalf("pass %d: %d of the first %d records are of the first file", pass, fromA, i+1)
			}
		}
	}
	for _, start := range []int{0, 1, chunk - 1, chunk, chunk + 1, total - 1, total, total + 1, 2*total + chunk + 5} {
		again := open(t, Filter{}, names...)
		take(t, again, 100)
		if err := again.seek(int64(start)); err != nil {
			t.Fatal(err)
		}
		for i, x := range take(t, again, total-10) {
			if start+i < len(all) && x != all[start+i] {
				t.Fatalf("record %d from %d on: %d instead of %d", i, start, x, all[start+i])
			}
		}
	}
}

// TestStreamCopies names a file three times, once in another way: each third of a pass has
// every record of it once, with the same order after seek.
func TestStreamCopies(t *testing.T) {
	const size = 9001
	name, other := numbered(t, "a.bin", 0, size), numbered(t, "b.bin", size, 2000)
	names := []string{name, other, filepath.Dir(name) + "/./" + filepath.Base(name), name}
	all := take(t, open(t, Filter{}, names...), 2*(3*size+2000))
	counts, last := make([]int, size), make([]int, size)
	for i, x := range all {
		if x >= size {
			continue
		}
		if counts[x]++; counts[x] > 1 && i-last[x] < size/2 {
			t.Fatalf("record %d again after %d", x, i-last[x])
		}
		last[x] = i
	}
	for x, n := range counts {
		if n != 6 {
			t.Fatalf("record %d is read %d times", x, n)
		}
	}
	again := open(t, Filter{}, names...)
	const start = 3*size + 2000 + 7777
	if err := again.seek(start); err != nil {
		t.Fatal(err)
	}
	for i, x := range take(t, again, 10000) {
		if x != all[start+i] {
			t.Fatalf("record %d after seek: %d instead of %d", i, x, all[start+i])
		}
	}
}

// TestStreamFilter expects the records that pass the filter, and an error if
// none does.
func TestStreamFilter(t *testing.T) {
	name := numbered(t, "a.bin", 0, 10000)
	got := take(t, open(t, Filter{MaxScore: 99}, name), 250)
	for i, x := range got {
		if x != i%100 {
			t.Fatalf("record %d is %d", i, x)
		}
	}
	for i, x := range take(t, open(t, Filter{MinMove: 2}, name), 6000) {
		if x != (2*i+1)%10000 {
			t.Fatalf("record %d is %d", i, x)
		}
	}
	for _, start := range []int64{0, 5000, 10000, 15000} {
		s := open(t, Filter{MinMove: 3}, name, name)
		if err := s.seek(start); err != nil {
			t.Fatal(err)
		}
		if err := s.fillBatch(t.Context(), newBatch(5), -1); !errors.Is(err, errFiltered) {
			t.Errorf("from %d: error %v", start, err)
		}
	}
}

// TestStreamErrors expects errors that name the file and what is wrong with it.
func TestStreamErrors(t *testing.T) {
	cut := numbered(t, "cut.bin", 0, 10)
	if err := os.Truncate(cut, 3*record.EntrySize+5); err != nil {
		t.Fatal(err)
	}
	empty := numbered(t, "empty.bin", 0, 0)
	for _, test := range []struct{ name, want string }{
		{filepath.Join(t.TempDir(), "missing.bin"), "missing.bin"},
		{cut, "cut.bin: byte 96: the file ends within a record"},
		{empty, "no records"},
	} {
		if _, err := openStream([]string{test.name}, sieve{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v does not say %s", err, test.want)
		}
	}
	shorter := numbered(t, "shorter.bin", 0, 10000)
	s := open(t, Filter{}, shorter)
	if err := os.Truncate(shorter, 5000*record.EntrySize); err != nil {
		t.Fatal(err)
	}
	const want = "shorter.bin: byte 160000: the file has become shorter"
	if err := s.fillBatch(t.Context(), newBatch(9000), -1); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}

// TestBadRecords damages a record in the middle of the data (see
// docs/data-format.md for the offsets), and expects training and validation to
// name its place.
func TestBadRecords(t *testing.T) {
	const at = 5000
	for _, test := range []struct {
		name   string
		damage func(b *record.Packed)
		want   string
	}{
		{"men", func(b *record.Packed) { binary.LittleEndian.PutUint64(b[:], 1<<33-1) }, "33 men"},
		{"none", func(b *record.Packed) { *b = record.Packed{} }, "0 white and 0 black kings"},
		{"kings", func(b *record.Packed) { clear(b[8:24]) }, "0 white and 0 black kings"},
		{"piece", func(b *record.Packed) { b[8] |= 7 }, "is not a piece"},
		{"result", func(b *record.Packed) { b[30] = 3 }, "3 is not a result"},
	} {
		c := testConfig(t, shapes[0])
		data, err := os.ReadFile(c.Data[0])
		if err != nil {
			t.Fatal(err)
		}
		b := record.Packed(data[at*record.EntrySize:])
		test.damage(&b)
		copy(data[at*record.EntrySize:], b[:])
		bad := filepath.Join(t.TempDir(), "bad.bin")
		if err := os.WriteFile(bad, data, 0o666); err != nil {
			t.Fatal(err)
		}
		check := func(kind string, err error) {
			const want = "bad.bin: byte 160000: "
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %s: error %v does not say %s%s", test.name, kind, err, want, test.want)
			}
		}
		validation := c
		validation.Validation = bad
		trainer := newTrainer(t, validation)
		_, err = trainer.Validate(t.Context())
		check("validation", err)
		_, _, err = trainer.Quantize(t.Context())
		check("rounding", err)
		c.Data[0] = bad
		trainer = newTrainer(t, c)
		for err = nil; err == nil && !trainer.Done(); {
			_, err = trainer.Learn(t.Context(), quiet)
		}
		check("learning", err)
	}
}

// TestDecode compares decoded features with those of the position.
func TestDecode(t *testing.T) {
	for _, a := range shapes {
		for _, e := range entries(t, 10, 500) {
			b := e.Pack()
			var s sample
			if err := s.decode(&a, &b); err != nil {
				t.Fatal(err)
			}
			p := &e.Position
			men := p.Occupied().Count()
			dangers := bits.OnesCount64(uint64(a.Threatened(p).Dangers))
			if s.active != men+dangers || s.bucket != a.OutputBucket(men) {
				t.Errorf("%s: %d rows, bucket %d", p.FEN(), s.active, s.bucket)
			}
			sign, result := 1.0, float64(e.Result.HalfPoints())/2
			if p.SideToMove() != 0 {
				sign, result = -1, 1-result
			}
			if s.score != sign*float64(e.Score) || s.points != result {
				t.Errorf("%s: score %g, points %g", e.String(), s.score, s.points)
			}
		}
	}
}

// FuzzDecode expects errors or rows within the tables.
func FuzzDecode(f *testing.F) {
	for _, e := range entries(f, 11, 20) {
		b := e.Pack()
		f.Add(b[:])
	}
	a := shapes[1]
	a.Threats, a.Dangers = true, true
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < record.EntrySize {
			return
		}
		b := record.Packed(data)
		var s sample
		if err := s.decode(&a, &b); err != nil {
			return
		}
		if s.bucket < 0 || s.bucket >= a.OutputBuckets {
			t.Errorf("bucket %d", s.bucket)
		}
		for side := range s.rows {
			for _, row := range s.rows[side][:s.active] {
				if row < 0 || int(row) > (a.Rows()-1)*a.Width || int(row)%a.Width != 0 {
					t.Errorf("row %d", row)
				}
			}
		}
		// Entries that Unpack accepts can be decoded.
		e, err := b.Unpack()
		if men := e.Position.Occupied().Count(); err == nil && s.bucket != a.OutputBucket(men) {
			t.Errorf("bucket %d of %d men", s.bucket, men)
		}
	})
}
