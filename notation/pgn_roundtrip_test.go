package notation

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"skein/chess"
	"skein/internal/corpora"
	"skein/movegen"
	"skein/position"
	"skein/rules"
)

// randomLine plays n moves from p and annotates them.
func randomLine(rng *rand.Rand, p position.Position, n, depth int) Line {
	l := Line{Comment: randomComment(rng)}
	for range n {
		moves := movegen.Legal(&p)
		if len(moves) == 0 {
			break
		}
		node := Node{Move: moves[rng.IntN(len(moves))]}
		if rng.IntN(40) == 0 && !p.InCheck() {
			node.Move = chess.NoMove
		}
		if rng.IntN(4) == 0 {
			node.Annotate().Comment = randomComment(rng)
		}
		for rng.IntN(5) == 0 {
			notes := node.Annotate()
			notes.NAGs = append(notes.NAGs, byte(1+rng.IntN(255)))
		}
		for depth < 4 && rng.IntN(8) == 0 {
			if v := randomLine(rng, p, 1+rng.IntN(5), depth+1); len(v.Moves) > 0 {
				node.Annotate().Variations = append(node.Annotate().Variations, v)
			}
		}
		l.Moves = append(l.Moves, node)
		p = p.After(node.Move)
	}
	return l
}

// randomComment puts together what a comment may trip over.
func randomComment(rng *rand.Rand) string {
	parts := []string{"a", "{", "}", ";", "%", "% x", "[Event \"", "[ Event \"", "(", ")", "1-0", "*", "  ", " ", " ",
		"Überlegen", "\\", "\"", "[%eval 0.3]", "$3", strings.Repeat("long", 30)}
	var sb strings.Builder
	for range rng.IntN(12) {
		sb.WriteString(parts[rng.IntN(len(parts))])
	}
	return strings.TrimSpace(sb.String())
}

func randomGame(rng *rand.Rand) *Game {
	fen := roundTripFENs[rng.IntN(len(roundTripFENs))]
	chess960 := rng.IntN(2) == 0
	p, err := position.Parse(fen, chess960)
	if err != nil {
		chess960 = true
		p, _ = position.Parse(fen, true)
	}
	g := NewGame(p, chess960)
	g.Result = rules.Result(rng.IntN(4))
	g.Tags.Set("White", randomComment(rng)+"?")
	g.Tags.Set("FEN", "4k3/8/8/8/8/8/8/4K3 w - - 0 1") // for which that of the start is written
	g.Tags.Set("Annotator", `\"`+randomComment(rng))
	g.Main = randomLine(rng, p, rng.IntN(60), 0)
	return g
}

// tidy takes out of a game what the Writer adds, and what compares unequal
// though it is the same.
func tidy(g *Game) *Game {
	h := *g
	h.Tags = slices.DeleteFunc(slices.Clone(g.Tags), func(tag Tag) bool {
		return slices.Contains([]string{"Result", "SetUp", "FEN", "Variant"}, tag.Name) ||
			slices.ContainsFunc(roster, func(r Tag) bool { return r == tag })
	})
	if len(h.Tags) == 0 {
		h.Tags = nil
	}
	slices.SortFunc(h.Tags, func(a, b Tag) int { return strings.Compare(a.Name, b.Name) })
	h.Main = tidyLine(g.Main)
	return &h
}

func tidyLine(l Line) Line {
	t := Line{Comment: l.Comment}
	for _, n := range l.Moves {
		notes := n.Notes.Value()
		tidied := Notes{NAGs: append([]byte(nil), notes.NAGs...), Comment: notes.Comment}
		for _, v := range notes.Variations {
			if v = tidyLine(v); len(v.Moves) > 0 {
				tidied.Variations = append(tidied.Variations, v)
			}
		}
		t.Moves = append(t.Moves, Node{n.Move, &tidied})
	}
	return t
}

// roundTrip writes games and compares what is read back with them.
func roundTrip(t testing.TB, games []*Game) {
	t.Helper()
	var file bytes.Buffer
	w := NewWriter(&file)
	for _, g := range games {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	text := file.String()
	rest := text
	for line := range strings.Lines(text) {
		rest = rest[len(line):]
		if utf8.RuneCountInString(line)-1 > lineWidth && line[0] != '[' && breakable(line, rest) {
			t.Errorf("a line is too long: %s", line)
		}
	}
	again, errs := readAll(t, strings.NewReader(text))
	if len(again) != len(games) {
		t.Fatalf("%d games read back as %d\n%s", len(games), len(again), text)
	}
	for i, g := range games {
		if errs[i] != nil {
			t.Errorf("%v\n%s", errs[i], text)
		}
		if got, want := tidy(again[i]), tidy(g); !reflect.DeepEqual(got, want) {
			t.Fatalf("game %d: got\n%+v\nwant\n%+v\nfile\n%s", i+1, *got, *want, text)
		}
	}
	var second bytes.Buffer
	w = NewWriter(&second)
	for _, g := range again {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if second.String() != text {
		t.Errorf("written again, the games differ:\n%s\nand\n%s", text, &second)
	}
}

// breakable reports whether the line, before rest, has a blank where it may break. One
// with a semicolon may be a comment to its end.
func breakable(line, rest string) bool {
	text := strings.ReplaceAll(line+rest[:min(maxEventTag, len(rest))], "\n", " ")
	return breakAt(text) < len(line)-1 && !strings.Contains(line, "; ")
}

func TestPGNRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		var games []*Game
		for range 1 + rng.IntN(6) {
			games = append(games, randomGame(rng))
		}
		roundTrip(t, games)
	}
}

// TestPGNCorpusRoundTrip writes and reads again the games without fault of all PGN
// files.
func TestPGNCorpusRoundTrip(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpora.Path("pgn"), "*.pgn"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		games, errs := readAll(t, open(t, "pgn/"+filepath.Base(file)))
		var sound []*Game
		for i, g := range games {
			if errs[i] == nil {
				sound = append(sound, g)
			}
		}
		t.Run(filepath.Base(file), func(t *testing.T) { roundTrip(t, sound) })
	}
}

// TestPGNExport compares with a text written by hand.
func TestPGNExport(t *testing.T) {
	const want = `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "A \"quoted\" name"]
[Black "?"]
[Result "1-0"]
[Annotator "back\\slash"]
[FEN "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3"]
[SetUp "1"]

{Scholar's mate} 3... d6 $4 (3... Qe7 {holds} 4. Qxf7+ $6 (4. d3) 4... Qxf7)
(3... Nh6 4. d4 {more space} 4... exd4) 4. Qxf7# {a comment that is long enough
to be broken at the end of a line} 1-0

`
	games, errs := readAll(t, strings.NewReader(want))
	if len(games) != 1 || errs[0] != nil {
		t.Fatal(len(games), errs)
	}
	var got bytes.Buffer
	if err := NewWriter(&got).Write(games[0]); err != nil || got.String() != want {
		t.Errorf("%v, got\n%s", err, &got)
	}
}

// TestLostStart writes games whose start cannot be read.
func TestLostStart(t *testing.T) {
	for _, tags := range []string{
		"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[SetUp \"1\"]\n",
		"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n",
		"[Variant \"Atomic\"]\n",
	} {
		games, errs := readAll(t, strings.NewReader(tags+"\n1. e4 {a comment} e5 *\n"))
		if len(games) != 1 || errs[0] == nil || len(games[0].Main.Moves) > 0 {
			t.Fatal(tags, games, errs)
		}
		var text bytes.Buffer
		if err := NewWriter(&text).Write(games[0]); err != nil || !strings.Contains(text.String(), tags) {
			t.Errorf("%v, want\n%sin\n%s", err, tags, &text)
		}
	}
}

// TestWriteLong writes a comment that becomes several, the longest word in one, and the
// longest tag.
func TestWriteLong(t *testing.T) {
	g := NewGame(position.Start(), false)
	g.Tags.Set("Note", strings.Repeat("a", bufferSize-len("[Note \"\"]")))
	g.Main = Line{Comment: strings.Repeat("bc ", maxComment) + "d"}
	g.Main.Add(chess.NewMove(chess.E2, chess.E4))
	g.Main.Moves[0].Annotate().Comment = strings.Repeat("a", maxComment)
	roundTrip(t, []*Game{g})
}

// TestLineWidth writes variations in each other, whose ends come together.
func TestLineWidth(t *testing.T) {
	line := Line{}
	for range maxDepth {
		next := Line{}
		next.Add(chess.NewMove(chess.E2, chess.E4))
		if len(line.Moves) > 0 {
			next.Moves[0].Annotate().Variations = []Line{line}
		}
		line = next
	}
	g := &Game{Start: position.Start(), Main: line}
	var text strings.Builder
	if err := NewWriter(&text).Write(g); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if len(line) > lineWidth+len("\n") {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
	roundTrip(t, []*Game{g})
}

func TestWriterErrors(t *testing.T) {
	start := position.Start()
	inCheck := *parse(t, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", false)
	impossible, err := position.ParseLenient("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", false)
	if err != nil {
		t.Fatal(err)
	}
	e4 := chess.NewMove(chess.E2, chess.E4)
	deep := &Game{Start: start}
	for range maxDepth + 2 {
		deep.Main = Line{Moves: []Node{{Move: e4, Notes: &Notes{Variations: []Line{deep.Main}}}}}
	}
	tagged := &Game{Start: start}
	for i := range maxTags {
		tagged.Tags.Set(fmt.Sprint("Tag", i), "")
	}
	for _, tt := range []struct {
		name string
		game *Game
		want string
	}{
		{"illegal move", &Game{Start: start, Main: Line{Moves: []Node{{Move: chess.NewMove(chess.A1, chess.A8)}}}},
			`move "a1a8": illegal`},
		{"in a variation", &Game{Start: start,
			Main: Line{Moves: []Node{{Move: chess.NewMove(chess.B1, 16),
				Notes: &Notes{Variations: []Line{{Moves: []Node{{Move: 1}}}}}}}}}, `illegal`},
		{"null move in check", &Game{Start: inCheck, Main: Line{Moves: []Node{{}}}}, `move "0000": illegal`},
		{"zero game", &Game{}, "no start position"},
		{"result", &Game{Start: start, Result: rules.WhiteWins + 1}, "no valid result"},
		{"impossible start", &Game{Start: impossible}, "black is in check but white is to move"},
		{"glyphs", &Game{Start: start, Main: Line{Moves: []Node{{Move: e4, Notes: &Notes{NAGs: make([]byte, 65)}}}}},
			tooManyNAGs},
		{"glyph 0", &Game{Start: start, Main: Line{Moves: []Node{{Move: e4, Notes: &Notes{NAGs: []byte{1, 0}}}}}},
			"$0 is not an annotation glyph"},
		{"a variation without moves",
			&Game{Start: start,
				Main: Line{Moves: []Node{{Move: e4, Notes: &Notes{Variations: []Line{{Comment: "a"}}}}}}},
			"a variation without moves"},
		{"deep variations", deep, tooDeep},
		{"tags", tagged, tooManyTags},
		{"a long tag", &Game{Start: start, Tags: Tags{{"Note", strings.Repeat(`\`, bufferSize/2)}}}, tagTooLong},
		{"a long word", &Game{Start: start, Main: Line{Comment: strings.Repeat("a", maxComment+1)}}, commentTooLong},
		{"a long line", &Game{Start: start, Main: Line{Comment: strings.Repeat("} ", maxComment)}}, commentTooLong},
		{"bad tag", &Game{Start: start, Tags: Tags{{"a b", "c"}}}, `"a b" is not a valid tag name`},
		{"a blank after a tag", &Game{Start: start, Tags: Tags{{"FEN ", "c"}}}, `"FEN " is not a valid tag name`},
	} {
		var file bytes.Buffer
		w := NewWriter(&file)
		err := w.Write(tt.game)
		if err == nil || !strings.HasPrefix(err.Error(), "game 1: ") || !strings.Contains(err.Error(), tt.want) ||
			file.Len() > 0 {
			t.Errorf("%s: error %v and %d bytes", tt.name, err, file.Len())
		}
	}
	err = NewWriter(io.Discard).Write(&Game{Start: impossible})
	if _, ok := errors.AsType[*position.FENError](err); !ok {
		t.Errorf("%v wraps no FENError", err)
	}
}

// FuzzPGN reads anything. Games without fault must survive being written.
func FuzzPGN(f *testing.F) {
	for _, name := range []string{"cl-variations.pgn", "cl-black2move.pgn", "cl-backslash_header.pgn",
		"cl-no_moves_but_game_termination_multiple_2.pgn"} {
		lines, err := corpora.Lines(corpora.Path("pgn/" + name))
		if err != nil {
			f.Fatal(err)
		}
		var sb strings.Builder
		for _, line := range lines {
			sb.WriteString(line.Text + "\n")
		}
		f.Add([]byte(sb.String()))
	}
	f.Add([]byte("\ufeff[A \"\\\"\"]\n%x\n1. e4! {a\n[Event \"b\"] (1. --$7;c\n1... e5)\n\n" +
		"1.d4 ½-½ {d} 1. Nf3 exf6e.p. = +- *"))
	f.Add([]byte("1. d4 {\xa0} d5 {\x85\n\xa0} 2. c4 {caf\xe9\x85} *"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader(bytes.NewReader(data))
		n := 0
		for g, err := range r.All() {
			if n++; g == nil {
				t.Fatal(err)
			}
			if pgnErr, ok := err.(*PGNError); err != nil &&
				(!ok || pgnErr.Game != n || pgnErr.Line < 1 || pgnErr.Column < 1) {
				t.Fatalf("game %d: error %v", n, err)
			}
			if err == nil {
				roundTrip(t, []*Game{g})
			}
		}
		if r.Games() != n {
			t.Fatal(fmt.Sprint(n, " games, ", r.Games(), " counted"))
		}
	})
}
