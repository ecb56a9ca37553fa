package notation

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"skein/chess"
	"skein/movegen"
	"skein/position"
	"skein/rules"
)

// Writer writes games in the export format of PGN: the seven roster tags
// first, the others in alphabetical order, and moves in SAN. Lines of moves have
// fewer than 80 characters, except for comments that cannot be broken.
type Writer struct {
	w     io.Writer
	games int
	buf   []byte
	// word is the next word to write, once it is known whether a closing
	// parenthesis follows.
	word   []byte
	column int // of the end of buf
}

const lineWidth = 79

// NewWriter returns a Writer to w. It calls w.Write once per game.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// roster are the tags that every game has, with the value for unknown.
var roster = []Tag{
	{"Event", "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"},
	{"White", "?"}, {"Black", "?"}, {"Result", ""},
}

// Write writes the game, followed by an empty line. For illegal moves, invalid tag
// names, an invalid result, a start position that is missing or that [position.Parse] refuses, variations
// without moves, the glyph 0, and longer or more tags, more glyphs or deeper variations than a
// [Reader] accepts it returns a *PGNError and writes nothing. A comment longer than a
// Reader accepts becomes several, which is an error only where it has no space to be
// broken at. Line breaks in comments and values become spaces. What a Reader returns of a
// game whose start it cannot read keeps the tags of that start.
func (w *Writer) Write(g *Game) error {
	w.games++
	if g.Start == (position.Position{}) {
		return &PGNError{Game: w.games, Reason: "no start position"}
	}
	if err := g.checkStart(); err != nil {
		return &PGNError{Game: w.games, Reason: err.Error(), Err: err}
	}
	if g.Result > rules.WhiteWins {
		return &PGNError{Game: w.games, Reason: "no valid result: " + g.Result.String()}
	}
	w.buf, w.word, w.column = w.buf[:0], w.word[:0], 0
	if err := w.tags(g); err != nil {
		return &PGNError{Game: w.games, Reason: err.Error()}
	}
	w.buf = append(w.buf, '\n')
	if err := w.line(g.Start, &g.Main, 0); err != nil {
		fault := &PGNError{Game: w.games, Reason: err.Error()}
		if move, ok := err.(*MoveError); ok {
			fault.Err = move
		}
		return fault
	}
	w.add(g.Result.String())
	w.flush()
	w.buf = append(w.buf, "\n\n"...)
	_, err := w.w.Write(w.buf)
	return err
}

// tags writes the tags and an empty line.
func (w *Writer) tags(g *Game) error {
	all := make(Tags, 0, len(roster)+len(g.Tags)+3)
	for _, tag := range roster {
		if v := g.Tags.Get(tag.Name); v != "" {
			tag.Value = v
		}
		all = append(all, tag)
	}
	if g.Result != rules.NoResult || !slices.Contains(forfeits, g.Tags.Get("Result")) {
		all.Set("Result", g.Result.String())
	}
	for _, tag := range g.Tags {
		if tag.Name != "Result" && !slices.Contains(startTags, tag.Name) {
			all.Set(tag.Name, tag.Value)
		}
	}
	for _, tag := range g.startTags() {
		all.Set(tag.Name, tag.Value)
	}
	if len(all) > maxTags {
		return errors.New(tooManyTags)
	}
	slices.SortFunc(all[len(roster):], func(a, b Tag) int { return strings.Compare(a.Name, b.Name) })
	for _, tag := range all {
		if name, _ := tagName([]byte(tag.Name)); len(name) == 0 || len(name) != len(tag.Name) {
			return fmt.Errorf("%.40q is not a valid tag name", tag.Name)
		}
		if tag.size() > bufferSize {
			return errors.New(tagTooLong)
		}
		w.tag(tag)
	}
	return nil
}

// tag writes a tag and a line break.
func (w *Writer) tag(tag Tag) {
	w.buf = append(append(append(w.buf, '['), tag.Name...), ` "`...)
	for _, c := range []byte(tag.Value) {
		switch c {
		case '\n', '\r':
			c = ' '
		case '"', '\\':
			w.buf = append(w.buf, '\\')
		}
		w.buf = append(w.buf, c)
	}
	w.buf = append(w.buf, "\"]\n"...)
}

// size returns the number of bytes of the tag in a file, from bracket to bracket.
func (t *Tag) size() int {
	return len(`[ ""]`) + len(t.Name) + len(t.Value) + strings.Count(t.Value, `"`) + strings.Count(t.Value, `\`)
}

// startTags are the names of the tags that tell the start of a game.
var startTags = []string{"SetUp", "FEN", "Variant"}

// startTags returns the tags of the start of the game.
func (g *Game) startTags() (tags Tags) {
	if g.startLost() {
		given := slices.Clone(g.Tags)
		return slices.DeleteFunc(given, func(tag Tag) bool { return !slices.Contains(startTags, tag.Name) })
	}
	if g.Chess960 {
		tags.Set("Variant", "Chess960")
	}
	if g.Chess960 || g.Start != startPosition {
		tags.Set("SetUp", "1")
		tags.Set("FEN", g.Start.FEN())
	}
	return tags
}

// checkStart returns an error if a Reader refuses the start of the game.
func (g *Game) checkStart() error {
	if g.Start == startPosition {
		return nil
	}
	_, err := position.Parse(g.Start.FEN(), true)
	return err
}

// startLost reports whether the game is what is left of one whose tags name no start
// that can be read.
func (g *Game) startLost() bool {
	return len(g.Main.Moves) == 0 && g.Start == startPosition && (&Game{Tags: g.Tags}).setUp() != nil
}

// line writes moves played from p, of the main line or a variation so many deep.
func (w *Writer) line(p position.Position, l *Line, depth int) error {
	if depth > maxDepth {
		return errors.New(tooDeep)
	}
	if err := w.comment(l.Comment); err != nil {
		return err
	}
	var next position.Position
	numbered := false // whether the move number was written
	for i := range l.Moves {
		node := &l.Moves[i]
		if node.Move != chess.NoMove && !movegen.IsLegal(&p, node.Move) || node.Move == chess.NoMove && p.InCheck() {
			return moveError(node.Move.String(), Illegal, "in the position %s", p.FEN())
		}
		if p.SideToMove() == chess.White || !numbered {
			w.begin()
			w.word = appendNumber(w.word, &p)
		}
		w.begin()
		w.word = appendSAN(w.word, &p, node.Move, &next)
		notes := node.Notes.Value()
		if len(notes.NAGs) > maxNAGs {
			return errors.New(tooManyNAGs)
		}
		for _, nag := range notes.NAGs {
			if nag == 0 {
				return errors.New("$0 is not an annotation glyph")
			}
			w.begin()
			w.word = strconv.AppendUint(append(w.word, '$'), uint64(nag), 10)
		}
		if err := w.comment(notes.Comment); err != nil {
			return err
		}
		numbered = p.SideToMove() == chess.White && strings.TrimSpace(notes.Comment) == ""
		for j := range notes.Variations {
			variation := &notes.Variations[j]
			if len(variation.Moves) == 0 {
				return errors.New("a variation without moves")
			}
			numbered = false
			w.add("(")
			if err := w.line(p, variation, depth+1); err != nil {
				return err
			}
			if len(w.word) >= lineWidth {
				w.flush()
			}
			w.word = append(w.word, ')')
		}
		p = next
	}
	return nil
}

// begin starts a new word; an opening parenthesis stays with it.
func (w *Writer) begin() {
	if string(w.word) != "(" {
		w.flush()
	}
}

// add starts a new word with s.
func (w *Writer) add(s string) {
	w.begin()
	w.word = append(w.word, s...)
}

// flush writes the last word, on a new line if the current one is full.
func (w *Writer) flush() {
	if len(w.word) == 0 {
		return
	}
	n := utf8.RuneCount(w.word)
	switch {
	case w.column == 0:
	case w.column+1+n > lineWidth:
		w.buf = append(w.buf, '\n')
		w.column = 0
	default:
		w.buf = append(w.buf, ' ')
		w.column++
	}
	w.buf = append(w.buf, w.word...)
	w.column += n
	w.word = w.word[:0]
}

// comment writes a comment, unless it is empty. One with a closing brace in it
// takes the rest of a line; one that is too long becomes several.
func (w *Writer) comment(s string) error {
	s = joinLines(strings.TrimSpace(s))
	if s == "" {
		return nil
	}
	if strings.IndexByte(s, '}') >= 0 {
		if len(s) >= maxComment {
			return errors.New(commentTooLong)
		}
		w.add(";")
		w.flush()
		w.buf = append(append(append(w.buf, ' '), s...), '\n')
		w.column = 0
		return nil
	}
	w.add("{")
	for size := 0; ; {
		i := breakAt(s)
		n := min(i+1, len(s)) // with the space
		if size += n; size > maxComment {
			if size = n; size > maxComment {
				return errors.New(commentTooLong)
			}
			w.add("} {")
		}
		w.word = append(w.word, s[:i]...)
		if i == len(s) {
			w.word = append(w.word, '}')
			return nil
		}
		s = s[i+1:]
		w.flush()
	}
}

// breakAt returns the index of the first space where a line of a comment may be
// broken, or the length of s: a single space, not within a command such as [%clk 0:01],
// and not before a character that has a meaning at the beginning of a line.
func breakAt(s string) int {
	const maxCommand = 60 // bytes; lines may be broken within longer ones
	for i := 1; i+1 < len(s); i++ {
		if s[i] == '%' && s[i-1] == '[' {
			i += max(strings.IndexByte(s[i:min(i+maxCommand, len(s))], ']'), 0)
			continue
		}
		if s[i] == ' ' && s[i-1] > ' ' && s[i+1] > ' ' && s[i+1] != '%' {
			if next := s[i+1 : min(i+1+maxEventTag, len(s))]; !isEventTag([]byte(next)) {
				return i
			}
		}
	}
	return len(s)
}
