package notation

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"skein/chess"
	"skein/position"
	"skein/rules"
)

// Game is a game in PGN. The zero value is invalid, since Start must be a
// position; see [NewGame].
type Game struct {
	// Tags are in the order of the file. The Writer makes those of Result,
	// SetUp, FEN and Variant from the fields below, but keeps a Result such as
	// 0-0 where the players got less than a point together.
	Tags     Tags
	Start    position.Position
	Chess960 bool // Chess960 castling rules, from the tags Variant and FEN
	Main     Line
	Result   rules.Result
}

// Line is a sequence of moves, the main line of a game or a variation.
type Line struct {
	Comment string // before the first move
	Moves   []Node
}

// Add appends moves without annotations. They must be legal, each after the ones
// before.
func (l *Line) Add(moves ...chess.Move) {
	for _, m := range moves {
		l.Moves = append(l.Moves, Node{Move: m})
	}
}

// Node is a move with its annotations.
type Node struct {
	Move  chess.Move // NoMove is a null move, written --
	Notes *Notes     // nil if there are none
}

// Notes are the annotations of a move.
type Notes struct {
	NAGs       []byte // numeric annotation glyphs, $1 to $255
	Comment    string // after the move, without line breaks
	Variations []Line // alternatives to the move
}

// Annotate returns the notes of the move, which it creates if there are none.
func (n *Node) Annotate() *Notes {
	if n.Notes == nil {
		n.Notes = &Notes{}
	}
	return n.Notes
}

// Value returns the notes, without any if n is nil.
func (n *Notes) Value() Notes {
	if n == nil {
		return Notes{}
	}
	return *n
}

// NewGame returns a game without moves that starts at p.
func NewGame(p position.Position, chess960 bool) *Game { return &Game{Start: p, Chess960: chess960} }

// Moves returns the moves of the main line.
func (g *Game) Moves() []chess.Move {
	moves := make([]chess.Move, len(g.Main.Moves))
	for i := range g.Main.Moves {
		moves[i] = g.Main.Moves[i].Move
	}
	return moves
}

// After returns the position after the first n >= 0 moves of the main line, or all
// if there are fewer, with the history that the repetition rule needs. Unlike
// [rules.Replay] it plays null moves.
func (g *Game) After(n int) *position.Game {
	at := position.NewGame(g.Start)
	for i := range g.Main.Moves[:min(n, len(g.Main.Moves))] {
		at.Play(g.Main.Moves[i].Move)
	}
	return at
}

// Tag is a tag pair, [Name "Value"] in a file.
type Tag struct{ Name, Value string }

// Tags are the tag pairs of a game. Names are unique.
type Tags []Tag

// Get returns the value of the tag, "" if there is none.
func (t Tags) Get(name string) string {
	for i := range t {
		if t[i].Name == name {
			return t[i].Value
		}
	}
	return ""
}

// has reports whether there is a tag with that name.
func (t Tags) has(name string) bool {
	return slices.ContainsFunc(t, func(tag Tag) bool { return tag.Name == name })
}

// Set sets the value of the tag, which is appended if it is new.
func (t *Tags) Set(name, value string) {
	for i := range *t {
		if (*t)[i].Name == name {
			(*t)[i].Value = value
			return
		}
	}
	*t = append(*t, Tag{name, value})
}

// ParseResult parses what [rules.Result.String] returns, the same with another dash or a
// colon, and other spellings of a draw.
func ParseResult(s string) (rules.Result, bool) { return resultOf([]byte(s)) }

func resultOf(s []byte) (rules.Result, bool) {
	switch string(s) {
	case "1-0", "1–0", "1—0", "1−0", "1\u20110", "1:0":
		return rules.WhiteWins, true
	case "0-1", "0–1", "0—1", "0−1", "0\u20111", "0:1":
		return rules.BlackWins, true
	case "1/2-1/2", "1/2", "½-½", "1/2–1/2", "½–½", "1/2—1/2", "½—½", "1/2−1/2", "½−½", "1/2:1/2", "½:½":
		return rules.Draw, true
	case "*":
		return rules.NoResult, true
	}
	return rules.NoResult, false
}

// forfeits are results by which the players get less than a point together.
var forfeits = []string{"0-0", "1/2-0", "0-1/2"}

// ending returns the result that a symbol among the moves ends the game with, and whether
// it is one. A forfeit by both is none, and 0-0 is castling unless the tag Result has it.
func (g *Game) ending(s []byte) (rules.Result, bool) {
	if slices.Contains(forfeits, string(s)) {
		return rules.NoResult, string(s) != "0-0" || g.Tags.Get("Result") == "0-0"
	}
	return resultOf(s)
}

// cutResult splits off a result that is glued to a move.
func cutResult(s []byte) (move, result []byte) {
	for _, text := range []string{"1/2-1/2", "½-½", "1-0", "0-1"} {
		if move, ok := bytes.CutSuffix(s, []byte(text)); ok && len(move) > 0 {
			return move, s[len(move):]
		}
	}
	return nil, s
}

// PGNError is an error in a game, with its location.
type PGNError struct {
	Game   int // number in the input, from 1
	Line   int // from 1, 0 when writing
	Column int // in bytes, from 1
	Reason string
	Err    error // the *MoveError or *position.FENError that Reason tells of, or nil
}

func (e *PGNError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("game %d: %s", e.Game, e.Reason)
	}
	return fmt.Sprintf("game %d, line %d, column %d: %s", e.Game, e.Line, e.Column, e.Reason)
}

func (e *PGNError) Unwrap() error { return e.Err }

// variant parses the value of the Variant tag, which programs spell differently.
func variant(s string) (chess960, ok bool) {
	squeezed := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
	squeezed = strings.TrimSuffix(squeezed, "chess") // as in Freestyle Chess
	switch {
	case slices.Contains([]string{"", "standard", "normal", "classical", "fromposition", "?"}, squeezed):
		return false, true
	case slices.Contains([]string{"chess960", "960", "frc", "dfrc", "fischerandom", "fischerrandom",
		"doublefischerandom", "doublefischerrandom", "freestyle"}, squeezed):
		return true, true
	}
	return false, false
}

// setUp sets the start of the game from its tags. A FEN whose castling rights are
// valid only in Chess960 is read as Chess960, whatever the Variant tag says.
func (g *Game) setUp() error {
	name := g.Tags.Get("Variant")
	chess960, ok := variant(name)
	if !ok {
		return fmt.Errorf("unknown variant %.40q", name)
	}
	g.Chess960 = chess960
	fen := g.Tags.Get("FEN")
	if fen == "" {
		g.Start = startPosition
		return nil
	}
	var err error
	if chess960 {
		g.Start, err = position.Parse(fen, true)
	} else {
		g.Start, g.Chess960, err = position.ParseAny(fen)
	}
	return err
}

var startPosition = position.Start()
