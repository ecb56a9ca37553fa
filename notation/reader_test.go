package notation

import (
	"errors"
	"io"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// repetitive are inputs of one game whose size is a multiple of that of unit.
var repetitive = []struct{ name, begin, unit, end string }{
	{"comments after a move", "1. e4 ", "{ab}", " *"},
	{"comments before the first move", "[White \"a\"]\n", "{ab}", " 1. e4 *"},
	{"comments before the tags", "", "{ab}", "[White \"a\"]\n1. e4 *"},
	{"comments to the end of the line", "1. e4 ", ";ab\n", " *"},
	{"comments between variations", "1. e4 ", "{ab} (1. d4 {ab}) ", " *"},
	{"lines of a comment", "1. e4 {", "ab \r\n", "} *"},
	{"glyphs", "1. e4 ", "$1", " *"},
	{"variations", "1. e4 ", "(1. d4) ", " *"},
	{"nested variations", "1. e4 ", "(1. d4 ", " *"},
	{"invalid variations", "1. e4 ", "(1. e5) ", " *"},
	{"moves", "", "1. Nf3 Nf6 2. Ng1 Ng8 ", " *"},
	{"tags on one line", "", "[White \"a\"] ", " 1. e4 *"},
	{"brackets", "", "[", " 1. e4 *"},
	{"an endless tag", "[White \"", "a", ""},
	{"a move number", "", "1", " *"},
	{"a move", "N", "+", " *"},
}

// readText reads all games of text.
func readText(tb testing.TB, text string) {
	for _, err := range NewReader(strings.NewReader(text)).All() {
		var bad *PGNError
		if err != nil && !errors.As(err, &bad) {
			tb.Fatal(err)
		}
	}
}

// allocated returns the number of bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestReaderIsLinear compares the memory allocated for an input and for one eight
// times its size.
func TestReaderIsLinear(t *testing.T) {
	const factor, small = 8, 1 << 15
	for _, test := range repetitive {
		t.Run(test.name, func(t *testing.T) {
			bytes := func(size int) uint64 {
				text := test.begin + strings.Repeat(test.unit, size/len(test.unit)) + test.end
				return allocated(func() { readText(t, text) })
			}
			first, second := bytes(small), bytes(factor*small)
			if second > 2*factor*first {
				t.Errorf("%d bytes for %d bytes of input, %d for %d times as many", first, small, second, factor)
			}
		})
	}
}

// TestCommentsAreJoined reads comments that belong to the same move, before and
// after variations.
func TestCommentsAreJoined(t *testing.T) {
	const text = "{a} [White \"b\"] {c} 1. e4 {d} { } (1. d4 {e} {f} (1. c4 {g}) {h}) {i} ;j\n e5 * {k}"
	g, err := NewReader(strings.NewReader(text)).Read()
	if err != nil {
		t.Fatal(err)
	}
	e4, e5 := g.Main.Moves[0].Notes.Read(), g.Main.Moves[1].Notes.Read()
	d4 := e4.Variations[0].Moves[0].Notes.Read()
	c4 := d4.Variations[0].Moves[0].Notes.Read()
	for _, test := range []struct{ got, want string }{
		{g.Main.Comment, "a c"}, {e4.Comment, "d i j"}, {d4.Comment, "e f h"}, {c4.Comment, "g"}, {e5.Comment, "k"},
	} {
		if test.got != test.want {
			t.Errorf("comment %q, want %q", test.got, test.want)
		}
	}
}

// TestGamesOfTags reads games that have no moves, one after the other.
func TestGamesOfTags(t *testing.T) {
	const text = "[Event \"A\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n" +
		"[Event \"B\"]\n\n[Round \"2\"]\n\n1. d4 *\n"
	reader := NewReader(strings.NewReader(text))
	a, err := reader.Read()
	if err != nil || a.Tags.Get("Event") != "A" || len(a.Main.Moves) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
	b, err := reader.Read()
	if err != nil || len(b.Tags) != 2 || b.Tags.Get("Event") != "B" || len(b.Main.Moves) != 1 {
		t.Errorf("%+v, %v", b, err)
	}
}

// TestFaultsWithinMoves reads on after what is no move.
func TestFaultsWithinMoves(t *testing.T) {
	long := strings.Repeat("a ", maxComment)
	for text, want := range map[string]string{
		"1. e4 a6 2. e5 d5 3. exd6 e.p.+ cxd6 *":             "",
		"1. e4 $300 e5 2. Nf3 Nc6 3. Bb5 a6 *":               `"300" is no annotation glyph`,
		"1. e4 {" + long + "1-0 }\n e5 2. Nf3 a6 3. d4 d5 *": commentTooLong,
		"1. e4 ;" + long + "1-0\n e5 2. Nf3 a6 3. d4 d5 *":   commentTooLong,
	} {
		reader := NewReader(strings.NewReader(text))
		g, err := reader.Read()
		reason := ""
		if fault := (*PGNError)(nil); errors.As(err, &fault) {
			reason = fault.Reason
		}
		if reason != want || err != nil && reason == "" {
			t.Errorf("%.40s: error %v, want %q", text, err, want)
		}
		if len(g.Main.Moves) != 6 || len(g.Main.Moves[0].Notes.Read().NAGs) > 0 {
			t.Errorf("%.40s: %d moves", text, len(g.Main.Moves))
		}
		if _, err := reader.Read(); err != io.EOF {
			t.Errorf("%.40s: another game, %v", text, err)
		}
	}
}

// BenchmarkReadComments reads inputs of which each is twice as large as the one
// before; the throughput stays the same.
func BenchmarkReadComments(b *testing.B) {
	for _, size := range []int{1 << 15, 1 << 16, 1 << 17, 1 << 18} {
		for _, test := range repetitive {
			text := test.begin + strings.Repeat(test.unit, size/len(test.unit)) + test.end
			b.Run(test.name+"/"+strconv.Itoa(size), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					readText(b, text)
				}
			})
		}
	}
}

// TestSmallReads reads the same games byte by byte.
func TestSmallReads(t *testing.T) {
	type result struct {
		game *Game
		err  error
	}
	readGames := func(r io.Reader) (results []result) {
		for g, err := range NewReader(r).All() {
			results = append(results, result{g, err})
		}
		return results
	}
	whole, _ := library(t, 1)
	parts, _ := library(t, 1)
	want, got := readGames(whole), readGames(iotest.OneByteReader(parts))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d games differ from the %d read at once", len(got), len(want))
	}
}
