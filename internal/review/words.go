package review

import (
	"fmt"
	"strings"

	"skein/chess"
)

// verdictWords are the verdicts as they begin a comment.
var verdictWords = []string{None: "", Inaccuracy: "Inaccuracy", Mistake: "Mistake", Blunder: "Blunder",
	Good: "Good move", Brilliant: "Brilliant move", OnlyMove: "The only move"}

// words returns the verdict of a move of side in words, "" if there is nothing to
// say: "Blunder, allows mate in 3. Rf2 was best." Best is the best move in SAN, ""
// if it was played.
func (p *Ply) words(side chess.Color, best string) string {
	var b strings.Builder
	b.WriteString(verdictWords[p.Verdict])
	before, _ := p.Before.Of(side).Mate()
	after, _ := p.After.Of(side).Mate()
	switch mateChange(p.Before, p.After, side) {
	case mateCreated:
		if p.Verdict.Fault() {
			fmt.Fprintf(&b, ", allows mate in %d", -after)
		}
	case mateLost:
		if p.Verdict.Fault() {
			fmt.Fprintf(&b, ", misses mate in %d", before)
		}
	case mateDelayed:
		if p.Verdict == None && best != "" {
			fmt.Fprintf(&b, "Mate in %d was possible", before)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	b.WriteString(".")
	if best != "" {
		fmt.Fprintf(&b, " %s was best.", best)
	}
	return b.String()
}
