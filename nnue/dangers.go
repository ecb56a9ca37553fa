package nnue

import "skein/chess"

// Dangers are what threatens a whole side, if it were the opponent's move, as bits of
// which each has a row of weights: those of White in the low byte, those of Black in
// the high one.
//
// Bits 0 to 3 of a side are safe checks of its king by a knight, a bishop, a rook and
// a queen; 4 and 5 those by a queen and a rook beside the king; bit 6 is a safe move
// of a knight that attacks two or more of its rooks, queens and king, bit 7 a safe
// move of a pawn that attacks two pieces. A square is safe for a piece if the side
// does not attack it, or only its king does and another type of piece supports it,
// and for a pawn if no pawn of the side attacks it, and none of its pieces unless it
// is supported.
type Dangers uint16

const dangersOfSide = 8

// DangerRows is the number of rows of weights of dangers: those of the own side, then
// those of the opponent.
const DangerRows = 2 * dangersOfSide

// seenBy returns the dangers with those of c in the low byte.
func (d Dangers) seenBy(c chess.Color) Dangers {
	if c&1 == chess.Black {
		return d>>dangersOfSide | d<<dangersOfSide
	}
	return d
}

// dangers returns the dangers of both sides.
func dangers(white, black *attackSets, byType *[6]chess.Bitboard, byColor *[2]chess.Bitboard) Dangers {
	ofWhite := dangersOf(chess.White, white, black, byType, byColor)
	ofBlack := dangersOf(chess.Black, black, white, byType, byColor)
	return ofWhite | ofBlack<<dangersOfSide
}

// dangersOf returns the dangers of color c in the low byte, given what its pieces and those of the opponent attack.
func dangersOf(c chess.Color, own, theirs *attackSets, byType *[6]chess.Bitboard, byColor *[2]chess.Bitboard) Dangers {
	free := ^own.pieces() &^ byColor[c&1^1]
	far, near := free&^own.king, free&own.king
	rest := theirs.pawns | theirs.king
	knights := theirs.knights & (far | near&(rest|theirs.bishops|theirs.rooks|theirs.queens))
	bishops := theirs.bishops & (far | near&(rest|theirs.knights|theirs.rooks|theirs.queens))
	rooks := theirs.rooks & (far | near&(rest|theirs.knights|theirs.bishops|theirs.queens))
	queens := theirs.queens & (far | near&(rest|theirs.knights|theirs.bishops|theirs.rooks))
	king := (byColor[c&1] & byType[chess.King]).First()
	return bit(chess.KnightAttacks(king)&knights) | bit(own.kingDiagonals&bishops)<<1 |
		bit(own.kingLines&rooks)<<2 | bit((own.kingDiagonals|own.kingLines)&queens)<<3 |
		bit(own.king&queens)<<4 | bit(own.king&own.kingLines&rooks)<<5 |
		bit(own.forks&knights)<<6 |
		bit(pawnForks(c, byType, byColor)&^own.pawns&(^own.all()|theirs.all()))<<7
}

// pawnForks returns the squares to which a pawn of the opponent of c can move and attack two pieces of c.
func pawnForks(c chess.Color, byType *[6]chess.Bitboard, byColor *[2]chess.Bitboard) chess.Bitboard {
	pieces, pawns := byColor[c&1]&^byType[chess.Pawn], byColor[c&1^1]&byType[chess.Pawn]
	occ := byColor[0] | byColor[1]
	if c&1 == chess.Black {
		to := pawns << 8 &^ occ
		to |= to & chess.Rank3 << 8 &^ occ
		return to & (pieces &^ chess.FileH >> 7) & (pieces &^ chess.FileA >> 9)
	}
	to := pawns >> 8 &^ occ
	to |= to & chess.Rank6 >> 8 &^ occ
	return to & (pieces &^ chess.FileH << 9) & (pieces &^ chess.FileA << 7)
}

// bit returns 1 unless b is empty.
func bit(b chess.Bitboard) Dangers { return Dangers((b | -b) >> 63) }
