package console

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"skein/internal/terminal"
)

// screen describes an output.
type screen struct {
	terminal bool // the cursor can be moved
	width    int  // columns; 0 is unlimited
	height   int
	color    bool
	unicode  bool
}

// screenOf returns the properties of w.
func screenOf(w io.Writer) screen {
	_, _, ok := terminal.Size(w)
	if f, isFile := w.(*os.File); !ok || !isFile || !understandsEscapes(f) {
		return screen{}
	}
	s := screen{terminal: true, color: os.Getenv("NO_COLOR") == "", unicode: isUnicode()}
	s.measure(w)
	return s
}

// measure takes note of the size of the terminal w, which may have changed. A smaller one
// than output can be fitted to counts as such a one.
func (s *screen) measure(w io.Writer) {
	if width, height, ok := terminal.Size(w); ok && s.terminal {
		s.width, s.height = max(width, 20), max(height, 10)
	}
}

// fromFiles returns the writer of what was read from files: Out, without control
// characters if it is a terminal.
func (c *call) fromFiles() io.Writer {
	if c.screen.terminal {
		return terminal.PrintableWriter{W: c.Out}
	}
	return c.Out
}

// isUnicode reports whether the locale uses UTF-8.
func isUnicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(os.Getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// Escape sequences of ECMA-48.
const (
	clearBelow = "\x1b[J"
	bold       = "\x1b[1m"
	dim        = "\x1b[2m"
	plain      = "\x1b[0m"
)

// styled returns text in a style if the screen has colors.
func (s *screen) styled(style, text string) string {
	if !s.color {
		return text
	}
	return style + text + plain
}

// live is a block of lines at the end of a terminal that is updated in place. Its
// methods are safe for concurrent use.
type live struct {
	w    io.Writer
	mu   sync.Mutex // guards text and the output
	text string     // drawn
}

// draw replaces the block.
func (l *live) draw(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replace(text)
}

// above calls write, whose output the terminal shows above the block.
func (l *live) above(write func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.text
	l.replace("")
	write()
	l.replace(text)
}

// replace is draw for callers that hold mu.
func (l *live) replace(text string) {
	if l.text == "" && text == "" {
		return
	}
	var up string
	if n := strings.Count(l.text, "\n"); n > 0 {
		up = fmt.Sprintf("\x1b[%dA", n)
	}
	io.WriteString(l.w, up+"\r"+clearBelow+text)
	l.text = text
}

// fit truncates text to a number of columns, if possible at a space that does not
// follow a move number.
func fit(text string, columns int) string {
	if columns <= 0 || utf8.RuneCountInString(text) <= columns {
		return text
	}
	cut := string([]rune(text)[:columns+1])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		if j := strings.LastIndexByte(cut[:i], ' '); j > 0 && cut[i-1] == '.' {
			i = j
		}
		return cut[:i]
	}
	return string([]rune(text)[:columns])
}
