package polyglot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/corpora"
	"skein/movegen"
	"skein/notation"
	"skein/position"
)

// parse reads a FEN and the square of its double step.
func parse(t testing.TB, fen string) (*position.Position, chess.Square) {
	t.Helper()
	p, err := position.Parse(fen, true)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	doubleStep, _ := chess.SquareOf(strings.Fields(fen)[3])
	return &p, doubleStep
}

// table returns the cells of a file of tab-separated values.
func table(t testing.TB, name string) [][]string {
	t.Helper()
	lines, err := corpora.Lines(corpora.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, line := range lines[1:] {
		rows = append(rows, strings.Split(line.Text, "\t"))
	}
	return rows
}

func TestKey(t *testing.T) {
	kinds := map[string]int{}
	for _, row := range table(t, "polyglot/zobrist-dev.tsv") {
		p, doubleStep := parse(t, row[0])
		want, err := strconv.ParseUint(row[1], 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := Key(p, doubleStep); got != want {
			t.Errorf("%s (%s): key %016x, want %016x", row[0], row[2], got, want)
		}
		kinds[row[2]]++
	}
	for _, kind := range []string{"canonical", "plain", "plain-960", "ep-legal", "ep-none", "ep-pseudo"} {
		if kinds[kind] == 0 {
			t.Errorf("no position of kind %s", kind)
		}
	}
}

func openBook(t testing.TB, name string) *Book {
	t.Helper()
	b, err := Open(corpora.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// TestBook looks up every entry of a book whose contents are known as text.
func TestBook(t *testing.T) {
	b := openBook(t, "polyglot/openings-cc0.bin")
	rows := table(t, "polyglot/openings-cc0.tsv")
	if b.Len() != len(rows) || len(rows) < 500 {
		t.Fatalf("%d entries, want %d", b.Len(), len(rows))
	}
	for i := 0; i < len(rows); {
		p, doubleStep := parse(t, rows[i][0])
		got, err := b.Moves(p, doubleStep)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for first := i; i < len(rows) && rows[i][0] == rows[first][0]; i++ {
			want = append(want, rows[i][2]+" "+rows[i][3])
		}
		var have []string
		for _, e := range got {
			have = append(have, fmt.Sprintf("%s %d", notation.FormatUCI(e.Move, false), e.Weight))
		}
		if strings.Join(have, ", ") != strings.Join(want, ", ") {
			t.Errorf("%s: %v, want %v", rows[i-1][0], have, want)
		}
	}
	p, _ := parse(t, "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
	if entries, err := b.Moves(p, chess.NoSquare); len(entries) > 0 || err != nil {
		t.Errorf("moves of a bare king: %v, %v", entries, err)
	}
}

// entry makes an entry of a book.
func entry(p *position.Position, move, weight uint16) []byte {
	key := Key(p, chess.NoSquare)
	b := make([]byte, 0, entrySize)
	for shift := 56; shift >= 0; shift -= 8 {
		b = append(b, byte(key>>shift))
	}
	return append(b, byte(move>>8), byte(move), byte(weight>>8), byte(weight), 0, 0, 0, 7)
}

// eagerReader returns io.EOF with the last bytes instead of after them.
type eagerReader struct{ *bytes.Reader }

func (r eagerReader) ReadAt(b []byte, at int64) (int, error) {
	n, err := r.Reader.ReadAt(b, at)
	if at+int64(n) == r.Size() {
		err = io.EOF
	}
	return n, err
}

func TestMoves(t *testing.T) {
	square := func(from, to string, promotion uint16) uint16 {
		f, _ := chess.SquareOf(from)
		s, _ := chess.SquareOf(to)
		return promotion<<12 | uint16(f)<<6 | uint16(s)
	}
	p, _ := parse(t, "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1")
	var file []byte
	for _, move := range []uint16{square("e1", "h1", 0), square("e1", "c1", 0), square("a7", "a8", 4),
		square("a7", "a8", 1), square("a7", "a8", 0), square("a7", "a8", 5), square("a1", "b1", 6),
		square("h8", "h1", 0), 0} {
		file = append(file, entry(p, move, 9)...)
	}
	b, err := New(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := New(eagerReader{bytes.NewReader(file)}, int64(len(file))); err != nil {
		t.Error(err)
	} else if _, err := again.Moves(p, chess.NoSquare); err != nil {
		t.Errorf("io.EOF with the last entry: %v", err)
	}
	entries, err := b.Moves(p, chess.NoSquare)
	want := []chess.Move{chess.NewCastling(chess.E1, chess.H1), chess.NewCastling(chess.E1, chess.A1),
		chess.NewPromotion(48, chess.A8, chess.Queen), chess.NewPromotion(48, chess.A8, chess.Knight)}
	if err != nil || len(entries) != len(want) {
		t.Fatalf("got %v, %v, want %v", entries, err, want)
	}
	for i, e := range entries {
		if e != (Entry{want[i], 9, 7}) {
			t.Errorf("got %v, want %v", e, want[i])
		}
	}
}

func TestPick(t *testing.T) {
	entries := []Entry{{1, 2, 0}, {2, 0, 0}, {3, 5, 0}}
	times := map[chess.Move]int{}
	for i := range uint64(70) {
		times[Pick(entries, i)]++
	}
	if times[1] != 20 || times[2] != 0 || times[3] != 50 {
		t.Errorf("picked %v", times)
	}
	for _, none := range [][]Entry{nil, {{1, 0, 0}}} {
		if m := Pick(none, 5); m != chess.NoMove {
			t.Errorf("picked %v of %v", m, none)
		}
	}
}

// brokenReader fails.
type brokenReader struct{}

var errBroken = errors.New("broken")

func (brokenReader) ReadAt([]byte, int64) (int, error) { return 0, errBroken }

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "odd.bin")
	if err := os.WriteFile(path, make([]byte, 17), 0o644); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty.bin")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{path: "odd.bin: not a PolyGlot book: size 17", dir: "not a regular file",
		empty: "empty.bin: not a PolyGlot book: it is empty", filepath.Join(dir, "none"): "none"} {
		if b, err := Open(path); b != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", path, b, err)
		}
	}
	if b, err := New(brokenReader{}, -16); b != nil || err == nil {
		t.Errorf("a book of -16 bytes: %v, %v", b, err)
	}
	b, err := New(brokenReader{}, 160)
	if err != nil {
		t.Fatal(err)
	}
	p := position.Start()
	if _, err := b.Moves(&p, chess.NoSquare); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	if b, err = New(bytes.NewReader(nil), 160); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Moves(&p, chess.NoSquare); !errors.Is(err, io.EOF) {
		t.Errorf("shorter than its size: error %v", err)
	}
}

// TestTruncated looks up a position in a book whose file has become shorter.
func TestTruncated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book.bin")
	if err := os.WriteFile(path, make([]byte, 4*entrySize), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := os.Truncate(path, entrySize); err != nil {
		t.Fatal(err)
	}
	p := position.Start()
	_, err = b.Moves(&p, chess.NoSquare)
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
}

// TestClose leaves the file of the caller open.
func TestClose(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "book.bin"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(make([]byte, entrySize)); err != nil {
		t.Fatal(err)
	}
	shared, err := New(f, entrySize)
	if err != nil {
		t.Fatal(err)
	}
	owned, err := Open(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(shared.Close(), owned.Close()); err != nil {
		t.Error(err)
	}
	p := position.Start()
	if _, err := shared.Moves(&p, chess.NoSquare); err != nil {
		t.Errorf("the file of the caller: %v", err)
	}
	if _, err := owned.Moves(&p, chess.NoSquare); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the file of the book: %v", err)
	}
}

// FuzzBook looks up a position in a file of anything, behind an entry of it.
func FuzzBook(f *testing.F) {
	f.Add([]byte{}, uint8(0), uint16(0x031c))
	f.Add(make([]byte, 160), uint8(1), uint16(0x0107))
	fens := []string{position.StartFEN, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
		"1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 1", "8/P7/8/8/8/8/8/k1K5 w - - 0 1"}
	f.Fuzz(func(t *testing.T, data []byte, i uint8, move uint16) {
		p, doubleStep := parse(t, fens[int(i)%len(fens)])
		file := append(entry(p, move, 1), data...)
		b, err := New(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		entries, err := b.Moves(p, doubleStep)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !movegen.IsLegal(p, e.Move) {
				t.Errorf("%v is illegal", e.Move)
			}
		}
		if m := Pick(entries, uint64(move)); m != chess.NoMove && !movegen.IsLegal(p, m) {
			t.Errorf("%v was picked", m)
		}
	})
}

// TestDoubleStep checks the squares that moves skip, and that the key after 1. e4 Nf6
// 2. e5 d5, in which White may capture en passant, needs it.
func TestDoubleStep(t *testing.T) {
	p := position.Start()
	skipped := chess.NoSquare
	for _, tt := range []struct{ move, skipped string }{
		{"e2e4", "e3"}, {"g8f6", "-"}, {"e4e5", "-"}, {"d7d5", "d6"},
	} {
		m, err := notation.ParseUCI(&p, tt.move)
		if err != nil {
			t.Fatal(err)
		}
		if skipped = DoubleStep(&p, m); skipped.String() != tt.skipped {
			t.Errorf("%s skips %v, want %s", tt.move, skipped, tt.skipped)
		}
		p = p.After(m)
	}
	if Key(&p, skipped) == Key(&p, chess.NoSquare) {
		t.Error("the key is that without the capture en passant")
	}
}
