package notation

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"skein/position"
	"skein/rules"
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
	{"brackets among the moves", "1. e4 ", "[]", " *"},
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
	e4, e5 := g.Main.Moves[0].Notes.Value(), g.Main.Moves[1].Notes.Value()
	d4 := e4.Variations[0].Moves[0].Notes.Value()
	c4 := d4.Variations[0].Moves[0].Notes.Value()
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

// TestLayouts reads games whose tags, comments and results are not where they are
// in export format.
func TestLayouts(t *testing.T) {
	const pawn = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 %d\"]\n"
	for name, test := range map[string]struct {
		text, want string
	}{
		"comment between tags": {
			"[Event \"Club\"]\n; by J.\n[White \"A\"]\n{b}\n[Black \"B\"]\n\n{c} 1. e4 e5 1-0",
			"Event White Black: {by J. b c} e4 e5 1-0",
		},
		"comment not closed between tags": {
			"[White \"A\"]\n{a\n[Event \"B\"]\n\n1. e4 *",
			"White Event: {a} e4 * (game 1, line 2, column 1: the comment is not closed before the next game)",
		},
		"comments below the result": {
			"1. e4 1-0 {a} ;b\n{c}\n\n{d}\n[Event \"B\"]\n\n1. d4 *\n{e}",
			": e4 {a b c} 1-0\nEvent: {d} d4 {e} *",
		},
		"comment not closed after the result": {
			"1. e4 1-0 {a\n\n[Event \"B\"]\n\n1. d4 *",
			": e4 {a} 1-0 (game 1, line 1, column 11: the comment is not closed before the next game)\nEvent: d4 *",
		},
		"glyphs after the result": {"1. e4 * $1 !\n\n1. d4 *", ": e4 *\n: d4 *"},
		"what is left of a result": {
			"1. e4 1-0 1-0\n\n1. d4 1/2 - 1/2\n\n1. c4 0-1 (0-1) {a} -\n\n1. f4 *",
			": e4 1-0\n: d4 1/2-1/2\n: c4 0-1\n: {a} f4 *",
		},
		"results with a colon": {
			"[Result \"1:0\"]\n\n1. e4\n\n1. d4 0:1\n\n1. c4 ½:½\n\n1. f4 1/2:1/2",
			"Result: e4 1-0\n: d4 0-1\n: c4 1/2-1/2\n: f4 1/2-1/2",
		},
		"promotions in parentheses": {
			"[FEN \"8/P2k3P/8/8/8/8/p6K/8 w - - 0 1\"]\n\n1. a8(Q) a1(N)+ (1... a1(q)) 2. h8(Q8) Kc7 *",
			"FEN: a8=Q a1=N (a1=Q) * (game 1, line 3, column 33: move \"h8\": illegal: the promotion is missing)",
		},
		"results without a blank before them": {
			"1. e4 e5*\n\n1. d4 (1. c4*) d5 2. Nf3*\n", ": e4 e5 *\n: d4 (c4) d5 Nf3 *",
		},
		"the next game on the line of a result": {"1. e4 1-0 1. d4 0-1", ": e4 1-0\n: d4 0-1"},
		"a game of a result":                    {"1-0\n\n1. e4 *", ": 1-0\n: e4 *"},
		"comment only in a variation":           {"1. e4 {a} ({b}) e5 *", ": e4 {a b} e5 *"},
		"White's move after an empty line":      {"1. e4 e5\n\n2. Nf3 *", ": e4 e5 Nf3 *"},
		"Black's move after an empty line": {
			fmt.Sprintf(pawn, 30) + "\n1. Kd2 {a}\n\n1... Kd7 *", "FEN: Kd2 {a} Kd7 *",
		},
		"Black's move after an empty line and blanks": {"1. e4\n\n1 . .. e5 *", ": e4 e5 *"},
		"games of a move without tags": {
			"1. e4\n\n1. d4\n\n1.c4\n\n1 Nf3 *", ": e4 *\n: d4 *\n: c4 *\n: Nf3 *",
		},
		"a tag with blanks after a comment": {
			"[Event \"A\"]\n\n1. e4 {a\n\n[ Event  \"B\"]\n\n1. d4 *",
			"Event: e4 {a} * (game 1, line 3, column 7: the comment is not closed before the next game)\nEvent: d4 *",
		},
		"a variation that is not closed": {
			"1. e4 (1. d4 1-0\n\n1. c4 c5 1/2-1/2\n\n1. Nf3 *",
			": e4 (d4) * (game 1, line 3, column 1: a variation is not closed)\n: c4 c5 1/2-1/2\n: Nf3 *",
		},
		"a line with a percent sign, which is not empty": {
			"[Event \"A\"]\n% x\n[Event \"B\"]\n\n1. e4 *", "Event: e4 *",
		},
		"another game after an empty line": {
			fmt.Sprintf(pawn, 30) + "\n1. Kd2 Kd7\n\n1. e4 *", "FEN: Kd2 Kd7 *\n: e4 *",
		},
		"characters without width": {
			"\u200e[Event \"A\"]\n\n1.\u2009e4\u200b e5\u200e *\u200b\n\u200e[Event \"B\"]\n\n1. d4 *\u200b\n",
			"Event: e4 e5 *\nEvent: d4 *",
		},
		"byte order mark before a percent sign": {"\ufeff% exported\n[Event \"A\"]\n\n1. e4 *", "Event: e4 *"},
		"lines of an old Mac": {
			"% exported\r[Event \"A\"]\r\r1. e4 {a\rb} ;c\re5\r\r1. d4\r\r[Event \"B\"]\r1. c4 c6 2. O-O *\r",
			"Event: e4 {a b c} e5 *\n: d4 *\n" +
				"Event: c4 c6 * (game 3, line 11, column 13: move \"O-O\": illegal: castling is prevented)",
		},
		"end of file of DOS": {
			"1. e4 *\r\n\x1a[Event \"A\"]\r\n\r\n1. d4 *\r\n\x1a", ": e4 *\nEvent: d4 *",
		},
		"brackets among the moves": {
			"1. e4 [%clk 0:05:00] e5 2. Nf3 [main line] Nc6 *",
			": e4 e5 Nf3 Nc6 * (game 1, line 1, column 7: a tag that is not of the form [Name \"value\"])",
		},
		"a line lost among the moves": {
			"1. e4 e5 2. Nf3\n(2. d4 exd4\n[main line Nc6\n c3) Nc6 1-0",
			": e4 e5 Nf3 1-0 (game 1, line 3, column 1: a tag that is not of the form [Name \"value\"])",
		},
		"FEN without its last quote": {
			"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *",
			": * (game 1, line 1, column 1: a tag that is not of the form [Name \"value\"])\nEvent: d4 *",
		},
		"invalid FEN, and tags alone": {
			"[Event \"A\"]\n[FEN \"x\"]\n[Round \"1\"]\n\n[Event \"B\"]\n\n1. d4 *",
			"Event FEN Round: * (game 1, line 2, column 1: FEN: board: expected 8 ranks, found 1)\nEvent: d4 *",
		},
		"Chess960 by its FEN": {
			"[Variant \"Standard\"]\n[FEN \"4k3/8/8/8/8/8/8/5KR1 w K - 0 1\"]\n\n1. O-O *", "Variant FEN: O-O *",
		},
		"Chess960 by another name": {
			"[Variant \"Freestyle Chess\"]\n[FEN \"4k3/8/8/8/8/8/8/5KR1 w K - 0 1\"]\n\n1. O-O *", "Variant FEN: O-O *",
		},
		"unknown variant": {
			"[Event \"A\"]\n[Variant \"Atomic\"]\n\n1. d4 *",
			"Event Variant: * (game 1, line 2, column 1: unknown variant \"Atomic\")",
		},
	} {
		if got := showAll(test.text); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

// TestMoveEncodings reads moves, results and blanks in Windows-1252.
func TestMoveEncodings(t *testing.T) {
	for name, test := range map[string]struct {
		text, want string
	}{
		"moves in Windows-1252": {
			"1.\xa0e4\xa0e5 2.\xa0\xc0 1-0\n\n1\x85 e4 \xb1 e5 1\x960\n\n1. d4\n\n1\x85 d5 \xbd-\xbd",
			": e4 e5 1-0 (game 1, line 1, column 13: move \"À\": malformed: " + notSAN + ")\n" +
				": e4 e5 1-0\n: d4 d5 1/2-1/2",
		},
		"letters with a byte of a blank in them": {
			"1. e4 à e5 *", ": e4 * (game 1, line 1, column 7: move \"à\": malformed: " + notSAN + ")",
		},
	} {
		if got := showAll(test.text); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

// showAll returns the games of a text, each on a line: the names of its tags, its moves,
// its result and the error.
func showAll(text string) string {
	var games []string
	for g, err := range NewReader(strings.NewReader(text)).All() {
		var names []string
		for _, tag := range g.Tags {
			names = append(names, tag.Name)
		}
		s := strings.Join(names, " ") + ":" + show(g.Start, g.Main) + " " + g.Result.String()
		if err != nil {
			s += " (" + err.Error() + ")"
		}
		games = append(games, s)
	}
	return strings.Join(games, "\n")
}

// TestLongTags reads games with tags that do not fit into the buffer, or would not when
// written again, which are lost whole: what follows belongs to the same game.
func TestLongTags(t *testing.T) {
	for _, note := range []string{strings.Repeat("a [b] ", bufferSize/3), strings.Repeat("\xe9", bufferSize/2),
		strings.Repeat(`a" `, bufferSize/4)} {
		text := "[Event \"A\"]\n[Note \"" + note + "\"]\n[White \"W\"]\n\n" +
			"1. e4 e5 *\n\n[Event \"B\"]\n\n1. d4 *\n"
		reader := NewReader(strings.NewReader(text))
		g, err := reader.Read()
		want := "game 1, line 2, column 1: " + tagTooLong
		if err == nil || err.Error() != want || len(g.Tags) != 2 || g.Tags.Get("White") != "W" ||
			len(g.Main.Moves) != 2 {
			t.Errorf("%.5q: %.200v, error %v, want %s", note, g.Tags, err, want)
		}
		if g, err = reader.Read(); err != nil || g.Tags.Get("Event") != "B" || len(g.Main.Moves) != 1 {
			t.Errorf("%.5q: the next game: %.200v, %v", note, g.Tags, err)
		}
	}
}

// TestMemory checks that a Reader holds on to nothing of a long game once the next one
// is read.
func TestMemory(t *testing.T) {
	moves := strings.Repeat("Nf6 Ng1 Ng8 Nf3 ", keptMoves)
	text := "1. Nf3 (Nf3 " + moves + "(1. e4)) Nf6 *\n\n1. e4 {short} *\n"
	r := NewReader(strings.NewReader(text))
	if _, err := r.Read(); err != nil {
		t.Fatal(err)
	}
	if g, err := r.Read(); err != nil || len(g.Main.Moves) != 1 {
		t.Fatal(g, err)
	}
	for i, f := range r.frames[:cap(r.frames)] {
		if cap(f.line) > keptMoves {
			t.Errorf("line %d has room for %d moves", i, cap(f.line))
		}
	}
	if len(r.notes) != notesChunk-1 {
		t.Errorf("%d notes are left of those of both games", len(r.notes))
	}
}

// TestManyGlyphs reads a move with more annotation glyphs than it may have.
func TestManyGlyphs(t *testing.T) {
	for _, test := range []struct {
		n    int
		want string
	}{{maxNAGs, ""}, {maxNAGs + 2, fmt.Sprintf("game 1, line 2, column 257: more than %d", maxNAGs)}} {
		text := "1. e4\n" + strings.Repeat("$10 ", test.n) + "e5 *"
		g, err := NewReader(strings.NewReader(text)).Read()
		if (err == nil) != (test.want == "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%d glyphs: error %v, want %q", test.n, err, test.want)
		}
		if n := len(g.Main.Moves[0].Notes.Value().NAGs); n != maxNAGs || len(g.Main.Moves) != 2 {
			t.Errorf("%d of %d glyphs and %d moves read", n, test.n, len(g.Main.Moves))
		}
	}
}

// TestDeepVariations reads a game with deeper variations than it may have, and the next
// one.
func TestDeepVariations(t *testing.T) {
	deep := "1. e4 " + strings.Repeat("(1. d4 ", maxDepth+1)
	games, errs := readAll(t, strings.NewReader(deep+"\n\n1. e4 (1. c4) e5 *"))
	if len(games) != 2 || errs[0] == nil || !strings.HasSuffix(errs[0].Error(), tooDeep) || errs[1] != nil {
		t.Fatalf("%d games, errors %v", len(games), errs)
	}
	if got := show(games[1].Start, games[1].Main); got != " e4 (c4) e5" {
		t.Errorf("the next game is%s", got)
	}
}

// TestManyTags reads a game with more tags than it may have.
func TestManyTags(t *testing.T) {
	text := ""
	for i := range maxTags + 1 {
		text += fmt.Sprintf("[Tag%d \"a\"]\n", i)
	}
	g, err := NewReader(strings.NewReader(text + "\n1. e4 *")).Read()
	if err == nil || !strings.HasSuffix(err.Error(), tooManyTags) || len(g.Tags) != maxTags || len(g.Main.Moves) != 1 {
		t.Errorf("%d tags and %d moves, error %v", len(g.Tags), len(g.Main.Moves), err)
	}
}

// show returns the moves and comments of a line, each with a space before it.
func show(p position.Position, l Line) (s string) {
	comment := func(text string) {
		if text != "" {
			s += " {" + text + "}"
		}
	}
	comment(l.Comment)
	for _, node := range l.Moves {
		s += " " + FormatSAN(&p, node.Move)
		notes := node.Notes.Value()
		comment(notes.Comment)
		for _, variation := range notes.Variations {
			s += " (" + strings.TrimSpace(show(p, variation)) + ")"
		}
		p = p.After(node.Move)
	}
	return s
}

// TestEncodings reads tags and comments in Windows-1252, of which ISO 8859-1 is a part,
// and in UTF-8.
func TestEncodings(t *testing.T) {
	const text = "[White \"M\xfcller\"]\n[Black \"Mü\"]\n\n" +
		"1. e4 {f\xfcr} {ü\r\nb} e5 {a\n\xdf \x8aolak \x96 \x93\x9f\x94 \x80\x81} *"
	g, err := NewReader(strings.NewReader(text)).Read()
	if err != nil {
		t.Fatal(err)
	}
	e4, e5 := g.Main.Moves[0].Notes.Value(), g.Main.Moves[1].Notes.Value()
	got := g.Tags.Get("White") + ", " + g.Tags.Get("Black") + ", " + e4.Comment + ", " + e5.Comment
	if want := "Müller, Mü, für ü b, a ß Šolak – “Ÿ” €\u0081"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFaultsWithinMoves reads on after what is no move.
func TestFaultsWithinMoves(t *testing.T) {
	long := strings.Repeat("a ", maxComment)
	for text, want := range map[string]string{
		"1. e4 a6 2. e5 d5 3. exd6 e.p.+ cxd6 *":             "",
		"1. e4 a6 2. e5 d5 3. exd6 e.p.+- cxd6 *":            "",
		"1. e4 e5 2. Qh5 Nc6 3. Qxf7!+ Kxf7 *":               "",
		"1. e4 f5 2. e5!!! Kf7 3. Qf3 Kg6 # *":               "",
		"1. e4 e5) 2. Nf3 Nc6 3. Bb5 a6 *":                   "a closing parenthesis without an opening one",
		"1. e4 % e5 2. Nf3 Nc6 3. Bb5 a6 *":                  "unexpected character '%'",
		"1. e4 $300 e5 2. Nf3 Nc6 3. Bb5 a6 *":               `"300" is not an annotation glyph`,
		"1. e4 ⇆ e5 2. Nf3 =∞ Nc6 3. Bb5 a6 *":               `move "⇆": malformed: ` + notSAN,
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
		if len(g.Main.Moves) != 6 || g.Main.Moves[0].Notes != nil {
			t.Errorf("%.40s: %d moves, the first with notes %v", text, len(g.Main.Moves), g.Main.Moves[0].Notes)
		}
		if _, err := reader.Read(); err != io.EOF {
			t.Errorf("%.40s: another game, %v", text, err)
		}
	}
}

// TestAfterFault skips what follows a move that cannot be played.
func TestAfterFault(t *testing.T) {
	games, errs := readAll(t, strings.NewReader("1. e4 (1. c4 e4 $1 {a} (1... e5)) Ke5 $2 {b} (1... d5) *"))
	if c, n, v := tally(&games[0].Main); errs[0] == nil || c != 0 || n != 0 || v != 1 {
		t.Errorf("%d comments, %d glyphs, %d variations, error %v", c, n, v, errs[0])
	}
}

// TestAssessments reads marks such as !? and signs such as +-, right after a move and
// apart from it.
func TestAssessments(t *testing.T) {
	const text = "1. e4%s= e5%[1]s+= 2. Qh5%[1]s+/- Nc6%[1]s-/+ 3. Bc4%[1]s=/+ Nf6%[1]s+- 4. Qxf7#%[1]s-+ *\n\n" +
		"1. f4%[1]s⩲ e5%[1]s⩱ 2. g4%[1]s± d6%[1]s∓ 3. h4%[1]s−+ Nf6%[1]s+− 4. a3%[1]s∞ Be7%[1]s~ " +
		"5. a4%[1]s□ O-O%[1]s--+ 6. a5%[1]s+-- Nc6%[1]sN 7. b3%[1]sD *\n\n" +
		"1. e4%[1]s! e5%[1]s? 2. Nf3%[1]s!! Nc6%[1]s?? 3. Bb5%[1]s!? a6%[1]s?! 4. Ba4%[1]s$0 Nf6%[1]s=+ *"
	want := [][]byte{{10, 14, 16, 17, 15, 18, 19}, {14, 15, 16, 17, 19, 18, 13, 13, 7, 21, 20, 146, 201},
		{1, 2, 3, 4, 5, 6, 15}}
	for _, blank := range []string{"", " "} {
		games, errs := readAll(t, strings.NewReader(fmt.Sprintf(text, blank)))
		if len(games) != len(want) {
			t.Fatalf("%d games", len(games))
		}
		for i, g := range games {
			var got []byte
			for _, node := range g.Main.Moves {
				got = append(got, node.Notes.Value().NAGs...)
			}
			if errs[i] != nil || !bytes.Equal(got, want[i]) {
				t.Errorf("game %d, blank %q: glyphs %v, want %v, error %v", i+1, blank, got, want[i], errs[i])
			}
		}
	}
}

// TestKnightApart refuses moves of knights with a blank after the letter, which could be
// read as a novelty and a move of a pawn.
func TestKnightApart(t *testing.T) {
	for text, want := range map[string]string{
		"1. N f3 *":                  "column 4",
		"1. e4 e5 2. N f3 *":         "column 13",
		"1. e4 e5 2. Nf3 N c6 *":     "column 19",
		"1. e4 e5 (1... N f6 2. d3)": "column 16",
		"1. e4 N e5 2. Nf3 N *":      "",
		"1. e4 N {a} f6 *":           "",
	} {
		_, errs := readAll(t, strings.NewReader(text))
		if got := fmt.Sprint(errs[0]); want == "" && errs[0] != nil || !strings.Contains(got, want) {
			t.Errorf("%s: error %s, want one at %q", text, got, want)
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

// TestTypesetGame reads games as pages on the web show them, at once and byte by byte.
func TestTypesetGame(t *testing.T) {
	text := strings.NewReplacer("_", "\u00a0", "~", "\u202f").Replace("1._e4 e5_2.~Nf3~{a_b…} (2.d4_d5) 2…Nc6 " +
		"3. Bb5 a6_4._Ba4~Nf6 5. O–O Be7_6.~c3 b5_½–½\n\n1.d4 1–0\n\n1.d4\n\n1…d5 0–1")
	want := []string{"1. e4 e5 2. Nf3 {a\u00a0b…} (2. d4 d5) 2... Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. c3 b5 1/2-1/2",
		"1. d4 1-0", "1. d4 d5 0-1"}
	for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		games, errs := readAll(t, in)
		if len(games) != len(want) {
			t.Fatalf("%d games", len(games))
		}
		for i, g := range games {
			var file bytes.Buffer
			if err := NewWriter(&file).Write(g); err != nil {
				t.Fatal(err)
			}
			_, moves, _ := strings.Cut(file.String(), "\n\n")
			if got := strings.Join(strings.Fields(moves), " "); got != strings.ReplaceAll(want[i], "\u00a0", " ") {
				t.Errorf("game %d: %q, %v", i+1, got, errs[i])
			}
		}
	}
}

// TestEndings reads what ends games, whatever it looks like, without a fault, and the
// number of moves before it. A second reading of what was written is the same.
func TestEndings(t *testing.T) {
	for text, want := range map[string]struct {
		plies  int
		result rules.Result
		tag    string // Result, as written
	}{
		"[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0":   {6, rules.NoResult, "0-0"},
		"[Result \"0-0\"]\n\n0-0":                                  {0, rules.NoResult, "0-0"},
		"[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0 *": {7, rules.WhiteWins, "1-0"},
		"[Result \"1/2-0\"]\n\n1. e4 1/2-0":                        {1, rules.NoResult, "1/2-0"},
		"1. e4 0-1/2":                                              {1, rules.NoResult, "*"},
		"1. e4 e5 1—0":                                             {2, rules.WhiteWins, "1-0"},
		"1. e4 e5 0−1":                                             {2, rules.BlackWins, "0-1"},
		"1. e4 e5 ½—½":                                             {2, rules.Draw, "1/2-1/2"},
		"1. e4 e51/2-1/2":                                          {2, rules.Draw, "1/2-1/2"},
		"1. f3 e5 2. g4 Qh4#0-1":                                   {4, rules.BlackWins, "0-1"},
		"1. e4‼ e5⁈ 1-0":                                           {2, rules.WhiteWins, "1-0"},
	} {
		g, err := NewReader(strings.NewReader(text)).Read()
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var written strings.Builder
		if err := NewWriter(&written).Write(g); err != nil {
			t.Fatal(err)
		}
		if len(g.Main.Moves) != want.plies || g.Result != want.result ||
			!strings.Contains(written.String(), "[Result \""+want.tag+"\"]") {
			t.Errorf("%q: %d plies, %v\n%s", text, len(g.Main.Moves), g.Result, &written)
		}
		again, err := NewReader(strings.NewReader(written.String())).Read()
		if err != nil || len(again.Main.Moves) != want.plies || again.Result != want.result {
			t.Errorf("%q: read again %+v, %v", text, again, err)
		}
	}
}
