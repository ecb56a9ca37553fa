package notation

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"skein/internal/input"
)

// scanner splits PGN into tokens. It holds at most one buffer and one comment of
// its input.
type scanner struct {
	src       io.Reader
	err       error // why no more can be read
	buf       []byte
	pos, end  int
	line      int
	lineStart int // index in buf of the first byte of the line, possibly negative
	fresh     bool
	blankLine bool
	text      []byte // of the last token, unless that is in buf
}

const (
	bufferSize = 64 << 10
	maxComment = 1 << 20 // bytes

	endOfDOSFile = 0x1a
)

type tokenKind uint8

const (
	tokenEnd     tokenKind = iota // end of the input
	tokenTag                      // name and text
	tokenNumber                   // move number
	tokenSymbol                   // move, result or a suffix of a move
	tokenNAG                      // text is its digits, or ! and ? marks
	tokenComment                  // text without braces
	tokenOpen
	tokenClose
	tokenBad // invalid; see reason
)

// token is valid until the next one is read.
type token struct {
	kind         tokenKind
	fresh        bool // first on its line
	blankLine    bool // an empty line comes before
	line, column int
	name, text   []byte // name of a tag, also of one that cannot be read
	reason       string
	lost         bool // the rest of the line was skipped, and moves may be missing
}

// symbolByte marks the bytes of moves, results and move numbers.
var symbolByte = func() (is [256]bool) {
	for _, c := range []byte("_+#=:-/@~") {
		is[c] = true
	}
	for c := range is {
		is[c] = is[c] || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
	}
	return is
}()

// The blanks of typeset games, the dots after their move numbers, and characters
// without width that come with a copy from a page or a message.
const (
	noBreakSpace       = "\u00a0"
	thinSpace          = "\u2009"
	zeroWidthSpace     = "\u200b"
	leftToRightMark    = "\u200e"
	narrowNoBreakSpace = "\u202f"
	ellipsisSign       = "\u2026"

	// Two of them in Windows-1252.
	noBreakSpace1252 = "\xa0"
	ellipsisSign1252 = "\x85"
)

// typesetBlank returns the length in bytes of such a blank at the beginning of b, 0 if
// there is none. b does not begin within a character.
func typesetBlank(b []byte) int {
	for _, blank := range []string{
		noBreakSpace, thinSpace, zeroWidthSpace, leftToRightMark, narrowNoBreakSpace, ellipsisSign,
		noBreakSpace1252, ellipsisSign1252,
	} {
		if bytes.HasPrefix(b, []byte(blank)) {
			return len(blank)
		}
	}
	return 0
}

func newScanner(r io.Reader) scanner {
	return scanner{src: input.LineFeeds(input.UTF8(r)), buf: make([]byte, bufferSize), line: 1, fresh: true}
}

// more moves the bytes from index keep on to the beginning of the buffer and reads
// more input after them. It returns false at the end of the input, or if the
// buffer is full.
func (s *scanner) more(keep int) bool {
	copy(s.buf, s.buf[keep:s.end])
	s.pos -= keep
	s.end -= keep
	s.lineStart -= keep
	if s.err != nil || s.end == len(s.buf) {
		return false
	}
	for range 100 {
		n, err := s.src.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// ahead returns the next n bytes from pos on, or fewer at the end of the input.
func (s *scanner) ahead(n int) []byte {
	for s.end-s.pos < n && s.more(s.pos) {
	}
	return s.buf[s.pos:min(s.pos+n, s.end)]
}

// newLine records that pos is after a line break.
func (s *scanner) newLine() {
	s.line++
	s.lineStart = s.pos
}

// skipBlanks moves to the next token and skips dots and lines that begin with %.
// It returns false at the end.
func (s *scanner) skipBlanks() bool {
	for {
		for s.pos < s.end {
			switch c := s.buf[s.pos]; c {
			case ' ', '\t', '\r', '\v', '\f', '.', 0, endOfDOSFile:
				s.pos++
			case '\n':
				s.pos++
				s.newLine()
				s.blankLine = s.blankLine || s.fresh
				s.fresh = true
			case '%':
				if s.pos != s.lineStart {
					return true
				}
				s.fresh = false // the line is not empty
				s.skipLine()
			case input.ByteOrderMark[0]:
				if string(s.ahead(len(input.ByteOrderMark))) != input.ByteOrderMark {
					return true
				}
				if s.pos == s.lineStart {
					s.lineStart += len(input.ByteOrderMark)
				}
				s.pos += len(input.ByteOrderMark)
			case noBreakSpace[0], ellipsisSign[0], noBreakSpace1252[0], ellipsisSign1252[0]: // of the others, too
				n := typesetBlank(s.ahead(utf8.UTFMax))
				if n == 0 {
					return true
				}
				s.pos += n
			default:
				return true
			}
		}
		if !s.more(s.pos) {
			return false
		}
	}
}

// skipLine moves to the end of the line.
func (s *scanner) skipLine() {
	for {
		if i := bytes.IndexByte(s.buf[s.pos:s.end], '\n'); i >= 0 {
			s.pos += i
			return
		}
		s.pos = s.end
		if !s.more(s.pos) {
			return
		}
	}
}

// next reads the next token.
func (s *scanner) next(t *token) {
	found := s.skipBlanks()
	*t = token{fresh: s.fresh, blankLine: s.blankLine, line: s.line, column: s.pos - s.lineStart + 1}
	s.fresh, s.blankLine = false, false
	if !found {
		return
	}
	switch c := s.buf[s.pos]; {
	case symbolByte[c]:
		s.symbol(t)
	case c == '*': // a result, even right after a move
		s.pos++
		t.kind, t.text = tokenSymbol, s.buf[s.pos-1:s.pos]
	case c == '{':
		s.braces(t)
	case c == ';':
		s.restOfLine(t)
	case c == '(' || c == ')':
		s.pos++
		t.kind = tokenOpen
		if c == ')' {
			t.kind = tokenClose
		}
	case c == '$' || c == '!' || c == '?':
		s.glyph(t, c)
	case c == '[':
		s.tag(t)
	default:
		s.pos++
		t.kind, t.reason = tokenBad, fmt.Sprintf("unexpected character %q", c)
	}
}

// span returns the longest run of bytes from pos on for which is returns true;
// the byte at pos is always part of it.
func (s *scanner) span(is func(c byte) bool) []byte {
	start := s.pos
	s.pos++
	for {
		for s.pos < s.end && is(s.buf[s.pos]) {
			s.pos++
		}
		if s.pos < s.end {
			return s.buf[start:s.pos]
		}
		more := s.more(start)
		if start = 0; !more {
			return s.buf[:s.pos]
		}
	}
}

// symbol reads a move number, a result or a move, which may end in e.p.
func (s *scanner) symbol(t *token) {
	start, digits := s.pos, true
	for {
		for s.pos < s.end && symbolByte[s.buf[s.pos]] && s.buf[s.pos] < utf8.RuneSelf {
			digits = digits && s.buf[s.pos]-'0' <= 9
			s.pos++
		}
		if s.pos < s.end && s.buf[s.pos] < utf8.RuneSelf {
			break
		}
		if s.end-s.pos < utf8.UTFMax {
			more := s.more(start)
			start = 0
			if more {
				continue
			}
		}
		if s.pos == s.end || typesetBlank(s.buf[s.pos:s.end]) > 0 {
			break
		}
		digits = false
		_, size := utf8.DecodeRune(s.buf[s.pos:s.end])
		s.pos += size
	}
	t.text, t.kind = s.buf[start:s.pos], tokenSymbol
	if digits && string(t.text) != "0000" {
		t.kind = tokenNumber
	}
	switch s.buf[s.pos-1] {
	case 'e':
		t.text = s.enPassantSuffix(t.text)
	case '1', '8':
		if c := t.text[0]; isFile(c) || c == 'P' {
			t.text = s.promotionSuffix(t.text)
		}
	}
}

// ellipsis reports whether dots of a move of Black come next, after its number. The text
// of the last token is then no longer valid.
func (s *scanner) ellipsis() bool {
	const most = 8 // with blanks
	dots := 0
	next := s.ahead(most)
	if bytes.HasPrefix(next, []byte(ellipsisSign)) || bytes.HasPrefix(next, []byte(ellipsisSign1252)) {
		return true
	}
	for _, c := range next {
		switch c {
		case '.':
			dots++
		case ' ', '\t':
		default:
			return dots > 1
		}
	}
	return dots > 1
}

// enPassantSuffix joins the rest of "e.p." to a move that ends in e.
func (s *scanner) enPassantSuffix(text []byte) []byte {
	s.text = append(s.text[:0], text...)
	if string(s.ahead(2)) != ".p" {
		return s.text
	}
	s.text = append(s.text, ".p"...)
	s.pos += 2
	if string(s.ahead(1)) == "." {
		s.text = append(s.text, '.')
		s.pos++
	}
	return s.text
}

// promotionSuffix joins "(Q)" to a move of a pawn.
func (s *scanner) promotionSuffix(text []byte) []byte {
	s.text = append(s.text[:0], text...)
	if next := s.ahead(3); len(next) == 3 && next[0] == '(' && next[2] == ')' {
		s.text = append(s.text, next...)
		s.pos += len(next)
	}
	return s.text
}

// glyph reads $5 or !?.
func (s *scanner) glyph(t *token, first byte) {
	t.kind = tokenNAG
	if first == '$' {
		t.text = s.span(func(c byte) bool { return c >= '0' && c <= '9' })[1:]
	} else {
		t.text = s.span(func(c byte) bool { return c == '!' || c == '?' })
	}
}

// commentFollows reports whether a comment comes next, on this line or at the
// beginning of the next one.
func (s *scanner) commentFollows() bool {
	for i, broken := 0, false; ; i++ {
		next := s.ahead(i + 1)
		if len(next) <= i {
			return false
		}
		switch c := next[i]; {
		case c == '{' || c == ';':
			return true
		case c == '\n' && !broken:
			broken = true
		case strings.IndexByte(blanks, c) < 0:
			return false
		}
	}
}

// restOfLine reads a comment after a semicolon.
func (s *scanner) restOfLine(t *token) {
	t.kind = tokenComment
	s.text = s.text[:0]
	s.pos++
	for {
		chunk := s.buf[s.pos:s.end]
		i := bytes.IndexByte(chunk, '\n')
		if i >= 0 {
			chunk = chunk[:i]
		}
		s.addText(chunk)
		s.pos += len(chunk)
		if i >= 0 || !s.more(s.pos) {
			s.endText(t)
			return
		}
	}
}

// addText adds to the comment that is read, up to one byte more than it may have.
func (s *scanner) addText(text []byte) {
	s.text = append(s.text, text[:min(len(text), maxComment+1-len(s.text))]...)
}

// endText ends the comment that was read.
func (s *scanner) endText(t *token) {
	if t.text = s.text; len(s.text) > maxComment {
		t.kind, t.text, t.reason = tokenBad, nil, commentTooLong
	}
}

const (
	commentTooLong = "a comment of more than a mebibyte"
	tagTooLong     = "a tag of more than 64 KiB"
	tooManyTags    = "too many tags"
)

// maxEventTag is the length of the longest beginning of a tag Event that ends an
// unclosed comment, up to the quote.
const maxEventTag = 32

// isEventTag reports whether text begins with a tag Event.
func isEventTag(text []byte) bool {
	text, ok := bytes.CutPrefix(text, []byte("["))
	if !ok {
		return false
	}
	text, ok = bytes.CutPrefix(bytes.TrimLeft(text, " \t"), []byte("Event"))
	return ok && bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte{'"'})
}

// braces reads a comment in braces. An unclosed comment ends before the next game.
func (s *scanner) braces(t *token) {
	t.kind = tokenComment
	s.text = s.text[:0]
	s.pos++
	for {
		i := s.pos
		for i < s.end && s.buf[i] != '}' && s.buf[i] != '\n' {
			i++
		}
		s.addText(s.buf[s.pos:i])
		s.pos = i
		switch {
		case i == s.end:
			if !s.more(s.pos) {
				t.kind, t.reason = tokenBad, "the comment is not closed"
				s.endText(t)
				return
			}
			continue
		case s.buf[i] == '}':
			s.pos++
			s.endText(t)
			return
		}
		s.pos++
		s.newLine()
		s.addText([]byte{'\n'})
		if isEventTag(s.ahead(maxEventTag)) {
			s.fresh = true
			t.kind, t.reason = tokenBad, "the comment is not closed before the next game"
			s.endText(t)
			return
		}
	}
}

// tag reads [Name "value"]. It asks for more input only if the tag does not end
// in the buffer, as a line may consist of many tags.
func (s *scanner) tag(t *token) {
	start := s.pos
	n := s.parseTag(t, s.buf[start:s.end], tagValue)
	if n < 0 && (t.fresh || bracket(s.buf[start:s.end]) < 0) {
		for more := true; more && bytes.IndexByte(s.buf[start:s.end], '\n') < 0; start = 0 {
			more = s.more(start)
		}
		line, _, _ := bytes.Cut(s.buf[start:s.end], []byte{'\n'})
		if n = s.parseTag(t, line, tagValue); n < 0 {
			n = s.parseTag(t, line, lastTagValue)
		}
	}
	if n < 0 {
		s.badTag(t, start)
		return
	}
	t.kind = tokenTag
	s.pos = start + n
}

// badTag skips a tag that begins at start and cannot be read: one among moves to
// its bracket, if that comes before a quote, others with the rest of their line.
func (s *scanner) badTag(t *token, start int) {
	rest := s.buf[start:s.end]
	name, _ := tagName(rest[1:])
	s.text = append(s.text[:0], name...) // as the buffer moves
	t.kind, t.name, t.reason = tokenBad, s.text, `a tag that is not of the form [Name "value"]`
	if n := bracket(rest); n >= 0 && !t.fresh {
		s.pos = start + n
		return
	}
	if len(rest) == bufferSize && bytes.IndexByte(rest, '\n') < 0 {
		t.reason = tagTooLong
	}
	s.pos, t.lost = start, true
	s.skipLine()
}

// bracket returns the number of bytes up to and with a closing bracket that comes
// before any quote and the end of the line, -1 if there is none.
func bracket(b []byte) int {
	if i := bytes.IndexAny(b, "]\"\n"); i >= 0 && b[i] == ']' {
		return i + 1
	}
	return -1
}

// parseTag parses the tag that begins line with a function for its value. It
// returns the size of the tag in bytes, -1 if there is none.
func (s *scanner) parseTag(t *token, line []byte, value func(b, s []byte) ([]byte, int)) int {
	name, rest := tagName(line[1:])
	if len(name) == 0 || len(rest) == 0 || rest[0] != '"' {
		return -1
	}
	var n int
	if s.text, n = value(s.text[:0], rest[1:]); n < 0 {
		return -1
	}
	t.name, t.text = name, s.text
	return len(line) - len(rest) + 1 + n
}

// tagName cuts off the name of a tag.
func tagName(s []byte) (name, rest []byte) {
	s = bytes.TrimLeft(s, blanks)
	i := 0
	for i < len(s) && isTagName(s[i]) {
		i++
	}
	return s[:i], bytes.TrimLeft(s[i:], blanks)
}

const blanks = " \t\r"

func isTagName(c byte) bool { return c > ' ' && c != '"' && c != '[' && c != ']' }

// tagValue appends to b the value that begins s and returns how many bytes of
// s it takes up to and with the closing bracket, -1 if there is none in the line.
// A quote that no bracket follows belongs to the value.
func tagValue(b, s []byte) ([]byte, int) {
	for i := 0; i < len(s) && s[i] != '\n'; i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
			c = s[i]
		case c == '"':
			if rest := bytes.TrimLeft(s[i+1:], blanks); len(rest) > 0 && rest[0] == ']' {
				return b, len(s) - len(rest) + 1
			}
		}
		if c == '\r' {
			c = ' '
		}
		b = append(b, c)
	}
	return b, -1
}

// lastTagValue is tagValue for a value with a backslash at its end, which would
// leave the tag open; s ends with the line.
func lastTagValue(b, s []byte) ([]byte, int) {
	whole := bytes.TrimRight(s, blanks)
	if body, ok := bytes.CutSuffix(whole, []byte(`"]`)); ok {
		return append(b, bytes.ReplaceAll(body, []byte{'\r'}, []byte{' '})...), len(whole)
	}
	return b, -1
}
