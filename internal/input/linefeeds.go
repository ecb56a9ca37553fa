package input

import (
	"bufio"
	"bytes"
	"io"
)

// LineFeeds returns a reader of r with a line feed in place of each carriage return
// that none follows, which ended lines on old Macs. Carriage returns before \r\n stay.
func LineFeeds(r io.Reader) io.Reader { return &lineFeeds{bufio.NewReader(r)} }

type lineFeeds struct{ in *bufio.Reader }

// Read implements io.Reader.
func (l *lineFeeds) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	for i := 0; i < n; i++ {
		next := bytes.IndexByte(p[i:n], '\r')
		if next < 0 {
			break
		}
		if i += next; !l.endsLine(p[i+1 : n]) {
			p[i] = '\n'
		}
	}
	return n, err
}

// endsLine reports whether the rest of what was read, or what comes after it, is the
// end of a line after a carriage return.
func (l *lineFeeds) endsLine(rest []byte) bool {
	for i := range len("\r\n") {
		var c byte
		if i < len(rest) {
			c = rest[i]
		} else if ahead, _ := l.in.Peek(i - len(rest) + 1); len(ahead) > i-len(rest) {
			c = ahead[i-len(rest)]
		}
		if c != '\r' {
			return c == '\n'
		}
	}
	return false
}
