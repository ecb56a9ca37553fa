package notation

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// isSign reports whether s takes the place of a glyph and not of a move: it has
// characters outside ASCII, but neither letters nor digits.
func isSign(s []byte) bool {
	return bytes.ContainsFunc(s, func(c rune) bool { return c >= utf8.RuneSelf }) &&
		!bytes.ContainsFunc(s, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

// novelty and diagram are the glyphs of the letters N and D after a move.
const (
	novelty = 146
	diagram = 201
)

// assessment returns the glyph of signs such as "+-" and of those letters, 0 if s is not
// one.
func assessment(s []byte) byte {
	switch string(s) {
	case "‼":
		return 3
	case "⁇":
		return 4
	case "⁉": // !?
		return 5
	case "⁈": // ?!
		return 6
	case "□":
		return 7
	case "=":
		return 10
	case "~", "∞":
		return 13
	case "+=", "+/=", "⩲":
		return 14
	case "=+", "=/+", "⩱":
		return 15
	case "+/-", "±":
		return 16
	case "-/+", "∓":
		return 17
	case "+-", "+−":
		return 18
	case "-+", "−+":
		return 19
	case "+--":
		return 20
	case "--+":
		return 21
	case "N":
		return novelty
	case "D":
		return diagram
	}
	return 0
}

// cutAssessment splits a move to which a sign such as "+-" is glued; nag is its glyph,
// 0 if there is none.
func cutAssessment(s []byte) (move []byte, nag byte) {
	for n := min(len("+−"), len(s)-1); n > 0; n-- {
		if nag = assessment(s[len(s)-n:]); nag != 0 {
			return s[:len(s)-n], nag
		}
	}
	return s, 0
}

// glyph parses $1 or marks such as "!".
func (r *Reader) glyph(f *frame, t *token) {
	var nag byte
	switch string(t.text) {
	case "!":
		nag = 1
	case "?":
		nag = 2
	case "!!":
		nag = 3
	case "??":
		nag = 4
	case "!?":
		nag = 5
	case "?!":
		nag = 6
	default:
		if len(bytes.Trim(t.text, "!?")) == 0 && len(t.text) > 0 {
			return // such as !!!, which has no number
		}
		n, err := strconv.ParseUint(string(t.text), 10, 8)
		if err != nil {
			r.fail(t, nil, fmt.Sprintf("%.40q is not an annotation glyph", string(t.text)))
			return
		}
		nag = byte(n)
	}
	if !f.bad && nag != 0 {
		r.addNAG(f, t, nag)
	}
}

// addNAG adds to the last move; without one the glyph is lost.
func (r *Reader) addNAG(f *frame, t *token, nag byte) {
	if len(f.line) == 0 {
		return
	}
	notes := r.annotate(f)
	if len(notes.NAGs) == maxNAGs {
		r.fail(t, nil, tooManyNAGs)
		return
	}
	notes.NAGs = append(notes.NAGs, nag)
}
