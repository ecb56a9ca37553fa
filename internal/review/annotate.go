package review

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"skein/chess"
	"skein/notation"
	"skein/position"
)

// Annotate writes the review into g, which must be the game that was reviewed: the
// score after each move as a command %eval, glyphs and words for verdicts, best
// lines as variations, and the opening, the engine and its limit as tags. What an
// earlier review wrote is replaced: evaluations, the glyphs ?!, ? and ??, words and
// variations; other comments, clocks among them, glyphs and variations remain.
func (g *Game) Annotate(to *notation.Game) {
	if g.Opening != nil && to.Tags.Get("ECO") == "" {
		to.Tags.Set("ECO", g.Opening.ECO)
	}
	if g.Opening != nil && to.Tags.Get("Opening") == "" {
		to.Tags.Set("Opening", g.Opening.Name)
	}
	if name := g.Annotator(); name != "" {
		to.Tags.Set("Annotator", name)
	}
	if len(g.Plies) > 0 {
		to.Main.Comment = join(notation.FormatEval(chess.Score(g.Score)), withoutReview(to.Main.Comment))
	}
	at := to.Start
	for i := range g.Plies {
		g.Plies[i].annotate(&to.Main.Moves[i], &at)
		at = at.After(to.Main.Moves[i].Move)
	}
}

// ownCurve is in the tag Annotator if chances are those of the engine's curve.
const ownCurve = "the engine's curve of chances"

// Annotator returns the value of the tag Annotator: the engine, the limit of its
// searches, and the curve of chances if it is not that of lichess.
func (g *Game) Annotator() string {
	parts := []string{g.Engine, g.Limit}
	if g.Curve == Engine {
		parts = append(parts, ownCurve)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// CurveOf returns the curve of a reviewed game with that tag Annotator.
func CurveOf(annotator string) Curve {
	if strings.HasSuffix(annotator, ownCurve) {
		return Engine
	}
	return Lichess
}

// annotate writes the review of a move in the position at.
func (p *Ply) annotate(node *notation.Node, at *position.Position) {
	notes := node.Annotate()
	notes.NAGs = p.glyphs(notes.NAGs, writtenVerdict(notes.Value()))
	said := ""
	if p.After.table() && !p.Before.table() {
		winner, _ := p.After.Winner()
		said = fmt.Sprintf("Table win for %s.", strings.ToUpper(winner.String()[:1])+winner.String()[1:])
	}
	best := words().best.FindAllString(notes.Comment, -1)
	notes.Variations = slices.DeleteFunc(notes.Variations, func(l notation.Line) bool {
		return isReview(&l, at, best)
	})
	notes.Comment = join(notation.FormatEval(chess.Score(p.After)), p.Words, said, withoutReview(notes.Comment))
	if !p.Verdict.Fault() || len(p.best) == 0 {
		return
	}
	better := notation.Line{}
	better.Add(p.best...)
	better.Moves[len(better.Moves)-1].Annotate().Comment = notation.FormatEval(chess.Score(p.Before))
	notes.Variations = append(notes.Variations, better)
}

// glyphs returns the glyphs of a move with that of the verdict in place of faults,
// of that of an earlier review, and, if there is a verdict, of others for the quality
// of the move. None is there twice.
func (p *Ply) glyphs(given []byte, earlier Verdict) (list []byte) {
	const lastQuality = 9
	if p.Verdict != None {
		list = append(list, p.Verdict.NAG())
	}
	for _, nag := range given {
		replaced := fault([]byte{nag}) != None || p.Verdict != None && nag <= lastQuality ||
			earlier != None && nag == earlier.NAG()
		if !replaced && !slices.Contains(list, nag) {
			list = append(list, nag)
		}
	}
	return list
}

// What a review writes into comments: an evaluation with words after it, and, if it
// was lichess, a change of the score in words anywhere, or the best move in words as
// a sentence of its own.
const (
	faultWords   = `(Inaccuracy|Mistake|Blunder)(, (allows|misses) mate in \d+)?\.`
	lichessWords = `(` + faultWords + `|(Checkmate is now unavoidable|Lost forced checkmate sequence|` +
		`Not the best checkmate sequence)\.)`
	bestWords = `( \S+ was best\.)`
)

// words are the patterns of these, compiled at the first review and not whenever the engine starts.
var words = sync.OnceValue(func() (w struct{ own, change, other, best *regexp.Regexp }) {
	w.own = regexp.MustCompile(`\[%eval [^\]]*\]( (` + faultWords + `|(Good move|Brilliant move|The only move|` +
		`Mate in \d+ was possible)\.)` + bestWords + `?)?( Table win for (White|Black)\.)? ?`)
	w.change = regexp.MustCompile(`\([^()]* → [^()]*\) ` + lichessWords + bestWords + `? ?`)
	w.other = regexp.MustCompile(`(^|[\].!?] +)` + lichessWords + bestWords + ` ?`)
	w.best = regexp.MustCompile(bestWords)
	return w
})

// withoutReview returns a comment without what a review wrote.
func withoutReview(comment string) string {
	w := words()
	comment = w.change.ReplaceAllString(w.own.ReplaceAllString(comment, ""), "")
	return strings.TrimSpace(w.other.ReplaceAllString(comment, "$1"))
}

// isReview reports whether a variation from the position at was written by a review:
// best, the sentences of the comment of the move played such as " Rf2 was best.", names its
// first move, its last move has an evaluation, and there is nothing else in it.
func isReview(l *notation.Line, at *position.Position, best []string) bool {
	if len(l.Moves) == 0 || l.Comment != "" ||
		!slices.Contains(best, " "+notation.FormatSAN(at, l.Moves[0].Move)+" was best.") {
		return false
	}
	last := len(l.Moves) - 1
	for i := range l.Moves {
		n := l.Moves[i].Notes.Value()
		if len(n.NAGs) > 0 || len(n.Variations) > 0 || i < last && n.Comment != "" {
			return false
		}
	}
	comment := l.Moves[last].Notes.Value().Comment
	_, scored := notation.ParseEval(comment, chess.White)
	return scored && withoutReview(comment) == ""
}

// join joins the texts that are not empty by spaces.
func join(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), " ")
}
