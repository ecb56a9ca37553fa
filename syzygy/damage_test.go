package syzygy

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"skein/chess"
	"skein/internal/corpora"
	"skein/position"
)

// damaged are the files that tests do harm to.
var damaged = []string{"KPvK.rtbw", "KQvK.rtbz", "KRvKB.rtbz", "KPPvK.rtbw", "KQvKQ.rtbw", "KPvK.rtbz"}

func ending(t testing.TB, name string) material {
	t.Helper()
	c := endings()
	number, ok := c.numbers[name]
	if !ok {
		t.Fatalf("there is no ending %s", name)
	}
	return c.endings[number]
}

// randomBoard puts the men of m on random squares, with kings that do not
// touch and pawns where they can be.
func randomBoard(rng *rand.Rand, m material) *board {
	for {
		b := board{material: m, side: chess.Color(rng.IntN(2)), enPassant: chess.NoSquare}
		occupied, ok := chess.Bitboard(0), true
		for _, c := range [2]chess.Color{chess.White, chess.Black} {
			for kind := chess.Pawn; kind <= chess.King; kind++ {
				for range m.count(c, kind) {
					s := chess.Square(rng.IntN(64))
					ok = ok && !occupied.Has(s) && (kind != chess.Pawn || !(chess.Rank1 | chess.Rank8).Has(s))
					occupied |= s.Bit()
					b.men[c][kind] |= s.Bit()
					b.of[c] |= s.Bit()
				}
			}
		}
		white, black := b.men[chess.White][chess.King].First(), b.men[chess.Black][chess.King].First()
		if ok && !chess.KingAttacks(white).Has(black) {
			return &b
		}
	}
}

// probeRandomly reads n random values of a table; it is enough that nothing
// breaks.
func probeRandomly(rng *rand.Rand, tab *table, m material, n int) {
	for range n {
		b := randomBoard(rng, m)
		sub, i, ok := tab.locate(b)
		switch {
		case !ok:
		case tab.dtz:
			for _, v := range []WDL{Loss, BlessedLoss, CursedWin, Win} {
				_, _ = sub.distance(i, v)
			}
		default:
			_, _ = sub.pairs.at(i)
		}
	}
}

// harm changes a few bytes, as often as not in the headers, or the length.
func harm(rng *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	switch rng.IntN(20) {
	case 0:
		return slices.Clip(data[:rng.IntN(len(data))])
	case 1:
		return slices.Clip(data[:len(data)-64*rng.IntN(1+len(data)/64)])
	}
	end := len(data)
	if rng.IntN(2) == 0 {
		end = min(end, 8<<rng.IntN(9))
	}
	for range 1 + rng.IntN(8) {
		data[rng.IntN(end)] = byte(rng.Uint32())
	}
	return data
}

// TestDamage harms each of several files a thousand times and reads from what
// can still be opened: no panic, no end.
func TestDamage(t *testing.T) {
	opened, noticed := 0, 0
	for seed, name := range damaged {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		original := read(t, name)
		base, suffix, _ := strings.Cut(name, ".")
		m := ending(t, base)
		for range 1000 {
			data := harm(rng, original)
			tab, err := parse(data, m, "."+suffix == suffixDTZ)
			if err == nil {
				opened++
				probeRandomly(rng, tab, m, 50)
			}
			end := len(data) - checksumSize
			if err != nil || checksum(data[:end]) != [checksumSize]byte(data[end:]) {
				noticed++
			} else if !bytes.Equal(data, original) {
				t.Errorf("%s: damage goes unnoticed", name)
			}
		}
	}
	if opened < 500 || noticed < 5000 {
		t.Errorf("%d of the files could be opened, of %d the damage was noticed", opened, noticed)
	}
}

// TestHeaders changes bytes of headers, and expects errors that say what is wrong.
func TestHeaders(t *testing.T) {
	var tree []byte // symbols that are pairs of the next one: the first has 512 values
	for i := range byte(9) {
		tree = append(tree, i+1, (i+1)<<4, 0)
	}
	tree = append(tree, 0, 0xf0, 0xff)
	for _, test := range []struct {
		name  string
		at    int
		bytes []byte
		want  string
	}{
		{"KRvK.rtbz", 4, []byte{0}, "not the layout of KRvK"},
		{"KRvK.rtbz", 5, []byte{3}, "invalid order of men"},
		{"KRvK.rtbz", 6, []byte{whiteKing}, "not the men of KRvK"}, // two of White's
		{"KPPvK.rtbw", 6, []byte{0x11, 0x66, 0x11, 0xee}, "not the men of KPPvK"},
		{"KRvKB.rtbw", 6, []byte{0xcb, 0x6e, 0x36, 0xe4}, "not the men of KRvKB"}, // one side with exchanged colors
		{"KPvKP.rtbw", 13, []byte{0x99, 0x11}, "not the men of KPvKP"},            // led by Black's pawn on one file
		{"KRvK.rtbz", 11, []byte{17}, "blocks of 2^17 bytes"},
		{"KRvK.rtbz", 12, []byte{0}, "index for 2^0 values"},
		{"KRvK.rtbz", 12, []byte{31}, "index for 2^31 values"},
		{"KRvK.rtbz", 18, []byte{33}, "codes of 6 to 33 bits"},
		{"KRvK.rtbz", 19, []byte{0}, "codes of 0 to 13 bits"},
		{"KRvK.rtbz", 19, []byte{14}, "codes of 14 to 13 bits"},
		{"KRvK.rtbz", 20, []byte{0xff, 0xff}, "no Huffman code"}, // more codes of six bits than there are
		{"KRvK.rtbz", 30, []byte{0, 0}, "no Huffman code"},       // of eleven -4
		{"KRvK.rtbz", 30, []byte{3, 0}, "no Huffman code"},       // -1
		{"KRvK.rtbz", 36, []byte{0, 0x10}, "corrupt: 4096 symbols"},
		{"KRvK.rtbz", 38, []byte{0, 0, 0}, "not trees of at most 256 values"}, // a pair of itself
		{"KRvK.rtbz", 38, []byte{0xfe, 0x0f, 0}, "not trees of at most 256 values"},
		{"KRvK.rtbz", 38, tree, "not trees of at most 256 values"},
	} {
		data := append(read(t, test.name), make([]byte, 1<<13)...)
		copy(data[test.at:], test.bytes)
		base, suffix, _ := strings.Cut(test.name, ".")
		_, err := parse(data, ending(t, base), "."+suffix == suffixDTZ)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %x at %d: error %v, want %q", test.name, test.bytes, test.at, err, test.want)
		}
	}
}

// TestMissingBlock has lengths of more blocks than there are.
func TestMissingBlock(t *testing.T) {
	data := read(t, "KRvK.rtbz")
	data[13]++
	data[14]--
	tab, err := parse(data, ending(t, "KRvK"), true)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := tab.subtables[0][0].pairs.at(threeMenSize - 1); err != errData {
		t.Errorf("value %d, error %v", v, err)
	}
}

// TestConstantDistance reads a table of equal distances: they are 0, whatever byte
// is in the place of a value.
func TestConstantDistance(t *testing.T) {
	data := read(t, "KBvK.rtbz")
	data[11] = 9
	tab, err := parse(data, ending(t, "KBvK"), true)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := tab.subtables[0][0].distance(0, Win); n != 0 || err != nil {
		t.Errorf("distance %d, %v", n, err)
	}
}

// FuzzParse reads from whatever can be opened.
func FuzzParse(f *testing.F) {
	for _, name := range damaged {
		base, suffix, _ := strings.Cut(name, ".")
		f.Add(read(f, name), base, "."+suffix == suffixDTZ)
	}
	f.Fuzz(func(t *testing.T, data []byte, name string, dtz bool) {
		number, ok := endings().numbers[name]
		if !ok {
			return
		}
		m := endings().endings[number]
		if tab, err := parse(slices.Clip(data), m, dtz); err == nil {
			probeRandomly(rand.New(rand.NewPCG(1, 2)), tab, m, 100)
		}
	})
}

// reports collects errors.
type reports struct {
	mu   sync.Mutex
	errs []error
}

func (r *reports) add(err error) {
	r.mu.Lock()
	r.errs = append(r.errs, err)
	r.mu.Unlock()
}

func mustParse(t testing.TB, fen string) *position.Position {
	t.Helper()
	p, err := position.Parse(fen, false)
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

// TestBadFiles probes with files of each kind that is of no use. Each is named
// once, with the right reason, and probes that do not need it succeed.
func TestBadFiles(t *testing.T) {
	const kqk, krk, kpk = "8/8/8/8/8/2k5/8/K6Q w - - 0 1", "8/8/8/8/8/2k5/8/K6R w - - 0 1",
		"8/8/8/8/8/7k/1P6/K7 w - - 0 1"
	for _, test := range []struct {
		name   string
		do     func(path string) error
		reason error
		text   string
	}{
		{"missing", os.Remove, ErrMissing, "KRvK.rtbw: missing"},
		{"empty", func(path string) error { return os.Truncate(path, 0) }, errTruncated, "size of 0 bytes"},
		{"truncated", func(path string) error { return os.Truncate(path, 100) }, errTruncated, "size of 100 bytes"},
		{"truncated evenly", func(path string) error { return os.Truncate(path, 80) }, errTruncated, ": truncated"},
		{"another's name", func(path string) error { return os.WriteFile(path, read(t, "KPvK.rtbw"), 0o666) }, nil,
			"not the layout of KRvK"},
		{"another kind", func(path string) error { return os.WriteFile(path, read(t, "KRvK.rtbz"), 0o666) }, nil,
			"begins with"},
		{"a folder", func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o777)) }, nil,
			"not a regular file"},
		{"one bit", func(path string) error {
			data := read(t, "KRvK.rtbw")
			data[len(data)-20] ^= 1
			return os.WriteFile(path, data, 0o666)
		}, ErrChecksum, "checksum"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := CopyFiles(t, "KQvK.rtbw", "KRvK.rtbw", "KPvK.rtbw")
			if err := test.do(filepath.Join(dir, "KRvK.rtbw")); err != nil {
				t.Fatal(err)
			}
			var r reports
			tables := Open(dir, r.add)
			defer tables.Close()
			for range 3 {
				for _, fen := range []string{kqk, kpk} {
					if v, err := tables.ProbeWDL(mustParse(t, fen)); v != Win || err != nil {
						t.Errorf("%s: %v, %v", fen, v, err)
					}
				}
				v, err := tables.ProbeWDL(mustParse(t, krk))
				if v != Draw || err == nil {
					t.Errorf("%s: %v, %v", krk, v, err)
				}
				if test.reason != nil && !errors.Is(err, test.reason) {
					t.Errorf("error is %v, want %v", err, test.reason)
				}
			}
			if len(r.errs) != 1 || strings.Count(r.errs[0].Error(), "KRvK.rtbw") != 1 ||
				!strings.Contains(r.errs[0].Error(), test.text) {
				t.Errorf("reported: %v, want one with %q", r.errs, test.text)
			}
		})
	}
}

// TestCondemn meets corrupt data in a file that is too large to be checked as a
// whole: it is named once and used no more.
func TestCondemn(t *testing.T) {
	dir := CopyFiles(t, "KQvK.rtbw")
	data := read(t, "KPvK.rtbw")
	for i := len(data) - 16 - 64*8; i < len(data)-16; i++ {
		data[i] = 0xff
	}
	writeFile(t, dir, "KPvK.rtbw", data)
	var r reports
	tables := Open(dir, r.add)
	defer tables.Close()
	tables.verified = 0
	p := mustParse(t, "8/8/8/8/8/7k/1P6/K7 w - - 0 1")
	rng := rand.New(rand.NewPCG(1, 1))
	var first error
	for range 2000 {
		b := randomBoard(rng, ending(t, "KPvK"))
		_, err := tables.lookUp(b)
		if first == nil {
			first = err
		} else if err != first {
			t.Fatalf("error %v after %v", err, first)
		}
	}
	if _, err := tables.ProbeWDL(p); first == nil || err != first || !errors.Is(err, errData) {
		t.Errorf("errors: %v, %v", first, err)
	}
	if len(r.errs) != 1 {
		t.Errorf("reported: %v", r.errs)
	}
	if err := tables.Verify(); err == nil || strings.Count(err.Error(), "KPvK.rtbw") != 1 ||
		strings.Contains(err.Error(), "KQvK") {
		t.Errorf("Verify: %v", err)
	}
}

// TestVerify finds the files of the test data as they were made.
func TestVerify(t *testing.T) {
	if err := Open(corpora.Path("syzygy"), nil).Verify(); err != nil {
		t.Error(err)
	}
}

// fen writes b as a FEN.
func fen(b *board) string {
	var letters [64]byte
	for c := range b.men {
		for kind, men := range b.men[c] {
			for men != 0 {
				letters[men.Pop()&63] = chess.MakePiece(chess.Color(c), chess.PieceType(kind)).Letter()
			}
		}
	}
	return BoardFEN(&letters) + " " + "wb"[b.side:b.side+1] + " - - 0 1"
}
