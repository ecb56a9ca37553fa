package web

import (
	"encoding/json"
	"fmt"
)

// treeDecoder decodes a game piece by piece, so that one that is too large is refused
// before it takes memory. Decoded at once, an array of what are not even moves takes a
// hundred times as much as its text.
type treeDecoder struct {
	*json.Decoder
	moves int // decoded so far
}

// What the tree of a request may have at most. Package notation reads and writes as many
// tags and variations in each other.
const (
	maxMoves = 50_000 // with those of variations; a tree has some hundred bytes for each
	maxTags  = 1000   // each is compared with all others
	maxDepth = 200    // of variations in each other
)

var (
	errMoves = fmt.Errorf("the game has more than %d moves with variations", maxMoves)
	errTags  = fmt.Errorf("the game has more than %d tags", maxTags)
	errDepth = fmt.Errorf("the game has more than %d variations in each other", maxDepth)
)

// object decodes an object, and lets field decode the values with their names.
func (d *treeDecoder) object(field func(name string) error) error {
	if err := d.delimiter('{'); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err == nil {
			err = field(name.(string)) // there can be no other token
		}
		if err != nil {
			return err
		}
	}
	return d.delimiter('}')
}

// array decodes an array, and lets element decode one element after the other.
func (d *treeDecoder) array(element func() error) error {
	if err := d.delimiter('['); err != nil {
		return err
	}
	for d.More() {
		if err := element(); err != nil {
			return err
		}
	}
	return d.delimiter(']')
}

func (d *treeDecoder) delimiter(want json.Delim) error {
	token, err := d.Token()
	if err == nil && token != want {
		err = fmt.Errorf("offset %d: expected %v", d.InputOffset(), want)
	}
	return err
}

func unknownField(name string) error { return fmt.Errorf("unknown field %q", name) }

// review decodes a request for a review.
func (d *treeDecoder) review(r *reviewRequest) error {
	return d.object(func(name string) error {
		switch name {
		case "game":
			return d.game(&r.Game)
		case "time_ms":
			return d.Decode(&r.TimeMS)
		case "threads":
			return d.Decode(&r.Threads)
		}
		return unknownField(name)
	})
}

// game decodes a game.
func (d *treeDecoder) game(t *gameTree) error {
	return d.object(func(name string) error {
		switch name {
		case "tags":
			return d.array(func() error { return d.tag(t) })
		case "fen":
			return d.Decode(&t.FEN)
		case "check":
			return d.Decode(&t.Check)
		case "chess960":
			return d.Decode(&t.Chess960)
		case "result":
			return d.Decode(&t.Result)
		case "opening":
			return d.Decode(&t.Opening)
		case "review":
			return d.Decode(&t.Review)
		}
		return d.lineField(&t.lineTree, name, 0)
	})
}

// tag decodes a further tag of a game.
func (d *treeDecoder) tag(t *gameTree) error {
	if len(t.Tags) == maxTags {
		return errTags
	}
	t.Tags = append(t.Tags, tagPair{})
	return d.Decode(&t.Tags[len(t.Tags)-1])
}

// variation decodes a further variation of a move, which is so many deep. None is added
// that has no moves.
func (d *treeDecoder) variation(m *moveTree, depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	line := lineTree{}
	err := d.object(func(name string) error { return d.lineField(&line, name, depth) })
	if len(line.Moves) > 0 {
		m.Variations = append(m.Variations, line)
	}
	return err
}

// lineField decodes a field of a line.
func (d *treeDecoder) lineField(l *lineTree, name string, depth int) error {
	switch name {
	case "comment":
		return d.Decode(&l.Comment)
	case "moves":
		return d.array(func() error { return d.move(l, depth) })
	}
	return unknownField(name)
}

// move decodes a further move of a line.
func (d *treeDecoder) move(l *lineTree, depth int) error {
	if d.moves++; d.moves > maxMoves {
		return errMoves
	}
	l.Moves = append(l.Moves, moveTree{})
	m := &l.Moves[len(l.Moves)-1]
	return d.object(func(name string) error {
		switch name {
		case "uci":
			return d.Decode(&m.UCI)
		case "san":
			return d.Decode(&m.SAN)
		case "squares":
			return d.Decode(&m.Squares)
		case "fen":
			return d.Decode(&m.FEN)
		case "check":
			return d.Decode(&m.Check)
		case "glyphs":
			return d.Decode(&m.Glyphs)
		case "comment":
			return d.Decode(&m.Comment)
		case "clock":
			return d.Decode(&m.Clock)
		case "variations":
			return d.array(func() error { return d.variation(m, depth+1) })
		case "review":
			return d.Decode(&m.Review)
		}
		return unknownField(name)
	})
}
