package web

import (
	"cmp"
	"fmt"
	"math"

	"skein/notation"
	"skein/position"
)

// gameTree is a game with variations, as the page has it. The moves of a variation
// replace the move that it is attached to. What follows from the moves is missing where
// the page sends a game, and does not count.
type gameTree struct {
	Tags     []tagPair    `json:"tags,omitempty"`
	FEN      string       `json:"fen"`
	Check    string       `json:"check,omitempty"` // square of the king in check at the start
	Chess960 bool         `json:"chess960,omitempty"`
	Result   string       `json:"result"`
	Opening  *openingView `json:"opening,omitempty"`
	Review   *gameReview  `json:"review,omitempty"`
	lineTree
}

type tagPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// lineTree is a line of moves.
type lineTree struct {
	Comment string     `json:"comment,omitempty"` // before the first move
	Moves   []moveTree `json:"moves"`
}

// moveTree is a move with its annotations. Of a move that the page sends, only its UCI,
// glyphs, comment and variations count, and for a report its review.
type moveTree struct {
	moveView
	FEN        string      `json:"fen"` // after the move
	Check      string      `json:"check,omitempty"`
	Glyphs     []uint16    `json:"glyphs,omitempty"` // numeric annotation glyphs; small, as a request may have millions
	Comment    string      `json:"comment,omitempty"`
	Clock      *float64    `json:"clock,omitempty"` // seconds left to the player, by the comment
	Variations []lineTree  `json:"variations,omitempty"`
	Review     *moveReview `json:"review,omitempty"`
}

// newGameTree describes a game.
func newGameTree(g *notation.Game) *gameTree {
	start := g.Start
	t := &gameTree{FEN: start.FEN(), Check: checkedKing(&start), Chess960: g.Chess960, Result: g.Result.String(),
		Opening: openingOf(start, g.Moves()), lineTree: newLineTree(start, &g.Main, g.Chess960)}
	for _, tag := range g.Tags {
		t.Tags = append(t.Tags, tagPair(tag))
	}
	return t
}

// checkSize returns an error if a line has too many moves.
func checkSize(line *notation.Line) error {
	if n := countMoves(line); n > maxMoves {
		return fmt.Errorf("the game has %d moves with variations, more than %d", n, maxMoves)
	}
	return nil
}

// countMoves returns the number of moves of a line with variations.
func countMoves(line *notation.Line) int {
	n := len(line.Moves)
	for i := range line.Moves {
		variations := line.Moves[i].Notes.Value().Variations
		for j := range variations {
			n += countMoves(&variations[j])
		}
	}
	return n
}

// newLineTree describes a line that begins at p.
func newLineTree(p position.Position, line *notation.Line, chess960 bool) lineTree {
	t := lineTree{Comment: line.Comment, Moves: make([]moveTree, 0, len(line.Moves))}
	for i := range line.Moves {
		node := &line.Moves[i]
		m := moveTree{moveView: newMoveView(&p, node.Move, chess960)}
		notes := node.Notes.Value()
		m.Comment = notes.Comment
		if left, ok := notation.ParseClock(notes.Comment); ok {
			seconds := left.Seconds()
			m.Clock = &seconds
		}
		for _, glyph := range notes.NAGs {
			m.Glyphs = append(m.Glyphs, uint16(glyph))
		}
		for j := range notes.Variations {
			m.Variations = append(m.Variations, newLineTree(p, &notes.Variations[j], chess960))
		}
		p = p.After(node.Move)
		m.FEN, m.Check = p.FEN(), checkedKing(&p)
		t.Moves = append(t.Moves, m)
	}
	return t
}

// game returns the game that the page describes, whose size treeDecoder has checked. The
// error names what is wrong.
func (t *gameTree) game() (*notation.Game, error) {
	start, err := position.Parse(cmp.Or(t.FEN, position.StartFEN), t.Chess960)
	if err != nil {
		return nil, err
	}
	g := notation.NewGame(start, t.Chess960)
	for _, tag := range t.Tags {
		g.Tags.Set(tag.Name, tag.Value)
	}
	if t.Result != "" {
		result, ok := notation.ParseResult(t.Result)
		if !ok {
			return nil, fmt.Errorf("result %q: expected 1-0, 0-1, 1/2-1/2 or *", t.Result)
		}
		g.Result = result
	}
	g.Main, err = t.line(start)
	return g, err
}

// line returns the line, which begins at p.
func (t *lineTree) line(p position.Position) (notation.Line, error) {
	line := notation.Line{Comment: t.Comment}
	for i := range t.Moves {
		m := &t.Moves[i]
		move, err := parseMove(&p, m.UCI)
		if err != nil {
			return line, err
		}
		node := notation.Node{Move: move}
		if err := m.annotate(&node, &p); err != nil {
			return line, err
		}
		line.Moves = append(line.Moves, node)
		p = p.After(move)
	}
	return line, nil
}

// annotate adds the annotations of a move from p.
func (m *moveTree) annotate(node *notation.Node, p *position.Position) error {
	if m.Comment == "" && len(m.Glyphs) == 0 && len(m.Variations) == 0 {
		return nil
	}
	notes := node.Annotate()
	notes.Comment = m.Comment
	for _, glyph := range m.Glyphs {
		if err := between("glyph", int(glyph), 1, math.MaxUint8); err != nil {
			return err
		}
		notes.NAGs = append(notes.NAGs, byte(glyph))
	}
	for i := range m.Variations {
		variation, err := m.Variations[i].line(*p)
		if err != nil {
			return err
		}
		if len(variation.Moves) > 0 {
			notes.Variations = append(notes.Variations, variation)
		}
	}
	return nil
}

// takeReviews takes the reviews of its moves from the same line as it was decoded.
func (t *lineTree) takeReviews(from *lineTree) {
	for i := range t.Moves {
		m, sent := &t.Moves[i], &from.Moves[i]
		m.Review = sent.Review
		for j := range m.Variations {
			m.Variations[j].takeReviews(&sent.Variations[j])
		}
	}
}
