package board

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"skein/chess"
	"skein/position"
)

func parse(t *testing.T, fen string) position.Position {
	t.Helper()
	p, err := position.Parse(fen, true)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// elements parses an SVG and returns for each name of an element the attributes
// of all such elements.
func elements(t *testing.T, svg string) map[string][]map[string]string {
	t.Helper()
	found := map[string][]map[string]string{}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if start, ok := token.(xml.StartElement); ok {
			attributes := map[string]string{}
			for _, a := range start.Attr {
				attributes[a.Name.Local] = a.Value
			}
			found[start.Name.Local] = append(found[start.Name.Local], attributes)
		}
	}
}

const inCheck = "4k3/8/8/8/8/8/8/q3K2R w K - 0 1"

// TestPieces looks for the pieces of a position in SVG, from both sides.
func TestPieces(t *testing.T) {
	p := parse(t, inCheck)
	theme := LightTheme()
	for _, test := range []struct {
		flipped bool
		want    map[string]color.NRGBA
	}{
		{false, map[string]color.NRGBA{"400 0": theme.Black, "0 700": theme.Black,
			"400 700": theme.White, "700 700": theme.White}},
		{true, map[string]color.NRGBA{"300 700": theme.Black, "700 0": theme.Black,
			"300 0": theme.White, "0 0": theme.White}},
	} {
		found := elements(t, SVG(&p, Options{Flipped: test.flipped}))
		pieces := 0
		for _, g := range found["g"] {
			place, ok := strings.CutPrefix(g["transform"], "translate(")
			if !ok {
				continue
			}
			pieces++
			want, ok := test.want[strings.TrimSuffix(place, ")")]
			if fill := paint("fill", want); !ok || fill != `fill="`+g["fill"]+`"` {
				t.Errorf("flipped %v: a piece %s at %s", test.flipped, g["fill"], place)
			}
		}
		if pieces != len(test.want) {
			t.Errorf("flipped %v: %d pieces", test.flipped, pieces)
		}
	}
}

// TestPieceSVG compares pieces alone with those of a board.
func TestPieceSVG(t *testing.T) {
	p := position.Start()
	whole := SVG(&p, Options{})
	for _, letter := range "PNBRQKpnbrqk" {
		piece := chess.PieceOf(byte(letter))
		alone := PieceSVG(piece, Theme{})
		elements(t, alone) // it is well-formed
		_, paths, _ := strings.Cut(alone, `stroke-linecap="round"`)
		if paths = strings.TrimSuffix(paths, "</svg>\n"); len(paths) < 100 || !strings.Contains(whole, paths) {
			t.Errorf("%c: %s is not in the board", letter, paths)
		}
		d := drawings[piece.Type()]
		if n := strings.Count(paths, "<path "); n != len(d.shapes)+len(d.details) {
			t.Errorf("%c: %d paths", letter, n)
		}
	}
}

// TestDrawings checks that the pieces lie on their square and differ.
func TestDrawings(t *testing.T) {
	number := regexp.MustCompile(`[0-9.]+`)
	seen := map[string]bool{}
	for kind, d := range drawings {
		all := strings.Join(d.shapes, "") + strings.Join(d.details, "")
		if len(d.shapes) == 0 || seen[all] {
			t.Errorf("piece %v is not drawn, or drawn like another", chess.PieceType(kind))
		}
		seen[all] = true
		for _, text := range number.FindAllString(all, -1) {
			if n, err := strconv.ParseFloat(text, 64); err != nil || n < 0 || n > side {
				t.Errorf("piece %v: coordinate %s", chess.PieceType(kind), text)
			}
		}
		if strings.Trim(all, "MHVLQCAZ0123456789. ") != "" {
			t.Errorf("piece %v: a path with other commands than these: %s", chess.PieceType(kind), all)
		}
	}
}

// TestMarks looks for the squares and arrows that options ask for.
func TestMarks(t *testing.T) {
	p := parse(t, inCheck)
	theme := DarkTheme()
	red := color.NRGBA{R: 255, A: 255}
	castling := chess.NewCastling(chess.E8, chess.H8) // the king is now on g8
	e2 := chess.E2
	for _, test := range []struct {
		name, element, want string
		options             Options
		count               int
	}{
		{"check", "path", paint("fill", theme.Check) + ` d="M400 700h100v100h-100z"`, Options{}, 1},
		{"check, flipped", "path", paint("fill", theme.Check) + ` d="M300 0h100v100h-100z"`, Options{Flipped: true}, 1},
		{"no last move", "path", paint("fill", theme.LastMove), Options{}, 0},
		{"last move", "path", paint("fill", theme.LastMove) + ` d="M0 700h100v100h-100zM0 0h100v100h-100z"`,
			Options{LastMove: chess.NewMove(chess.A8, chess.A1)}, 1},
		{"castling", "path", paint("fill", theme.LastMove) + ` d="M400 0h100v100h-100zM600 0h100v100h-100z"`,
			Options{LastMove: castling}, 1},
		{"mark", "path", paint("fill", theme.Mark) + ` d="M400 600h100v100h-100z"`,
			Options{Marks: []Mark{{Squares: e2.Bit()}}}, 1},
		{"colored mark", "path", `fill="#ff0000" d="M400 600h100v100h-100z"`,
			Options{Marks: []Mark{{e2.Bit(), red}, {0, red}}}, 1},
		{"translucent mark", "path", `fill="#ff0000" fill-opacity="0.50" d="M400 600h100v100h-100z"`,
			Options{Marks: []Mark{{e2.Bit(), color.NRGBA{R: 255, A: 128}}}}, 1},
		{"arrow", "path", paint("fill", theme.Arrow) +
			` d="M458.0 626.0L718.4 278.8L706.4 269.8L750.0 250.0L743.2 297.4L731.2 288.4L470.8 635.6Z"`,
			Options{Arrows: []Arrow{{From: e2, To: chess.H6}}}, 1},
		{"arrows off the board", "path", paint("fill", theme.Arrow),
			Options{Arrows: []Arrow{{From: e2, To: chess.NoSquare}, {From: chess.NoSquare, To: e2}}}, 0},
		{"colored arrows", "path", `fill="#ff0000"`,
			Options{Arrows: []Arrow{{chess.A1, chess.H8, red}, {chess.H8, e2, red}}}, 2},
		{"circle", "circle", `cx="450" cy="650" r="44"`, Options{Arrows: []Arrow{{From: e2, To: e2}}}, 1},
		{"light squares", "path", paint("fill", theme.Light) + ` d="M0 0H800V800H0Z"`, Options{}, 1},
		{"dark squares", "path", paint("fill", theme.Dark) + ` d="M0 700h100v100h-100zM200 700h`, Options{}, 1},
		{"coordinates", "text", "", Options{}, 16},
		{"rank on a light square", "text", `x="4" y="18" ` + paint("fill", theme.Outline) + ">8<", Options{}, 1},
		{"file on a dark square", "text", `x="696" y="795" text-anchor="end" ` + paint("fill", theme.White) + ">g<",
			Options{}, 1},
		{"no coordinates", "text", "", Options{NoCoordinates: true}, 0},
		{"default size", "svg", `width="400" height="400"`, Options{Size: -1}, 1},
		{"size", "svg", `width="96" height="96" viewBox="0 0 800 800"`, Options{Size: 96}, 1},
		{"label", "svg", `aria-label="` + inCheck + `"`, Options{}, 1},
	} {
		test.options.Theme = theme
		text := SVG(&p, test.options)
		elements(t, text) // it is well-formed
		count := 0
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "<"+test.element+" ") && strings.Contains(line, test.want) {
				count++
			}
		}
		if count != test.count {
			t.Errorf("%s: %d elements %s with %s, want %d, in\n%s",
				test.name, count, test.element, test.want, test.count, text)
		}
	}
	calm := position.Start()
	if text := SVG(&calm, Options{}); strings.Contains(text, paint("fill", LightTheme().Check)) {
		t.Errorf("a king that is not in check is marked in\n%s", text)
	}
}

// TestCoordinates reads the coordinates along the edges.
func TestCoordinates(t *testing.T) {
	p := parse(t, inCheck)
	label := regexp.MustCompile(`>(.)</text>`)
	for flipped, want := range map[bool]string{false: "8a7b6c5d4e3f2g1h", true: "1h2g3f4e5d6c7b8a"} {
		got := ""
		for _, m := range label.FindAllStringSubmatch(SVG(&p, Options{Flipped: flipped}), -1) {
			got += m[1]
		}
		if got != want {
			t.Errorf("flipped %v: %s", flipped, got)
		}
	}
}

// TestContrast measures how well the coordinates can be read on their squares.
func TestContrast(t *testing.T) {
	const least = 4.5 // by the Web Content Accessibility Guidelines
	for name, theme := range map[string]Theme{"light": LightTheme(), "dark": DarkTheme()} {
		s := svg{Options: Options{Theme: theme}}
		for square, ground := range map[chess.Square]color.NRGBA{chess.A1: theme.Dark, chess.H1: theme.Light} {
			ink := s.ink(square)
			var c color.NRGBA
			if _, err := fmt.Sscanf(ink, `fill="#%02x%02x%02x"`, &c.R, &c.G, &c.B); err != nil {
				t.Fatalf("%s: %v", ink, err)
			}
			a, b := luminance(c)+0.05, luminance(ground)+0.05
			if contrast := max(a/b, b/a); contrast < least {
				t.Errorf("%s theme: %s on %v has the contrast %.1f", name, ink, ground, contrast)
			}
		}
	}
}

// luminance returns the relative luminance of an opaque color, 0 to 1.
func luminance(c color.NRGBA) float64 {
	linear := func(part uint8) float64 {
		if part <= 10 {
			return float64(part) / 255 / 12.92
		}
		return math.Pow((float64(part)/255+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func TestText(t *testing.T) {
	p := parse(t, inCheck)
	last := chess.NewMove(chess.A8, chess.A1)
	marks := []Mark{{Squares: chess.FileBB(7)}, {Squares: chess.E1.Bit() | chess.A8.Bit()}}
	for i, test := range []struct {
		options   Options
		line      int
		want      string
		lineCount int
	}{
		{Options{}, 0, " 8     .     .  k  .     .", 9},
		{Options{}, 7, " 1  q     .    (K)    .  R", 9},
		{Options{}, 8, "    a  b  c  d  e  f  g  h", 9},
		{Options{Flipped: true}, 0, " 1  R  .    (K)    .     q", 9},
		{Options{Flipped: true}, 8, "    h  g  f  e  d  c  b  a", 9},
		{Options{NoCoordinates: true}, 7, " q     .    (K)    .  R", 8},
		{Options{LastMove: last}, 0, " 8 [ ] .     .  k  .     .", 9},
		{Options{LastMove: last}, 7, " 1 [q]    .    (K)    .  R", 9},
		{Options{LastMove: last, Marks: marks}, 0, " 8 { } .     .  k  .    {.}", 9},
		{Options{LastMove: last, Marks: marks}, 7, " 1 [q]    .    (K)    . {R}", 9},
		{Options{Unicode: true}, 7, " 1  ♛     .    (♔)    .  ♖", 9},
		{Options{Color: true, NoCoordinates: true}, 0, cells("108 65 108 65 108:k 65 108 65"), 8},
		{Options{Color: true, NoCoordinates: true, LastMove: last, Marks: marks}, 7,
			cells("136:q 108 65 108 160:K 108 65 67:R"), 8},
	} {
		lines := strings.Split(strings.TrimSuffix(Text(&p, test.options), "\n"), "\n")
		if len(lines) != test.lineCount || lines[test.line] != test.want {
			t.Errorf("case %d: line %d of %d is %q, want %q", i, test.line, len(lines), lines[test.line], test.want)
		}
	}
	colored := Text(&p, Options{Color: true, Unicode: true})
	for _, want := range []string{"\x1b[38;5;231;48;5;160m ♚ \x1b[0m", "\x1b[38;5;16;48;5;108m ♚ \x1b[0m"} {
		if !strings.Contains(colored, want) {
			t.Errorf("no %q in %q", want, colored)
		}
	}
	for _, line := range Lines(&p, Options{}) {
		if len(line) != 27 {
			t.Errorf("the width of %q is not 27", line)
		}
	}
}

// cells returns squares with these backgrounds and pieces, in color.
func cells(list string) string {
	var sb strings.Builder
	for _, cell := range strings.Fields(list) {
		background, piece, _ := strings.Cut(cell, ":")
		foreground := "231"
		if piece == "" {
			piece = " "
		} else if piece >= "a" {
			foreground = "16"
		}
		sb.WriteString("\x1b[38;5;" + foreground + ";48;5;" + background + "m " + piece + " \x1b[0m")
	}
	return sb.String()
}
