package notation

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"

	"skein/chess"
	"skein/position"
	"skein/rules"
)

// Reader reads the games of a PGN file one by one; [NewReader] makes one. Its memory
// use is bounded even for large and invalid files: it is an error if a tag has more
// than 64 KiB, a comment more than 1 MiB, a game more than 1000 tags or about 64 MiB
// in memory, or a move more than 64 annotation glyphs, or if variations are more than
// 200 deep.
type Reader struct {
	// ReuseGame lets Read return the same Game each time and reuse the slices
	// of its tags and main line, for programs that keep no games.
	ReuseGame bool

	scan   scanner
	held   token // the token to read again, if holding
	hold   bool
	games  int
	err    *PGNError // the first of the current game
	frames []frame
	deeper int     // parentheses open beyond maxDepth
	size   int     // bytes of the current game, roughly
	game   Game    // the one to be used again
	notes  []Notes // to be used next
	names  map[string]string
	intro  []byte // comments before the moves of the current game

	fenAt, variantAt token // where the current game has these tags
	startLost        bool  // one of them is unreadable
}

// frame is a line being read, the main line or a variation in another.
type frame struct {
	pos     [2]position.Position // the current one and the one before
	cur     uint8                // which of them is current
	bad     bool                 // the rest of this line is skipped
	symbols int                  // moves seen, good and bad
	number  bool                 // a move number came after the last move
	novelty bool                 // the last token was N after a move
	line    []Node
	comment string // before the first move
	text    []byte // comments since the last move
}

const (
	maxDepth    = 200      // of variations in variations
	maxGameSize = 64 << 20 // bytes in memory, roughly
	maxNames    = 256      // of tags, kept for reuse
	maxNAGs     = 64       // of a move
	maxTags     = 1000
	keptMoves   = 4096 // capacity up to which the moves of a line are reused
	nodeSize    = 16
	notesSize   = 88
	notesChunk  = 16 // notes made at a time

	tooManyNAGs = "more than 64 annotation glyphs of a move"
	tooDeep     = "variations more than 200 deep"
)

// NewReader returns a Reader of PGN in import format.
func NewReader(r io.Reader) *Reader {
	return &Reader{scan: newScanner(r), names: map[string]string{}}
}

// All iterates over the games, each with its error as returned by Read. It ends
// at the end of the input, or after an error that is not a *PGNError.
func (r *Reader) All() iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		for {
			g, err := r.Read()
			if err == io.EOF || !yield(g, err) || g == nil {
				return
			}
		}
	}
}

// Games returns the number of games read, including invalid ones.
func (r *Reader) Games() int { return r.games }

// Read returns the next game, or the error io.EOF if there is none. For an
// invalid game Read returns its valid part, with a *PGNError about the first
// error: a line ends before its first invalid move, and a game with an invalid
// start position or of an unknown variant has only tags. The next Read continues
// with the next game. Errors of the underlying reader come without a game.
//
// The result is that after the moves; where it is missing or *, that of the tag Result.
// 0-0 (if it is in that tag, too), 1/2-0 and 0-1/2 count as none.
// A game is one of Chess960 if its tag Variant says so, or if the castling rights of its
// start position are not valid otherwise.
//
// A game begins with its tags, or with move number 1 after an empty line. It ends with
// its result, or where the next one begins: a game of tags alone ends at another tag
// Event after an empty line. Beyond the standard, Read accepts null moves (--), moves
// as accepted by [ParseSAN], marks such as !!!, which have no glyph and are skipped,
// signs such as +-, ± and N (a novelty) after a move, no-break and other spaces,
// ellipses, other dashes and colons in results, results glued to the last move, tags
// with stray quotes and backslashes, comments that are not closed before the tag Event
// of the next game, byte order marks, carriage returns alone at the ends of lines, and
// comments after the result, up to the line below it. UTF-16 is decoded if a byte order
// mark begins it; otherwise tags, comments and moves that are not in UTF-8 are read as
// Windows-1252, which programs write for ISO 8859-1, the encoding of the standard. A
// tag, from bracket to bracket, must be on one line.
func (r *Reader) Read() (*Game, error) {
	if r.size > keptMoves*nodeSize {
		r.notes = nil // those beside them hold comments and variations
	}
	r.err, r.size = nil, 0
	r.frames, r.intro = r.frames[:0], r.intro[:0]
	r.fenAt, r.variantAt, r.startLost = token{}, token{}, false
	g := &Game{}
	if r.ReuseGame {
		g = &r.game
		*g = Game{Tags: g.Tags[:0]}
	}
	started := false
	var t token
	for {
		r.next(&t)
		if t.kind == tokenEnd {
			if r.scan.err != io.EOF {
				return nil, r.scan.err
			}
			if !started {
				return nil, io.EOF
			}
			return r.finish(g, &t)
		}
		if len(r.frames) == 0 && t.kind == tokenComment {
			r.intro = r.addComment(r.intro, &t) // may be about the file
			continue
		}
		if !started && (t.kind == tokenNAG || !t.fresh && remains(&t)) {
			continue // of the last result
		}
		if !started {
			started = true
			r.games++
		}
		switch {
		case len(r.frames) == 0 && t.kind == tokenTag && t.blankLine &&
			string(t.name) == firstTag && g.Tags.has(firstTag):
			r.held, r.hold = t, true
			return r.finish(g, &t) // a game of tags alone, and the next one
		case len(r.frames) == 0 && t.kind == tokenTag:
			r.addTag(g, &t)
			continue
		case len(r.frames) == 0 && t.kind == tokenBad:
			r.badTag(&t)
			continue
		case len(r.frames) == 0:
			r.begin(g)
		case r.beginsGame(g, &t):
			r.held, r.hold = t, true
			return r.finish(g, &t)
		}
		if r.movetext(g, &t) {
			return r.finish(g, &t)
		}
	}
}

// remains reports whether a token after a result, on its line, begins no game.
func remains(t *token) bool {
	switch t.kind {
	case tokenOpen, tokenClose:
		return true
	case tokenSymbol:
		_, ok := resultOf(t.text)
		return ok || string(t.text) == "-"
	}
	return false
}

// next returns the next token, or the one that was put back.
func (r *Reader) next(t *token) {
	if r.hold {
		*t, r.hold = r.held, false
		return
	}
	r.scan.next(t)
}

// fail records the first error of a game.
func (r *Reader) fail(t *token, err error, reason string) {
	if r.err != nil {
		return
	}
	if reason == "" {
		reason = err.Error()
	}
	r.err = &PGNError{Game: r.games, Line: t.line, Column: t.column, Reason: reason, Err: err}
}

// firstTag is the tag with which a game begins in export format.
const firstTag = "Event"

func (r *Reader) addTag(g *Game, t *token) {
	name, ok := r.names[string(t.name)]
	if !ok {
		name = string(toUTF8(t.name))
		if len(r.names) < maxNames {
			r.names[string(t.name)] = name
		}
	}
	if r.size += len(name) + len(t.text) + 32; r.size > maxGameSize || len(g.Tags) >= maxTags {
		r.fail(t, nil, tooManyTags)
		return
	}
	tag := Tag{name, string(toUTF8(t.text))}
	if tag.size() > bufferSize {
		r.badTag(&token{line: t.line, column: t.column, name: t.name, reason: tagTooLong})
		return
	}
	switch name {
	case "FEN":
		r.fenAt = *t
	case "Variant":
		r.variantAt = *t
	}
	g.Tags.Set(tag.Name, tag.Value)
}

// badTag handles an invalid token before the moves.
func (r *Reader) badTag(t *token) {
	r.fail(t, nil, t.reason)
	r.startLost = r.startLost || string(t.name) == "FEN" || string(t.name) == "Variant"
	r.intro = r.addComment(r.intro, t) // if it is one that is not closed
}

// begin prepares for reading moves.
func (r *Reader) begin(g *Game) {
	f := r.push(&startPosition)
	f.bad = r.startLost
	if err := g.setUp(); err != nil {
		if fen, ok := errors.AsType[*position.FENError](err); ok {
			r.fail(&r.fenAt, fen, "")
		} else {
			r.fail(&r.variantAt, nil, err.Error())
		}
		f.bad = true
		g.Start = startPosition
	}
	f.pos[0] = g.Start
	f.text, r.intro = r.intro, f.text
}

// push opens a line at p.
func (r *Reader) push(p *position.Position) *frame {
	if n := len(r.frames); n < cap(r.frames) {
		r.frames = r.frames[:n+1]
	} else {
		r.frames = append(r.frames, frame{})
	}
	f := &r.frames[len(r.frames)-1]
	f.pos[0], f.cur, f.bad, f.symbols, f.number, f.novelty = *p, 0, false, 0, false, false
	f.line, f.comment, f.text = f.line[:0], "", f.text[:0]
	return f
}

// take closes the innermost line and returns a copy of it.
func (r *Reader) take() Line {
	f := &r.frames[len(r.frames)-1]
	r.endComment(f)
	r.frames = r.frames[:len(r.frames)-1]
	line := Line{f.comment, slices.Clone(f.line)}
	clear(f.line) // hold no comments and variations
	if cap(f.line) > keptMoves {
		f.line = nil
	}
	return line
}

// beginsGame reports whether the token belongs to the next game already: a tag
// at the beginning of a line or, after an empty line, move number 1, unless it is that
// of Black's reply to the first move. A variation may be unclosed.
func (r *Reader) beginsGame(g *Game, t *token) bool {
	switch t.kind {
	case tokenTag:
		return t.fresh
	case tokenNumber:
		f := &r.frames[len(r.frames)-1]
		return t.blankLine && f.symbols > 0 && string(t.text) == "1" &&
			(f.bad || f.pos[f.cur].Fullmoves() > g.Start.Fullmoves() || !r.scan.ellipsis())
	}
	return false
}

// movetext takes a token among the moves and reports whether it ends the game.
func (r *Reader) movetext(g *Game, t *token) bool {
	if t.kind == tokenBad {
		r.fail(t, nil, t.reason)
		for i := range r.frames {
			r.frames[i].bad = r.frames[i].bad || t.lost
		}
		if len(t.text) == 0 {
			return false
		}
		t.kind = tokenComment // that is not closed
	}
	f := &r.frames[len(r.frames)-1]
	f.novelty = f.novelty && t.kind == tokenSymbol
	switch t.kind {
	case tokenNumber:
		f.number = true
	case tokenSymbol:
		t.text = toUTF8(t.text)
		result, ok := g.ending(t.text)
		if move, rest := cutResult(t.text); !ok && move != nil {
			glued := *t
			glued.text = move
			r.symbol(f, &glued)
			result, ok = g.ending(rest)
		}
		if ok {
			if len(r.frames) > 1 {
				return false // the end of a variation that follows a game
			}
			g.Result = result
			r.trailingComments(f)
			return true
		}
		r.symbol(f, t)
	case tokenNAG:
		r.glyph(f, t)
	case tokenComment:
		r.comment(f, t)
	case tokenOpen:
		r.open(f, t)
	case tokenClose:
		r.close(t)
	case tokenTag:
		r.fail(t, nil, "a tag among the moves")
	}
	return false
}

// symbol handles a move, or a symbol in place of one.
func (r *Reader) symbol(f *frame, t *token) {
	f.symbols++
	if f.bad {
		return
	}
	glyph := assessment(t.text)
	letter := glyph == novelty || glyph == diagram // which may also be a piece
	if glyph != 0 && (!letter || len(f.line) > 0 && !f.number) {
		r.addNAG(f, t, glyph)
		f.novelty = glyph == novelty
		return
	}
	if len(f.line) > 0 && isSuffix(t.text) {
		return
	}
	if r.size += nodeSize; r.size > maxGameSize {
		r.fail(t, nil, "the game is too long")
		f.bad = true
		return
	}
	if f.novelty && f.movesKnight(t.text) {
		r.fail(t, nil, "after N, which may mean a novelty or a knight")
		f.bad = true
		return
	}
	m, err := f.play(t.text)
	var nag byte
	if err != nil {
		var move []byte
		if move, nag = cutAssessment(t.text); nag != 0 {
			m, err = f.play(move)
		}
	}
	if err != nil {
		r.fail(t, err, "")
		f.bad = !isSign(t.text)
		return
	}
	r.endComment(f)
	f.line = append(f.line, Node{Move: m})
	f.number, f.novelty = false, false
	if nag != 0 {
		r.addNAG(f, t, nag)
	}
}

// play plays the move of a text.
func (f *frame) play(text []byte) (chess.Move, error) {
	p, next := &f.pos[f.cur], &f.pos[f.cur^1]
	if isNull(text) {
		if p.InCheck() {
			return chess.NoMove, moveError(string(text), Illegal, "a side in check may not pass")
		}
		p.DoNull(next)
		f.cur ^= 1
		return chess.NoMove, nil
	}
	m, fault, reason := parseSAN(p, text)
	if m == chess.NoMove {
		return m, moveError(string(text), fault, "%s", reason)
	}
	var d position.Delta
	p.Do(m, next, &d)
	f.cur ^= 1
	return m, nil
}

// movesKnight reports whether a text after N would be a move of a knight.
func (f *frame) movesKnight(text []byte) bool {
	m, _, _ := parseSAN(&f.pos[f.cur], append([]byte("N"), text...))
	return m != chess.NoMove
}

// isSuffix reports whether s is the rest of a move that a blank or a mark cut off.
func isSuffix(s []byte) bool {
	switch string(bytes.TrimRight(s, "+#")) {
	case "", "e.p.", "ep":
		return true
	}
	return false
}

// isNull reports whether s is a null move in one of its spellings.
func isNull(s []byte) bool {
	switch string(s) {
	case "--", "Z0", "0000", "@@@@":
		return true
	}
	return false
}

// annotate returns the notes of the last move.
func (r *Reader) annotate(f *frame) *Notes {
	last := &f.line[len(f.line)-1]
	if last.Notes == nil {
		if len(r.notes) == 0 {
			r.notes = make([]Notes, notesChunk)
		}
		last.Notes, r.notes = &r.notes[0], r.notes[1:]
		r.size += notesSize
	}
	return last.Notes
}

// open begins a variation.
func (r *Reader) open(f *frame, t *token) {
	if len(r.frames) > maxDepth {
		r.fail(t, nil, tooDeep)
		f.bad = true
		r.deeper++
		return
	}
	bad := f.bad
	if !bad && len(f.line) == 0 {
		r.fail(t, nil, "a variation without a move before it")
		bad = true
	}
	if r.size += notesSize; r.size > maxGameSize {
		r.fail(t, nil, "the game is too long")
		bad = true
	}
	r.push(&f.pos[f.cur^1]).bad = bad
}

// close ends a variation.
func (r *Reader) close(t *token) {
	if r.deeper > 0 {
		r.deeper--
		return
	}
	if len(r.frames) == 1 {
		r.fail(t, nil, "a closing parenthesis without an opening one")
		return
	}
	line := r.take()
	switch f := &r.frames[len(r.frames)-1]; {
	case f.bad:
	case len(line.Moves) > 0:
		notes := r.annotate(f)
		notes.Variations = append(notes.Variations, line)
	default: // a comment in parentheses
		f.text = join(f.text, line.Comment)
	}
}

// trailingComments reads comments after the result.
func (r *Reader) trailingComments(f *frame) {
	for r.scan.commentFollows() {
		var t token
		if r.scan.next(&t); t.kind == tokenBad { // a comment that is not closed, or too long
			r.fail(&t, nil, t.reason)
		}
		r.comment(f, &t)
	}
}

// finish ends the game before the token.
func (r *Reader) finish(g *Game, t *token) (*Game, error) {
	if len(r.frames) == 0 {
		r.begin(g)
	}
	if len(r.frames) > 1 {
		r.fail(t, nil, "a variation is not closed")
	}
	r.deeper = 0
	for len(r.frames) > 1 {
		r.close(t)
	}
	if f := &r.frames[0]; r.ReuseGame {
		r.endComment(f)
		g.Main = Line{f.comment, f.line}
	} else {
		g.Main = r.take()
	}
	if g.Result == rules.NoResult {
		g.Result, _ = ParseResult(g.Tags.Get("Result"))
	}
	if r.err != nil {
		return g, r.err
	}
	return g, nil
}
