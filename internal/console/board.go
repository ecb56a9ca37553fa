package console

import (
	"fmt"
	"strings"

	"skein/chess"
	"skein/notation"
	"skein/position"
)

// board draws the position with facts beside it and its FEN below. Last is the
// move that was just played, or NoMove.
func (s *screen) board(p *position.Position, last chess.Move) string {
	beside := s.facts(p)
	var sb strings.Builder
	for rank := 7; rank >= 0; rank-- {
		row := fmt.Sprintf(" %d ", rank+1)
		for file := range 8 {
			square := chess.MakeSquare(file, rank)
			marked := last != chess.NoMove && (square == last.From() || square == last.To())
			row += s.square(p.At(square), (file+rank)%2 != 0, marked)
		}
		if line := 7 - rank; line < len(beside) {
			row += "   " + beside[line]
		}
		sb.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	sb.WriteString("    a  b  c  d  e  f  g  h\n\n" + s.styled(dim, p.FEN()) + "\n")
	return sb.String()
}

// square draws one square, three columns wide. Colors are those of 256-color
// terminals; without color the empty dark squares show as dots.
func (s *screen) square(piece chess.Piece, light, marked bool) string {
	symbol := string(piece.Letter())
	switch {
	case piece == chess.NoPiece && (s.color || light):
		symbol = " "
	case piece == chess.NoPiece:
		symbol = "."
	case s.unicode && s.color:
		symbol = string([]rune("♟♞♝♜♛♚")[piece.Type()]) // the full shapes, in two colors
	case s.unicode:
		symbol = string([]rune("♙♘♗♖♕♔♟♞♝♜♛♚")[int(piece.Type())+6*int(piece.Color())])
	}
	if !s.color {
		if marked {
			return "[" + symbol + "]"
		}
		return " " + symbol + " "
	}
	background, foreground := 65, 231
	if light {
		background = 108
	}
	if marked {
		background = 136
	}
	if piece != chess.NoPiece && piece.Color() == chess.Black {
		foreground = 16
	}
	return fmt.Sprintf("\x1b[38;5;%d;48;5;%dm %s %s", foreground, background, symbol, plain)
}

// facts returns the properties of the position that the board does not show.
func (s *screen) facts(p *position.Position) []string {
	side := "White"
	if p.SideToMove() == chess.Black {
		side = "Black"
	}
	facts := []string{s.styled(bold, side+" to move") + fmt.Sprintf(", move %d", p.Fullmoves())}
	if p.InCheck() {
		facts[0] += ", in check"
	}
	fields := strings.Fields(p.FEN())
	return append(facts, "castling "+fields[2], "en passant "+fields[3],
		fmt.Sprintf("halfmove clock %d", p.Halfmoves()))
}

// moveSAN returns the move with its number, as in "12... Nc6".
func moveSAN(p *position.Position, m chess.Move) string {
	return notation.FormatLine(p, []chess.Move{m})
}
