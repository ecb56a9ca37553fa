package position

import (
	"fmt"

	"skein/chess"
)

// What follows is called in builds with the tag debug only.

// validateDo says what is wrong with next and d as what m makes of p, if
// anything. The error begins with p and m.
func (p *Position) validateDo(m chess.Move, next *Position, d *Delta) error {
	if err := p.compareDo(m, next, d); err != nil {
		return fmt.Errorf("position: %s, move %s: %w", p.FEN(), m, err)
	}
	return nil
}

func (p *Position) compareDo(m chess.Move, next *Position, d *Delta) error {
	us, from, to := p.side, m.From(), m.To()
	if !p.Of(us).Has(from) {
		return fmt.Errorf("no %s piece on %s", us, from)
	}
	if p.Of(us).Has(to) && !m.IsCastling() {
		return fmt.Errorf("it takes a %s piece", us)
	}
	if err := next.Validate(); err != nil {
		return err
	}
	if next.Pieces(chess.Pawn)&to.Bit()&(chess.Rank1|chess.Rank8) != 0 {
		return fmt.Errorf("it leaves a pawn on %s", to)
	}
	if err := next.compareUndone(d, p); err != nil {
		return err
	}
	pawn := p.At(from).Type() == chess.Pawn
	if err := p.compareClocks(next, pawn || p.IsCapture(m)); err != nil {
		return err
	}
	kept := p.castling &^ (from.Bit() | to.Bit())
	if from == p.King(us) {
		kept &^= p.Of(us)
	}
	if next.castling != kept {
		return fmt.Errorf("castling rooks: %s, expected %s", listed(next.castling), listed(kept))
	}
	enPassant := chess.NoSquare
	if s := (from + to) / 2; pawn && from^to == 16 && next.canCaptureEnPassant(s) {
		enPassant = s
	}
	if next.enPassant != enPassant {
		return fmt.Errorf("en-passant square %s, expected %s", next.enPassant, enPassant)
	}
	return nil
}

// compareUndone takes what d says back from p, and says where the board is not
// that of before.
func (p *Position) compareUndone(d *Delta, before *Position) error {
	if d.NumAdded > 2 || d.NumRemoved > 2 {
		return fmt.Errorf("delta of %d pieces added and %d removed", d.NumAdded, d.NumRemoved)
	}
	board := p.board
	for _, a := range d.Added[:d.NumAdded] {
		if at := board[a.Square&63]; at != a.Piece {
			return fmt.Errorf("delta adds %c on %s, where %c stands", a.Piece.Letter(), a.Square, at.Letter())
		}
		board[a.Square&63] = chess.NoPiece
	}
	for _, r := range d.Removed[:d.NumRemoved] {
		if at := board[r.Square&63]; at != chess.NoPiece {
			return fmt.Errorf("delta removes %c from %s, where %c stands", r.Piece.Letter(), r.Square, at.Letter())
		}
		board[r.Square&63] = r.Piece
	}
	for i, want := range before.board {
		if got := board[i]; got != want {
			return fmt.Errorf("delta undone leaves %c on %s, where %c was",
				got.Letter(), chess.Square(i), want.Letter())
		}
	}
	return nil
}

// compareClocks says what is wrong with side to move and clocks of next, one ply
// after p. An irreversible move is a capture or one of a pawn.
func (p *Position) compareClocks(next *Position, irreversible bool) error {
	halfmoves, fullmoves := min(p.halfmoves+1, maxHalfmoves), p.fullmoves
	if irreversible {
		halfmoves = 0
	}
	if p.side == chess.Black {
		fullmoves = min(fullmoves+1, maxFullmoves)
	}
	switch {
	case next.side == p.side:
		return fmt.Errorf("%s is still to move", p.side)
	case next.halfmoves != halfmoves:
		return fmt.Errorf("halfmove clock %d, expected %d", next.halfmoves, halfmoves)
	case next.fullmoves != fullmoves:
		return fmt.Errorf("move number %d, expected %d", next.fullmoves, fullmoves)
	}
	return nil
}

// validateNull says what is wrong with next as what a null move makes of p, if
// anything. The error begins with p.
func (p *Position) validateNull(next *Position) error {
	err := next.Validate()
	if err == nil {
		err = p.compareClocks(next, false)
	}
	if err == nil && (next.board != p.board || next.castling != p.castling || next.enPassant != chess.NoSquare) {
		err = fmt.Errorf("it leads to %s", next.FEN())
	}
	if err != nil {
		return fmt.Errorf("position: %s, null move: %w", p.FEN(), err)
	}
	return nil
}
