package dataset

import (
	"fmt"
	"math"
	"strings"

	"skein/chess"
	"skein/internal/record"
	"skein/notation"
	"skein/rules"
)

// results are the notations of results.
var results = map[string]rules.Result{
	"0-1": rules.BlackWins, "0": rules.BlackWins, "0.0": rules.BlackWins,
	"1/2-1/2": rules.Draw, "1/2": rules.Draw, "0.5": rules.Draw,
	"1-0": rules.WhiteWins, "1": rules.WhiteWins, "1.0": rules.WhiteWins,
}

// parseEPD parses a line of EPD as a labeled position: the score from the operation ce, in centipawns for the side to
// move, converted to units of 1/256 pawn; the result from the first of the comments c0 to c9 that is a result, or from
// White's points in brackets after the position, as in [0.5].
func parseEPD(line string) (Entry, error) {
	e := Entry{Entry: record.Entry{Result: rules.Draw}, NoScore: true, NoResult: true}
	before, rest, found := strings.Cut(line, "[")
	if found && !strings.ContainsAny(before, `";`) {
		points, behind, _ := strings.Cut(rest, "]")
		if !e.setResult(strings.TrimSpace(points)) {
			return e, fmt.Errorf("%.40q is not a result", points)
		}
		line = before + behind
	}
	epd, err := notation.ParseEPD(line, true)
	if err != nil {
		return e, err
	}
	e.Position = epd.Position
	for digit := byte('0'); digit <= '9' && e.NoResult; digit++ {
		e.setResult(epd.Text("c" + string(digit)))
	}
	centipawns, ok, err := epd.Int("ce")
	if err == nil && max(centipawns, -centipawns) > math.MaxInt16 {
		err = fmt.Errorf("score %d is beyond %d", centipawns, math.MaxInt16)
	}
	score := chess.Centipawns(centipawns).Score()
	if epd.Position.SideToMove() == chess.Black {
		score = -score
	}
	e.Score, e.NoScore = score, !ok
	return e, err
}

// setResult sets the result to text and reports whether text is a result.
func (e *Entry) setResult(text string) bool {
	r, ok := results[text]
	if ok {
		e.Result, e.NoResult = r, false
	}
	return ok
}
