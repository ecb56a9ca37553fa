// Command picture draws the contents of a terminal as an SVG file, for the README.
// It reads text with escape sequences for colors, such as from
//
//	tmux capture-pane -p -e -N -t SESSION | go run ./scripts/picture -o docs/analysis.svg
//
// Empty lines at the end are omitted, long lines truncated.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"io"
	"log"
	"os"
	"strings"
)

const (
	charWidth, lineHeight = 7.8, 18 // pixels at a font size of 13
	margin, titleHeight   = 14, 30
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("picture: ")
	out := flag.String("o", "docs/analysis.svg", "file to write")
	columns := flag.Int("columns", 80, "width of the terminal")
	flag.Parse()
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, draw(parse(string(text)), *columns), 0o644); err != nil {
		log.Fatal(err)
	}
}

func draw(lines [][]cell, columns int) []byte {
	width := float64(columns)*charWidth + 2*margin
	height := titleHeight + len(lines)*lineHeight + margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d"`, width, height)
	b.WriteString(` font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13">` + "\n")
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#1b1f24"/>`+"\n")
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="15" r="5" fill="%s"/>`+"\n", 18+16*i, color)
	}
	for row, line := range lines {
		line = line[:min(len(line), columns)]
		for from := 0; from < len(line); {
			to := from + 1
			for to < len(line) && line[to].style == line[from].style && line[to].r < 0x80 && line[from].r < 0x80 {
				to++
			}
			drawRun(&b, row, from, line[from:to])
			from = to
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
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
