package board

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"strings"

	"skein/chess"
	"skein/position"
)

// side is the side of a square in the units of an SVG.
const side = 100

// SVG returns the board as an SVG document of some ten kilobytes. Its label for
// readers of screens is the FEN.
func SVG(p *position.Position, o Options) string {
	if o.Theme == (Theme{}) {
		o.Theme = LightTheme()
	}
	size := cmp.Or(max(o.Size, 0), DefaultSize)
	s := svg{Options: o}
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d"`,
		size, size, 8*side, 8*side)
	s.printf(" role=\"img\" aria-label=\"%s\">\n", p.FEN())
	s.squares()
	s.marks(p)
	if !o.NoCoordinates {
		s.coordinates()
	}
	s.pieces(p)
	for _, a := range o.Arrows {
		s.arrow(a)
	}
	s.printf("</svg>\n")
	return s.String()
}

// svg is a document being written.
type svg struct {
	Options
	strings.Builder
}

func (s *svg) printf(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// paint returns a color as the value of the attributes fill and fill-opacity or
// stroke and stroke-opacity.
func paint(attribute string, c color.NRGBA) string {
	text := fmt.Sprintf(`%s="#%02x%02x%02x"`, attribute, c.R, c.G, c.B)
	if c.A < 0xff {
		text += fmt.Sprintf(` %s-opacity="%.2f"`, attribute, float64(c.A)/0xff)
	}
	return text
}

// squares draws the empty board.
func (s *svg) squares() {
	s.printf("<path %s d=\"M0 0H%dV%dH0Z\"/>\n", paint("fill", s.Theme.Light), 8*side, 8*side)
	s.fill(^chess.LightSquares, s.Theme.Dark)
}

// fill colors squares.
func (s *svg) fill(squares chess.Bitboard, c color.NRGBA) {
	if squares == 0 {
		return
	}
	s.printf(`<path %s d="`, paint("fill", c))
	for squares != 0 {
		column, row := s.place(squares.Pop())
		s.printf("M%d %dh%dv%dh-%dz", column*side, row*side, side, side, side)
	}
	s.printf("\"/>\n")
}

func (s *svg) marks(p *position.Position) {
	s.fill(s.lastMove(), s.Theme.LastMove)
	for _, m := range s.Marks {
		s.fill(m.Squares, cmp.Or(m.Color, s.Theme.Mark))
	}
	s.fill(checked(p), s.Theme.Check)
}

// coordinates writes the ranks at the left edge and the files at the lower edge,
// inside the squares.
func (s *svg) coordinates() {
	s.printf("<g font-family=\"sans-serif\" font-weight=\"600\" font-size=\"17\">\n")
	for i := range 8 {
		rank, file := s.square(0, i), s.square(i, 7)
		s.printf("<text x=\"4\" y=\"%d\" %s>%d</text>\n", i*side+18, s.ink(rank), rank.Rank()+1)
		s.printf("<text x=\"%d\" y=\"%d\" text-anchor=\"end\" %s>%c</text>\n",
			(i+1)*side-4, 8*side-5, s.ink(file), 'a'+file.File())
	}
	s.printf("</g>\n")
}

// ink returns the color of text on a square.
func (s *svg) ink(square chess.Square) string {
	const medium = 118 // a gray on which black and white can be read equally well
	ground := s.Theme.Dark
	if chess.LightSquares.Has(square) {
		ground = s.Theme.Light
	}
	if color.GrayModel.Convert(ground).(color.Gray).Y < medium {
		return paint("fill", s.Theme.White)
	}
	return paint("fill", s.Theme.Outline)
}

func (s *svg) pieces(p *position.Position) {
	s.printf("<g %s>\n", pen)
	for squares := p.Occupied(); squares != 0; {
		square := squares.Pop()
		column, row := s.place(square)
		s.printf(`<g transform="translate(%d %d)"`, column*side, row*side)
		s.piece(p.At(square))
	}
	s.printf("</g>\n")
}

// pen is how the lines of pieces are drawn.
const pen = `stroke-width="3" stroke-linejoin="round" stroke-linecap="round"`

// piece writes the rest of the element g that is open: the colors of a piece as
// attributes, and its paths.
func (s *svg) piece(p chess.Piece) {
	t, d := &s.Theme, &drawings[p.Type()]
	fill, detail := t.White, t.WhiteDetail
	if p.Color() == chess.Black {
		fill, detail = t.Black, t.BlackDetail
	}
	s.printf(` %s %s>`, paint("fill", fill), paint("stroke", t.Outline))
	for _, path := range d.shapes {
		s.printf(`<path d="%s"/>`, path)
	}
	for _, path := range d.details {
		s.printf(`<path fill="none" %s d="%s"/>`, paint("stroke", detail), path)
	}
	s.printf("</g>\n")
}

// PieceSVG returns one piece, which must not be NoPiece, as an SVG document without
// a background or a label. The zero Theme is LightTheme.
func PieceSVG(p chess.Piece, t Theme) string {
	s := svg{Options: Options{Theme: cmp.Or(t, LightTheme())}}
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">`,
		side, side, side, side)
	s.printf("<g %s", pen)
	s.piece(p)
	s.printf("</svg>\n")
	return s.String()
}

// Measures of arrows.
const (
	shaftWidth = 16
	headWidth  = 46
	headLength = 42
	tailGap    = 24 // between the center of the square and the tail
	ringRadius = 44
	ringWidth  = 8
)

func (s *svg) arrow(a Arrow) {
	if a.From >= chess.NoSquare || a.To >= chess.NoSquare {
		return
	}
	ink := cmp.Or(a.Color, s.Theme.Arrow)
	column, row := s.place(a.From)
	x, y := float64(column*side+side/2), float64(row*side+side/2)
	if a.From == a.To {
		s.printf("<circle cx=\"%g\" cy=\"%g\" r=\"%d\" fill=\"none\" stroke-width=\"%d\" %s/>\n",
			x, y, ringRadius, ringWidth, paint("stroke", ink))
		return
	}
	column, row = s.place(a.To)
	dx, dy := float64(column*side+side/2)-x, float64(row*side+side/2)-y
	length := math.Sqrt(dx*dx + dy*dy)
	dx, dy = dx/length, dy/length
	neck := length - headLength
	s.printf(`<path %s d="M`, paint("fill", ink))
	for i, point := range [][2]float64{ // along the arrow and across
		{tailGap, -shaftWidth / 2}, {neck, -shaftWidth / 2}, {neck, -headWidth / 2}, {length, 0},
		{neck, headWidth / 2}, {neck, shaftWidth / 2}, {tailGap, shaftWidth / 2},
	} {
		if i > 0 {
			s.printf("L")
		}
		s.printf("%.1f %.1f", x+point[0]*dx-point[1]*dy, y+point[0]*dy+point[1]*dx)
	}
	s.printf("Z\"/>\n")
}
