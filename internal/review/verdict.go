package review

import (
	"fmt"
	"slices"

	"skein/chess"
)

// Verdict is the quality of a move.
type Verdict uint8

// The verdicts. Only the first four are given without [Options.Praise].
const (
	None       Verdict = iota
	Inaccuracy         // ?!
	Mistake            // ?
	Blunder            // ??
	Good               // !
	Brilliant          // !!
	OnlyMove           // □
)

// verdicts are the names in JSON, glyphs and numeric annotation glyphs of the
// verdicts.
var verdicts = []struct {
	name, glyph string
	nag         byte
}{{"", "", 0}, {"inaccuracy", "?!", 6}, {"mistake", "?", 2}, {"blunder", "??", 4}, {"good", "!", 1},
	{"brilliant", "!!", 3}, {"only", "□", 7}}

// String returns the name of the verdict, such as "blunder", "" for None.
func (v Verdict) String() string { return verdicts[v].name }

// Glyph returns the glyph of the verdict, such as "??", "" for None.
func (v Verdict) Glyph() string { return verdicts[v].glyph }

// NAG returns the numeric annotation glyph of the verdict, 0 for None.
func (v Verdict) NAG() byte { return verdicts[v].nag }

// Fault reports whether the move is an inaccuracy, mistake or blunder.
func (v Verdict) Fault() bool { return v >= Inaccuracy && v <= Blunder }

// MarshalText implements encoding.TextMarshaler.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *Verdict) UnmarshalText(text []byte) error {
	for i := range verdicts {
		if verdicts[i].name == string(text) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("unknown verdict %q", text)
}

// fault returns the fault with a numeric annotation glyph, None if there is none.
func fault(nags []byte) Verdict {
	for v := Blunder; v > None; v-- {
		if slices.Contains(nags, v.NAG()) {
			return v
		}
	}
	return None
}

// thresholds are the chances whose loss makes a fault, 0 to 1, by curve: of an
// inaccuracy, a mistake and a blunder.
var thresholds = [][3]float64{Lichess: {0.05, 0.10, 0.15}, Engine: {0.10, 0.20, 0.30}}

// judge returns the fault of a move of side that is not the best one, by the scores
// before and after it, None if it is no fault.
func (c Curve) judge(before, after Score, side chess.Color) Verdict {
	if c == Lichess {
		switch mateChange(before, after, side) {
		case mateCreated:
			return byAdvantage(-before.Of(side).Centipawns())
		case mateLost:
			if after.Of(side).IsLoss() {
				return Blunder
			}
			return byAdvantage(after.Of(side).Centipawns())
		case mateKept:
			return None
		}
	}
	loss := c.lost(before, after, side)
	for v := Blunder; v > None; v-- {
		if loss >= thresholds[c][v-Inaccuracy] {
			return v
		}
	}
	return None
}

// byAdvantage returns the fault of a move that loses a mate or lets one happen, by
// the advantage in centipawns that the winning side had or keeps without it.
func byAdvantage(centipawns chess.Centipawns) Verdict {
	switch {
	case centipawns > 999:
		return Inaccuracy
	case centipawns > 700:
		return Mistake
	}
	return Blunder
}

// change is what a move does to a mate.
type change uint8

const (
	noMate      change = iota // there is no mate before the move nor after
	mateKept                  // the game was won or lost anyway, or the move mates or escapes a mate
	mateDelayed               // a mate, later than possible
	mateCreated               // the opponent mates now
	mateLost                  // the player does not mate any more
)

// mateChange returns what a move of side does to a mate. A win by endgame tables
// is as good as a mate.
func mateChange(before, after Score, side chess.Color) change {
	b, a := before.Of(side), after.Of(side)
	was, mateBefore := b.Mate()
	is, mateAfter := a.Mate()
	switch {
	case !mateBefore && !mateAfter:
		return noMate
	case mateBefore && mateAfter && b.IsWin() && a.IsWin() && is >= was:
		return mateDelayed
	case mateAfter && a.IsLoss() && !b.IsLoss() && !(mateBefore && b.IsWin()):
		return mateCreated
	case mateBefore && b.IsWin() && !a.IsWin():
		return mateLost
	}
	return mateKept
}
