package notation

import (
	"bytes"
	"strings"
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
	text := bytes.TrimSpace(t.text)
	if r.size += len(text); r.size > maxGameSize {
		r.fail(t, nil, "too many comments")
		return to
	}
	if len(text) == 0 {
		return to
	}
	if len(to) > 0 {
		to = append(to, ' ')
	}
	if bytes.ContainsAny(text, "\r\n") {
		return append(to, joinLines(string(text))...)
	}
	return append(to, text...)
}

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
