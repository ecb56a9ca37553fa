package board

import (
	"fmt"
	"strings"

	"skein/chess"
	"skein/position"
)

// Text returns the board as text, a line for each rank and one for the files, each
// ended by a line break. A square is three columns wide.
//
// Without color the squares of the last move are in brackets, the king in check
// in parentheses, marked squares in braces, and the empty dark squares are dots.
// Arrows are not drawn.
func Text(p *position.Position, o Options) string {
	var sb strings.Builder
	for _, line := range Lines(p, o) {
		sb.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return sb.String()
}

// Lines returns the lines of Text without line breaks. All are equally wide on the
// screen, for callers that write something beside the board.
func Lines(p *position.Position, o Options) []string {
	marks := map[byte]chess.Bitboard{'[': o.lastMove(), '(': checked(p)}
	for _, m := range o.Marks {
		marks['{'] |= m.Squares
	}
	var lines []string
	files := "   "
	for row := range 8 {
		var sb strings.Builder
		if !o.NoCoordinates {
			fmt.Fprintf(&sb, " %d ", o.square(0, row).Rank()+1)
		}
		for column := range 8 {
			square := o.square(column, row)
			mark := byte(' ')
			for _, sign := range []byte("[{(") {
				if marks[sign].Has(square) {
					mark = sign
				}
			}
			sb.WriteString(o.cell(p.At(square), chess.LightSquares.Has(square), mark))
		}
		lines = append(lines, sb.String())
		files += fmt.Sprintf(" %c ", 'a'+o.square(row, 0).File())
	}
	if !o.NoCoordinates {
		lines = append(lines, files)
	}
	return lines
}

// closing has the signs that close a mark.
var closing = map[byte]byte{' ': ' ', '[': ']', '{': '}', '(': ')'}

// backgrounds has the colors of marks on terminals of 256 colors.
var backgrounds = map[byte]int{'[': 136, '{': 67, '(': 160}

// cell draws one square, three columns wide.
func (o *Options) cell(piece chess.Piece, light bool, mark byte) string {
	symbol := string(piece.Letter())
	switch {
	case piece == chess.NoPiece && (o.Color || light):
		symbol = " "
	case piece == chess.NoPiece:
		symbol = "."
	case o.Unicode && o.Color:
		symbol = string([]rune("♟♞♝♜♛♚")[piece.Type()]) // the full shapes, in two colors
	case o.Unicode:
		symbol = string([]rune("♙♘♗♖♕♔♟♞♝♜♛♚")[int(piece.Type())+6*int(piece.Color())])
	}
	if !o.Color {
		return fmt.Sprintf("%c%s%c", mark, symbol, closing[mark])
	}
	background, foreground := 65, 231
	if light {
		background = 108
	}
	if b, ok := backgrounds[mark]; ok {
		background = b
	}
	if piece.Color() == chess.Black {
		foreground = 16
	}
	return fmt.Sprintf("\x1b[38;5;%d;48;5;%dm %s \x1b[0m", foreground, background, symbol)
}
