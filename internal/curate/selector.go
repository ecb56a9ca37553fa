package curate

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"strings"

	"skein/chess"
	"skein/internal/record"
	"skein/rules"
)

// Conditions select games or positions. Lists are separated by commas; the empty
// list stands for all.
type Conditions struct {
	Results string  // list of results, as in "1-0,0-1"
	Share   float64 // 0 to 1, random share of what meets the other conditions
	Seed    uint64  // of Share
	Unique  bool    // keep only the first of equal games or positions

	MinPlies, MaxPlies int    // of games; a maximum of 0 means none
	Ends               string // of games: list of reasons, in the words of record.End
	Variant            string // of games: standard, chess960 or "" for both

	MinMen, MaxMen int  // of positions: numbers of pieces, kings and pawns included
	Checks         bool // of positions: keep those in check
}

// validate returns an error that names a condition out of range or unknown.
func (c *Conditions) validate() error {
	switch {
	case !(c.Share >= 0 && c.Share <= 1):
		return fmt.Errorf("share %g is not between 0 and 1", c.Share)
	case min(c.MinPlies, c.MaxPlies, c.MinMen, c.MaxMen) < 0:
		return errors.New("numbers of plies and men must not be negative")
	case c.MaxPlies > 0 && c.MaxPlies < c.MinPlies:
		return fmt.Errorf("no game has at least %d and at most %d plies", c.MinPlies, c.MaxPlies)
	case c.MaxMen > 0 && c.MaxMen < c.MinMen:
		return fmt.Errorf("no position has at least %d and at most %d men", c.MinMen, c.MaxMen)
	case c.Variant != "" && c.Variant != "standard" && c.Variant != "chess960":
		return fmt.Errorf("unknown variant %q", c.Variant)
	}
	result := func(i int) string { return (rules.BlackWins + rules.Result(i)).String() }
	end := func(i int) string { return record.End(i).String() }
	return errors.Join(
		known("result", c.Results, result, rules.WhiteWins.HalfPoints()+1),
		known("end", c.Ends, end, record.NumEnds),
	)
}

// Selector selects the games or positions that meet conditions.
type Selector struct {
	Conditions
	random *rand.Rand
	hash   maphash.Seed
	seen   map[uint64]struct{} // 64-bit hashes of earlier ones, for Unique
}

// NewSelector returns a selector. The error names a condition out of range or unknown.
func NewSelector(c Conditions) (*Selector, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	// With 0 in place of 1 the games would be those that Games.Split holds out.
	return &Selector{c, rand.New(rand.NewPCG(c.Seed, 1)), maphash.MakeSeed(), map[uint64]struct{}{}}, nil
}

// known returns an error if an item of a list is not one of n names.
func known(what, list string, name func(int) string, n int) error {
	for item := range strings.SplitSeq(list, ",") {
		found := list == ""
		for i := range n {
			found = found || name(i) == item
		}
		if !found {
			return fmt.Errorf("unknown %s %q", what, item)
		}
	}
	return nil
}

// in reports whether a list is empty or contains the item.
func in(list, item string) bool {
	return list == "" || strings.Contains(","+list+",", ","+item+",")
}

// game reports whether g meets the conditions.
func (s *Selector) game(g *record.Game) bool {
	variant := "standard"
	if !standard(g) {
		variant = "chess960"
	}
	return in(s.Results, g.Result.String()) && in(s.Ends, g.End.String()) && in(s.Variant, variant) &&
		len(g.Plies) >= s.MinPlies && (s.MaxPlies == 0 || len(g.Plies) <= s.MaxPlies) &&
		s.first(func() uint64 { return maphash.Comparable(s.hash, gameKey(g)) }) && s.chosen()
}

// gameKey returns the start position and the moves, which identify a game.
func gameKey(g *record.Game) string {
	var b strings.Builder
	b.WriteString(g.Start.ShredderFEN())
	for _, ply := range g.Plies {
		b.WriteByte(byte(ply.Move))
		b.WriteByte(byte(ply.Move >> 8))
	}
	return b.String()
}

// standard reports whether the castling rights at the start of g are possible in
// standard chess.
func standard(g *record.Game) bool {
	for color, corners := range [2]chess.Bitboard{chess.A1.Bit() | chess.H1.Bit(), chess.A8.Bit() | chess.H8.Bit()} {
		c := chess.Color(color)
		rooks := g.Start.CastlingRooks(c)
		if rooks&^corners != 0 || rooks != 0 && g.Start.King(c) != chess.E1.Relative(c) {
			return false
		}
	}
	return true
}

// entry reports whether e meets the conditions.
func (s *Selector) entry(e *record.Entry) bool {
	pieces := e.Position.Occupied().Count()
	return in(s.Results, e.Result.String()) && pieces >= s.MinMen && (s.MaxMen == 0 || pieces <= s.MaxMen) &&
		(s.Checks || !e.Position.InCheck()) &&
		s.first(func() uint64 { return uint64(e.Position.Key()) }) && s.chosen()
}

// first reports whether the key is new. Without the condition Unique it always is.
func (s *Selector) first(key func() uint64) bool {
	if !s.Unique {
		return true
	}
	k := key()
	_, old := s.seen[k]
	s.seen[k] = struct{}{}
	return !old
}

// chosen reports at random whether one is in the share.
func (s *Selector) chosen() bool { return s.Share >= 1 || s.random.Float64() < s.Share }
