package console

import (
	"fmt"
	"strings"

	"skein/board"
	"skein/chess"
	"skein/notation"
	"skein/position"
)

// besideWidth is the width of the board with facts beside it, in columns.
const besideWidth = 64

// board draws the position with facts beside it, or below on a narrow screen, and its
// FEN below. Last is the move that was just played, or NoMove.
func (s *screen) board(p *position.Position, last chess.Move) string {
	beside, below := s.facts(p), ""
	if s.width > 0 && s.width < besideWidth {
		beside, below = nil, "\n"+strings.Join(beside, "\n")+"\n"
	}
	var sb strings.Builder
	for i, line := range board.Lines(p, board.Options{LastMove: last, Color: s.color, Unicode: s.unicode}) {
		if i < len(beside) {
			line += "   " + beside[i]
		}
		sb.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	sb.WriteString(below + "\n" + s.styled(dim, p.FEN()) + "\n")
	return sb.String()
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
