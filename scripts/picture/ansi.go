package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// cell is a character on the terminal.
type cell struct {
	r     rune
	style style
}

// style is how it looks; empty colors are those of the terminal.
type style struct {
	foreground, background string
	bold, dim              bool
}

func (s style) color() string {
	switch {
	case s.foreground != "":
		return s.foreground
	case s.dim:
		return "#7d8590"
	case s.bold:
		return "#f0f6fc"
	}
	return "#c9d1d9"
}

// parse reads text with SGR sequences of ECMA-48; others are left out.
func parse(text string) [][]cell {
	var lines [][]cell
	var s style
	for line := range strings.Lines(strings.TrimRight(text, "\n ")) {
		var cells []cell
		for rest := strings.TrimRight(line, "\r\n"); rest != ""; {
			if parameters, after, ok := cutSequence(rest); ok {
				s.apply(parameters)
				rest = after
				continue
			}
			r, size := utf8.DecodeRuneInString(rest)
			cells = append(cells, cell{r, s})
			rest = rest[size:]
		}
		lines = append(lines, cells)
	}
	return lines
}

// cutSequence cuts off a control sequence and returns the parameters if it
// sets the style.
func cutSequence(s string) (parameters []string, rest string, ok bool) {
	if !strings.HasPrefix(s, "\x1b[") {
		return nil, s, false
	}
	i := strings.IndexFunc(s[2:], func(r rune) bool { return r >= '@' && r <= '~' })
	if i < 0 {
		return nil, "", true
	}
	if s[2+i] == 'm' {
		parameters = strings.Split(s[2:2+i], ";")
	}
	return parameters, s[2+i+1:], true
}

func (s *style) apply(parameters []string) {
	for len(parameters) > 0 {
		n, _ := strconv.Atoi(parameters[0])
		parameters = parameters[1:]
		switch {
		case n == 0:
			*s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 22:
			s.bold, s.dim = false, false
		case n == 39:
			s.foreground = ""
		case n == 49:
			s.background = ""
		case (n == 38 || n == 48) && len(parameters) >= 2 && parameters[0] == "5":
			index, _ := strconv.Atoi(parameters[1])
			parameters = parameters[2:]
			if n == 38 {
				s.foreground = color(index)
			} else {
				s.background = color(index)
			}
		}
	}
}

// color returns a color of the 256 of terminals: the cube and the grays, and
// black and white for the rest.
func color(index int) string {
	level := func(n int) int {
		if n == 0 {
			return 0
		}
		return 55 + 40*n
	}
	switch {
	case index >= 232:
		n := 8 + 10*(index-232)
		return fmt.Sprintf("#%02x%02x%02x", n, n, n)
	case index >= 16:
		n := index - 16
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	case index == 0:
		return "#000000"
	}
	return "#ffffff"
}
