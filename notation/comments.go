package notation

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// keptComment is the capacity in bytes up to which a buffer of comments is reused.
const keptComment = 64 << 10

func (r *Reader) comment(f *frame, t *token) {
	if !f.bad {
		f.text = r.addComment(f.text, t)
	}
}

// addComment appends a comment to others that belong to the same move. The
// buffer becomes a string only once, so that any number of comments takes time
// and memory in proportion to their length.
func (r *Reader) addComment(to []byte, t *token) []byte {
	text := bytes.TrimSpace(toUTF8(t.text))
	if r.size += len(text); r.size > maxGameSize {
		r.fail(t, nil, "too many comments")
		return to
	}
	if bytes.ContainsAny(text, "\r\n") {
		return join(to, joinLines(string(text)))
	}
	return join(to, text)
}

// join appends a comment, which may be empty, to others.
func join[T string | []byte](to []byte, comment T) []byte {
	if len(to) > 0 && len(comment) > 0 {
		to = append(to, ' ')
	}
	return append(to, comment...)
}

// toUTF8 returns text as it is if it is UTF-8, and otherwise read as Windows-1252.
func toUTF8(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	runes := make([]rune, len(text))
	for i, c := range text {
		if runes[i] = rune(c); c >= 0x80 && c < 0xa0 {
			runes[i] = windows1252[c-0x80]
		}
	}
	return []byte(string(runes))
}

// windows1252 has the characters from 0x80 to 0x9f, where ISO 8859-1 has control
// characters; five are not assigned and stay these.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

// endComment stores the comments read since the last move of the line: no more
// can follow.
func (r *Reader) endComment(f *frame) {
	if len(f.text) == 0 {
		return
	}
	comment := string(f.text)
	if len(f.line) == 0 {
		f.comment = comment
	} else {
		r.annotate(f).Comment = comment
	}
	if f.text = f.text[:0]; cap(f.text) > keptComment {
		f.text = nil
	}
}

// joinLines replaces line breaks and the spaces around them by single spaces.
func joinLines(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' })
	kept := lines[:0]
	for _, line := range lines {
		if line = strings.Trim(line, " \t"); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, " ")
}
