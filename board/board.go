/*
Package board draws positions: as SVG for pages and files, and as text for
terminals, with the last move, checks, marked squares and, in SVG, arrows.

	p, err := position.Parse(fen, false)
	...
	svg := board.SVG(&p, board.Options{
		Flipped:  true,
		LastMove: move,
		Arrows:   []board.Arrow{{From: chess.D8, To: chess.D1}},
	})
	err = os.WriteFile("board.svg", []byte(svg), 0o644)
	fmt.Print(board.Text(&p, board.Options{Unicode: true}))

An SVG is self-contained, without scripts, styles, fonts and identifiers, so that
any number of them can be part of the same page. The pieces were drawn for this
package.

The functions are safe for concurrent use. The zero Options draw the plain board
from White's side.
*/
package board

import (
	"image/color"

	"skein/chess"
	"skein/position"
)

// Options say how to draw a board. The second group of fields is for SVG only, the
// third for text only.
type Options struct {
	Flipped       bool // Black is at the bottom
	NoCoordinates bool
	LastMove      chess.Move // its origin and target are marked, unless it is NoMove
	Marks         []Mark     // later ones cover earlier ones

	Arrows []Arrow
	Size   int   // width and height in pixels; DefaultSize if it is not positive
	Theme  Theme // the zero Theme is LightTheme

	Color   bool // with escape sequences for terminals of 256 colors
	Unicode bool // chess symbols in place of letters
}

// DefaultSize is the width and height of an SVG in pixels.
const DefaultSize = 400

// Mark colors squares. In text all marks look the same.
type Mark struct {
	Squares chess.Bitboard
	Color   color.NRGBA // the zero Color is that of the theme
}

// Arrow points from the center of one square to that of another. An arrow with
// the same square twice is a circle around it, and one with a square that does not
// exist is not drawn.
type Arrow struct {
	From, To chess.Square
	Color    color.NRGBA // the zero Color is that of the theme
}

// Theme has the colors of an SVG. Those of marks and arrows are usually
// translucent.
type Theme struct {
	Light, Dark  color.NRGBA // squares
	LastMove     color.NRGBA
	Check        color.NRGBA // the square of a king in check
	Mark, Arrow  color.NRGBA
	White, Black color.NRGBA // pieces; White is also that of coordinates on squares darker than medium gray
	Outline      color.NRGBA // of all pieces, and of other coordinates
	WhiteDetail  color.NRGBA // lines on the white pieces
	BlackDetail  color.NRGBA // lines on the black pieces
}

// LightTheme returns colors for pages with a light background.
func LightTheme() Theme {
	return Theme{
		Light: rgb(0xece7d8), Dark: rgb(0x8aa37b),
		LastMove: translucent(0xe8b923, 0x88), Check: translucent(0xd8352a, 0xb8),
		Mark: translucent(0x3b82c4, 0x90), Arrow: translucent(0x1f6f50, 0xc0),
		White: rgb(0xfdfcf8), Black: rgb(0x3c3a38), Outline: rgb(0x1c1b1a),
		WhiteDetail: rgb(0x1c1b1a), BlackDetail: rgb(0xd9d5cc),
	}
}

// DarkTheme returns colors for pages with a dark background.
func DarkTheme() Theme {
	t := LightTheme()
	t.Light, t.Dark = rgb(0x8f98a3), rgb(0x56606c)
	t.White, t.Black, t.Outline = rgb(0xf2f0ea), rgb(0x24262a), rgb(0x101114)
	t.WhiteDetail, t.BlackDetail = t.Outline, rgb(0xb9bec6)
	t.LastMove, t.Arrow = translucent(0xc9a227, 0x90), translucent(0x7fd1ae, 0xc0)
	return t
}

func rgb(hex uint32) color.NRGBA { return translucent(hex, 0xff) }

func translucent(hex uint32, alpha uint8) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: alpha}
}

// lastMove returns the squares of the last move: for castling those where the
// king stood and stands.
func (o *Options) lastMove() chess.Bitboard {
	m := o.LastMove
	switch {
	case m == chess.NoMove:
		return 0
	case m.IsCastling():
		king, _ := m.CastlingTargets()
		return m.From().Bit() | king.Bit()
	}
	return m.From().Bit() | m.To().Bit()
}

// checked returns the square of a king in check.
func checked(p *position.Position) chess.Bitboard {
	if !p.InCheck() {
		return 0
	}
	return p.King(p.SideToMove()).Bit()
}

// square returns the square in a column from the left and a row from the top,
// both from 0.
func (o *Options) square(column, row int) chess.Square {
	if o.Flipped {
		return chess.MakeSquare(7-column, row)
	}
	return chess.MakeSquare(column, 7-row)
}

// place returns the column and row of a square.
func (o *Options) place(s chess.Square) (column, row int) {
	if o.Flipped {
		return 7 - s.File(), s.Rank()
	}
	return s.File(), 7 - s.Rank()
}
