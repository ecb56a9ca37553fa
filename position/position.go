// Package position holds one chess position by value: reading and writing
// FEN, making moves by copy, Zobrist keys, checks and pins, static exchange
// evaluation, and the history of a game.
//
//	p, err := position.Parse("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", false)
//	...
//	after := p.After(chess.NewPromotion(chess.A7, chess.A8, chess.Queen)) // p is unchanged
//	fmt.Println(after.FEN(), after.InCheck()) // Q3k3/8/8/8/8/8/8/4K3 b - - 0 1 true
//	for pieces := after.Of(chess.White); pieces != 0; {
//		square := pieces.Pop()
//		fmt.Println(square, string(after.At(square).Letter()))
//	}
//
// Standard chess, Chess960 and double Fischer random share the same code: castling
// rights are the set of rooks that may still castle. Whether a move is legal is
// told by package movegen; methods that take a move take that for granted.
//
// The error of [Parse] is a [*FENError]. Only parsing, formatting, [Game] and
// errors allocate.
package position

import (
	"strings"

	"skein/chess"
)

// Position is a chess position. It is a plain value of 224 bytes that may be
// copied and compared; a copy from before a move takes the move back. The zero
// Position is not valid: positions come from Start, Parse and ParseLenient, and
// from making moves.
type Position struct {
	byType  [8]chess.Bitboard // by PieceType
	byColor [2]chess.Bitboard
	board   [64]chess.Piece

	// keys hash disjoint parts of the position; see keyPart. Key joins them.
	keys [keyParts]chess.Key

	checkers chess.Bitboard // enemy pieces that attack the king of the side to move
	pinned   chess.Bitboard // pieces of the side to move that shield their king
	castling chess.Bitboard // rooks that may still castle

	halfmoves uint8 // plies since the last capture or pawn move
	fullmoves uint16
	side      chess.Color
	enPassant chess.Square // NoSquare unless a legal en-passant capture exists
}

// Pieces returns the pieces of type t of both colors.
func (p *Position) Pieces(t chess.PieceType) chess.Bitboard { return p.byType[t&7] }

// Of returns the pieces of color c.
func (p *Position) Of(c chess.Color) chess.Bitboard { return p.byColor[c&1] }

// PiecesOf returns the pieces of color c and type t.
func (p *Position) PiecesOf(c chess.Color, t chess.PieceType) chess.Bitboard {
	return p.byColor[c&1] & p.byType[t&7]
}

// Bitboards returns the pieces of both colors by type, and those of all types by
// color. They are part of p and must not be changed.
func (p *Position) Bitboards() (byType *[6]chess.Bitboard, byColor *[2]chess.Bitboard) {
	return (*[6]chess.Bitboard)(p.byType[:]), &p.byColor
}

// Occupied returns all pieces.
func (p *Position) Occupied() chess.Bitboard { return p.byColor[0] | p.byColor[1] }

// At returns the piece on s, NoPiece if there is none.
func (p *Position) At(s chess.Square) chess.Piece { return p.board[s&63] }

// King returns the square of c's king.
func (p *Position) King(c chess.Color) chess.Square { return p.PiecesOf(c, chess.King).First() }

// SideToMove returns the color to move.
func (p *Position) SideToMove() chess.Color { return p.side }

// Key returns the Zobrist key of the whole position: pieces, side to move,
// castling rights, and the en-passant file if such a capture is legal.
func (p *Position) Key() chess.Key {
	return p.NonPawnKey(chess.White) ^ p.NonPawnKey(chess.Black) ^ p.keys[keyPawns] ^ p.keys[keyState]
}

// PawnKey returns the Zobrist key of the pawns alone.
func (p *Position) PawnKey() chess.Key { return p.keys[keyPawns] }

// NonPawnKey returns the Zobrist key of c's pieces other than pawns.
func (p *Position) NonPawnKey(c chess.Color) chess.Key {
	return p.keys[keyMajors+c&1] ^ p.keys[keyMinors+c&1]
}

// MinorKey returns the Zobrist key of the knights and bishops of both colors.
func (p *Position) MinorKey() chess.Key { return p.keys[keyMinors] ^ p.keys[keyMinors+1] }

// Checkers returns the enemy pieces that give check to the side to move.
func (p *Position) Checkers() chess.Bitboard { return p.checkers }

// InCheck reports whether the side to move is in check.
func (p *Position) InCheck() bool { return p.checkers != 0 }

// Pinned returns the pieces of the side to move that are pinned to their king.
func (p *Position) Pinned() chess.Bitboard { return p.pinned }

// EnPassant returns the square a pawn of the side to move can legally capture
// on en passant, NoSquare if there is none.
func (p *Position) EnPassant() chess.Square { return p.enPassant }

// CastlingRooks returns the rooks of color c that may still castle.
func (p *Position) CastlingRooks(c chess.Color) chess.Bitboard { return p.castling & p.Of(c) }

// Halfmoves returns the plies since the last capture or pawn move, at most 150:
// it stops counting there, as the counter of a FEN does.
func (p *Position) Halfmoves() int { return int(p.halfmoves) }

// Fullmoves returns the number of the move to be played, 1 to 9999.
func (p *Position) Fullmoves() int { return int(p.fullmoves) }

// IsCapture reports whether m, which must be pseudo-legal, captures a piece.
func (p *Position) IsCapture(m chess.Move) bool {
	return m.IsEnPassant() || p.At(m.To()) != chess.NoPiece && !m.IsCastling()
}

// IsNoisy reports whether m, which must be pseudo-legal, is a capture or a
// promotion.
func (p *Position) IsNoisy(m chess.Move) bool { return m.IsPromotion() || p.IsCapture(m) }

// Captured returns the type of the piece that m captures, NoPieceType if none.
func (p *Position) Captured(m chess.Move) chess.PieceType {
	if m.IsEnPassant() {
		return chess.Pawn
	}
	if m.IsCastling() {
		return chess.NoPieceType
	}
	return p.At(m.To()).Type()
}

// HasPieces reports whether c has anything besides king and pawns.
func (p *Position) HasPieces(c chess.Color) bool {
	return p.Of(c)&^(p.Pieces(chess.Pawn)|p.Pieces(chess.King)) != 0
}

// AttackersTo returns the pieces of both colors that attack s when occ is
// occupied.
func (p *Position) AttackersTo(s chess.Square, occ chess.Bitboard) chess.Bitboard {
	return chess.PawnAttacks(chess.Black, s)&p.PiecesOf(chess.White, chess.Pawn) |
		chess.PawnAttacks(chess.White, s)&p.PiecesOf(chess.Black, chess.Pawn) |
		chess.KnightAttacks(s)&p.Pieces(chess.Knight) |
		chess.KingAttacks(s)&p.Pieces(chess.King) |
		chess.RookAttacks(s, occ)&(p.Pieces(chess.Rook)|p.Pieces(chess.Queen)) |
		chess.BishopAttacks(s, occ)&(p.Pieces(chess.Bishop)|p.Pieces(chess.Queen))
}

// InsufficientMaterial reports whether the men on the board rule out mate by any
// sequence of moves: bare kings, a single minor piece, or only bishops on squares of
// one color. Other dead positions, such as blocked pawns, are not recognized.
func (p *Position) InsufficientMaterial() bool {
	if p.Pieces(chess.Pawn)|p.Pieces(chess.Rook)|p.Pieces(chess.Queen) != 0 {
		return false
	}
	bishops := p.Pieces(chess.Bishop)
	if p.Pieces(chess.Knight) != 0 {
		return !(bishops | p.Pieces(chess.Knight)).Many()
	}
	return bishops&chess.LightSquares == 0 || bishops&^chess.LightSquares == 0
}

// HasMatingMaterial reports whether the men on the board allow c to mate if the other
// side helps: against a queen, for example, a single bishop or knight does not. A game
// is drawn if the time of a side is up and the other has none.
func (p *Position) HasMatingMaterial(c chess.Color) bool {
	own, other := p.Of(c), p.Of(c.Other())
	if own&(p.Pieces(chess.Pawn)|p.Pieces(chess.Rook)|p.Pieces(chess.Queen)) != 0 {
		return true
	}
	bishops, knights := p.Pieces(chess.Bishop), p.Pieces(chess.Knight)
	if own&knights != 0 {
		return (own & (bishops | knights)).Many() || other&^(p.Pieces(chess.King)|p.Pieces(chess.Queen)) != 0
	}
	return own&bishops != 0 && (other&(p.Pieces(chess.Pawn)|knights) != 0 ||
		bishops&chess.LightSquares != 0 && bishops&^chess.LightSquares != 0)
}

// updateChecks finds checkers and pinned pieces of the side to move.
func (p *Position) updateChecks() {
	us, them := p.side, p.side.Other()
	king := p.King(us)
	snipers := p.snipers(them, king)
	p.checkers = p.Of(them) & (chess.KnightAttacks(king)&p.Pieces(chess.Knight) |
		chess.PawnAttacks(us, king)&p.Pieces(chess.Pawn))
	p.pinned = 0
	occ := p.Occupied()
	for snipers != 0 {
		s := snipers.Pop()
		switch blockers := chess.Between(king, s) & occ; {
		case blockers == 0:
			p.checkers |= s.Bit()
		case !blockers.Many():
			p.pinned |= blockers & p.Of(us)
		}
	}
}

// put places a piece on an empty square and updates the keys.
func (p *Position) put(piece chess.Piece, s chess.Square) {
	p.toggle(piece, s)
	p.board[s&63] = piece
}

// remove takes the piece off its square and updates the keys.
func (p *Position) remove(piece chess.Piece, s chess.Square) {
	p.toggle(piece, s)
	p.board[s&63] = chess.NoPiece
}

// toggle flips a piece in the bitboards and keys.
func (p *Position) toggle(piece chess.Piece, s chess.Square) {
	t, c, b := piece.Type(), piece.Color(), s.Bit()
	p.byType[t&7] ^= b
	p.byColor[c&1] ^= b
	p.keys[keyPart[piece&15]] ^= zobrist.pieces[piece&15][s&63]
}

// String draws the board for a terminal, rank 8 first.
func (p Position) String() string {
	var sb strings.Builder
	const line = " +---+---+---+---+---+---+---+---+\n"
	sb.WriteString(line)
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			letter := p.At(chess.MakeSquare(file, rank)).Letter()
			if letter == '.' {
				letter = ' '
			}
			sb.WriteString(" | ")
			sb.WriteByte(letter)
		}
		sb.WriteString(" | ")
		sb.WriteByte('1' + byte(rank))
		sb.WriteString("\n" + line)
	}
	sb.WriteString("   a   b   c   d   e   f   g   h\n")
	return sb.String()
}
