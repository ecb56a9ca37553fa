// Command picture draws a terminal session with the engine as an SVG file, for
// the README:
//
//	go run ./scripts/picture -o docs/analysis.svg ./engine "position startpos moves e2e4 e7e5 g1f3" "go depth 12"
//
// It shows the command line as typed and what the program prints. Long lines
// are cut off.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"log"
	"os"
	"os/exec"
	"strings"
	"unicode/utf8"
)

const (
	charWidth, lineHeight = 7.8, 18 // pixels at a font size of 13
	margin, titleHeight   = 14, 30
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("picture: ")
	out := flag.String("o", "docs/analysis.svg", "file to write")
	columns := flag.Int("columns", 110, "width of the terminal")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("no command given")
	}
	output, err := exec.Command(flag.Arg(0), flag.Args()[1:]...).Output()
	if err != nil {
		log.Fatalf("%s: %v", flag.Arg(0), err)
	}
	lines := []string{"$ " + commandLine(flag.Args())}
	lines = append(lines, strings.Split(strings.TrimRight(string(output), "\n"), "\n")...)
	if err := os.WriteFile(*out, draw(lines, *columns), 0o644); err != nil {
		log.Fatal(err)
	}
}

// commandLine quotes arguments with blanks, as one would type them.
func commandLine(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		if strings.ContainsAny(arg, " \t") {
			arg = `"` + arg + `"`
		}
		quoted[i] = arg
	}
	return strings.Join(quoted, " ")
}

func draw(lines []string, columns int) []byte {
	width := float64(columns)*charWidth + 2*margin
	height := titleHeight + len(lines)*lineHeight + margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#1b1f24"/>`+"\n")
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="15" r="5" fill="%s"/>`+"\n", 18+16*i, color)
	}
	for i, line := range lines {
		if utf8.RuneCountInString(line) > columns {
			line = string([]rune(line)[:columns-1]) + "…"
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s" xml:space="preserve">%s</text>`+"\n",
			margin, titleHeight+(i+1)*lineHeight-4, lineColor(line), html.EscapeString(line))
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func lineColor(line string) string {
	switch {
	case strings.HasPrefix(line, "$ "):
		return "#7ee787"
	case strings.HasPrefix(line, "bestmove"):
		return "#ffd866"
	}
	return "#c9d1d9"
}
