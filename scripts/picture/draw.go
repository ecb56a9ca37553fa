package main

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
)

const (
	charWidth, lineHeight = 7.8, 18 // pixels at a font size of 13
	margin, titleHeight   = 14, 30
)

// draw draws screens one after another, the last one for the time hold. Someone
// who asked for reduced motion sees the last one.
func draw(screens []screen, hold time.Duration, columns int) []byte {
	rows := 0
	for _, s := range screens {
		rows = max(rows, len(s.lines))
	}
	m := movie{columns: columns, end: screens[len(screens)-1].at + hold}
	var body bytes.Buffer
	for row := range rows {
		for from := 0; from < len(screens); {
			line := lineOf(screens[from], row)
			to := from + 1
			for to < len(screens) && slices.Equal(lineOf(screens[to], row), line) {
				to++
			}
			m.line(&body, row, line, screens, from, to)
			from = to
		}
	}
	width := float64(columns)*charWidth + 2*margin
	height := titleHeight + rows*lineHeight + margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d"`, width, height)
	b.WriteString(` font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13">` + "\n")
	if m.style.Len() > 0 {
		fmt.Fprintf(&b, "<style>@media (prefers-reduced-motion: no-preference) {\n%s}</style>\n", &m.style)
	}
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#1b1f24"/>`+"\n")
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="15" r="5" fill="%s"/>`+"\n", 18+16*i, color)
	}
	b.Write(body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// lineOf returns a line of a screen, which is empty below the last one.
func lineOf(s screen, row int) []cell {
	if row < len(s.lines) {
		return s.lines[row]
	}
	return nil
}

// movie collects the animations of a picture.
type movie struct {
	columns int
	end     time.Duration
	style   bytes.Buffer
	known   map[[2]int]bool // intervals of screens that have a style
}

// line draws a line that is the same on the screens from..to-1.
func (m *movie) line(b *bytes.Buffer, row int, line []cell, screens []screen, from, to int) {
	always := from == 0 && to == len(screens)
	if !always && len(line) > 0 {
		fmt.Fprintf(b, `<g class="%s"`, m.interval(screens, from, to))
		if to < len(screens) {
			b.WriteString(` visibility="hidden"`)
		}
		b.WriteString(">\n")
	}
	drawLine(b, row, line[:min(len(line), m.columns)])
	if !always && len(line) > 0 {
		b.WriteString("</g>\n")
	}
}

// interval returns the class of what is visible on the screens from..to-1 only.
func (m *movie) interval(screens []screen, from, to int) string {
	name := fmt.Sprintf("s%d-%d", from, to)
	if m.known[[2]int{from, to}] {
		return name
	}
	if m.known == nil {
		m.known = map[[2]int]bool{}
	}
	m.known[[2]int{from, to}] = true
	percent := func(at time.Duration) float64 { return 100 * float64(at) / float64(m.end) }
	fmt.Fprintf(&m.style, ".%s{animation:%s %.2fs step-end infinite}", name, name, m.end.Seconds())
	fmt.Fprintf(&m.style, "@keyframes %s{", name)
	if from > 0 {
		fmt.Fprintf(&m.style, "0%%{visibility:hidden}")
	}
	fmt.Fprintf(&m.style, "%.2f%%{visibility:visible}", percent(screens[from].at))
	if to < len(screens) {
		fmt.Fprintf(&m.style, "%.2f%%{visibility:hidden}", percent(screens[to].at))
	}
	m.style.WriteString("}\n")
	return name
}

// drawLine draws a line of the terminal in runs of one style.
func drawLine(b *bytes.Buffer, row int, line []cell) {
	for from := 0; from < len(line); {
		to := from + 1
		for to < len(line) && line[to].style == line[from].style && line[to].r < 0x80 && line[from].r < 0x80 {
			to++
		}
		drawRun(b, row, from, line[from:to])
		from = to
	}
}

// drawRun draws cells of one style. Other characters than ASCII, whose widths
// no font can be trusted with, come alone.
func drawRun(b *bytes.Buffer, row, column int, run []cell) {
	var text strings.Builder
	for _, c := range run {
		text.WriteRune(c.r)
	}
	x, y := margin+float64(column)*charWidth, titleHeight+row*lineHeight
	s := run[0].style
	if s.background != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", x, y,
			float64(len(run))*charWidth+0.2, lineHeight, s.background)
	}
	if strings.TrimSpace(text.String()) == "" {
		return
	}
	attributes := ` fill="` + s.color() + `"`
	if s.bold {
		attributes += ` font-weight="bold"`
	}
	if run[0].r >= 0x80 {
		attributes += ` text-anchor="middle"`
		x += charWidth / 2
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d"%s xml:space="preserve">%s</text>`+"\n", x, y+lineHeight-5, attributes,
		html.EscapeString(text.String()))
}
