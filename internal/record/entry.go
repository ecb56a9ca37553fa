package record

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"skein/chess"
	"skein/position"
	"skein/rules"
)

// ScoreScale is the scale of ExpectedPoints, in units, wherever no other is asked for.
// It is small, so that undecided positions have the most weight.
const ScoreScale = 300

// ExpectedPoints returns the points, 0 to 1, that a score promises, by a sigmoid:
// 1 / (1 + exp(-score/scale)).
func ExpectedPoints(score, scale float64) float64 { return 1 / (1 + math.Exp(-score/scale)) }

// Entry is a single position with a score and the result of its game.
type Entry struct {
	Position position.Position
	Score    chess.Score // White's view, within 16 bits
	Result   rules.Result
}

// points are the results as text, White's points.
var points = [...]string{rules.NoResult: "*", rules.BlackWins: "0.0", rules.Draw: "0.5", rules.WhiteWins: "1.0"}

// String returns "FEN | score | points" with White's points: 0.0, 0.5 or 1.0,
// or "*" without a result, which ParseEntry rejects. Castling rights are file
// letters where KQkq would be ambiguous.
func (e *Entry) String() string {
	return fmt.Sprintf("%s | %d | %s", e.Position.FEN(), e.Score, points[e.Result])
}

// ParseEntry is the inverse of String. Further fields are ignored. The error
// names the field.
func ParseEntry(line string) (Entry, error) {
	fields := strings.Split(line, "|")
	if len(fields) < 3 {
		return Entry{}, fmt.Errorf("expected FEN | score | result, found %d fields", len(fields))
	}
	p, err := position.Parse(fields[0], true)
	if err != nil {
		return Entry{}, err
	}
	text := strings.TrimSpace(fields[1])
	score, err := strconv.ParseInt(text, 10, 16)
	if err != nil {
		return Entry{}, fmt.Errorf("%.40q is not a score", text)
	}
	text = strings.TrimSpace(fields[2])
	for r := rules.BlackWins; r <= rules.WhiteWins; r++ {
		if s := points[r]; s == text || s == text+".0" {
			return Entry{p, chess.Score(score), r}, nil
		}
	}
	return Entry{}, fmt.Errorf("%.40q is not a result: expected 0.0, 0.5 or 1.0", text)
}
