package dataset

import (
	"fmt"
	"strconv"
	"strings"

	"skein/chess"
	"skein/internal/record"
	"skein/internal/selfplay"
)

// results are the ways to write a result.
var results = map[string]record.Result{
	"0-1": record.BlackWins, "0": record.BlackWins, "0.0": record.BlackWins,
	"1/2-1/2": record.Draw, "1/2": record.Draw, "0.5": record.Draw,
	"1-0": record.WhiteWins, "1": record.WhiteWins, "1.0": record.WhiteWins,
}

// ParseEPD reads a position with labels from a line of EPD: the score from the
// operation ce, centipawns for the side to move; the result from the first of the
// comments c0 to c9 that is one, or from White's points in brackets behind the
// position, as in [0.5].
func ParseEPD(line string) (Entry, error) {
	p, operations, err := selfplay.ParseEPD(line)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Entry: record.Entry{Position: p, Result: record.Draw}, NoScore: true, NoResult: true}
	if strings.HasPrefix(operations, "[") {
		points, rest, _ := strings.Cut(operations[1:], "]")
		operations = rest
		if !e.setResult(strings.TrimSpace(points)) {
			return e, fmt.Errorf("%q is no result", points)
		}
	}
	for operations != "" {
		var operation string
		operation, operations = cutOperation(operations)
		opcode, operand, _ := strings.Cut(strings.TrimSpace(operation), " ")
		operand = strings.Trim(strings.TrimSpace(operand), `"`)
		switch {
		case opcode == "ce":
			score, err := strconv.ParseInt(operand, 10, 16)
			if err != nil || score == -1<<15 {
				return e, fmt.Errorf("operation ce: %q is no score", operand)
			}
			if p.SideToMove() == chess.Black {
				score = -score
			}
			e.Score, e.NoScore = int16(score), false
		case len(opcode) == 2 && opcode[0] == 'c' && '0' <= opcode[1] && opcode[1] <= '9' && e.NoResult:
			e.setResult(operand)
		}
	}
	return e, nil
}

// setResult reports whether text is a result, and keeps it.
func (e *Entry) setResult(text string) bool {
	r, ok := results[text]
	if ok {
		e.Result, e.NoResult = r, false
	}
	return ok
}

// cutOperation cuts s behind the first semicolon outside quotes.
func cutOperation(s string) (operation, rest string) {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ';' && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
