// Package chess has the types that all other packages share and that need no
// position: colors, pieces, squares, bitboards, moves and scores, and the attacks
// of each piece on a given occupancy. Functions take squares of the board; they
// would mistake NoSquare for a1.
//
//	square, ok := chess.SquareOf("e4")
//	...
//	fmt.Println(square == chess.E4, square.File(), square.Rank()) // true 4 3
//	knight := chess.MakePiece(chess.White, chess.Knight)
//	fmt.Println(string(knight.Letter())) // N
//	attacks := chess.BishopAttacks(chess.E4, chess.Rank6) // as far as the sixth rank
//	for b := attacks &^ chess.FileA; b != 0; {
//		fmt.Println(b.Pop())
//	}
//	fmt.Println(chess.NewCastling(chess.E1, chess.H1)) // e1h1: king takes own rook
//
// Files and ranks are numbered from 0. The package imports no other package of
// the module. Nothing but the String methods allocates.
package chess

// Color is the side a piece belongs to or the side to move.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Other returns the opponent of c.
func (c Color) Other() Color { return c ^ 1 }

// String returns "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// PieceType is the kind of a piece regardless of color.
type PieceType uint8

// The six piece types, in the order used by every table indexed by them.
const (
	Pawn PieceType = iota
	Knight
	Bishop
	Rook
	Queen
	King
	NoPieceType
)

const pieceLetters = "pnbrqk"

// String returns the English lower-case letter of the type, "" for none.
func (t PieceType) String() string {
	if t >= NoPieceType {
		return ""
	}
	return pieceLetters[t : t+1]
}

// PieceTypeOf returns the piece type of a letter of either case, NoPieceType if
// it is not a piece letter.
func PieceTypeOf(letter byte) PieceType {
	letter |= 0x20
	for t := Pawn; t <= King; t++ {
		if pieceLetters[t] == letter {
			return t
		}
	}
	return NoPieceType
}

// Piece is a colored piece: bit 3 is the color, bits 0-2 the type.
type Piece uint8

// NoPiece marks an empty square.
const NoPiece = Piece(NoPieceType)

// MakePiece returns the piece of color c and type t.
func MakePiece(c Color, t PieceType) Piece { return Piece(c)<<3 | Piece(t) }

// Type returns the piece's type; NoPieceType for NoPiece.
func (p Piece) Type() PieceType { return PieceType(p & 7) }

// Color returns the piece's color; it is White for NoPiece.
func (p Piece) Color() Color { return Color(p >> 3) }

// Letter returns the FEN letter of the piece, '.' for NoPiece.
func (p Piece) Letter() byte {
	if p.Type() >= NoPieceType {
		return '.'
	}
	return pieceLetters[p.Type()] - byte(p>>3^1)<<5
}

// PieceOf returns the piece of a FEN letter, NoPiece if it is not one.
func PieceOf(letter byte) Piece {
	t := PieceTypeOf(letter)
	switch {
	case t == NoPieceType:
		return NoPiece
	case letter >= 'a':
		return MakePiece(Black, t)
	}
	return MakePiece(White, t)
}

// Square is a board square, a1 = 0, b1 = 1, ..., h8 = 63.
type Square uint8

// The squares.
const (
	A1, B1, C1, D1, E1, F1, G1, H1 Square = 8 * iota, 8*iota + 1, 8*iota + 2, 8*iota + 3, 8*iota + 4, 8*iota + 5,
		8*iota + 6, 8*iota + 7
	A2, B2, C2, D2, E2, F2, G2, H2
	A3, B3, C3, D3, E3, F3, G3, H3
	A4, B4, C4, D4, E4, F4, G4, H4
	A5, B5, C5, D5, E5, F5, G5, H5
	A6, B6, C6, D6, E6, F6, G6, H6
	A7, B7, C7, D7, E7, F7, G7, H7
	A8, B8, C8, D8, E8, F8, G8, H8
)

// NoSquare is the absence of a square.
const NoSquare Square = 64

// MakeSquare returns the square on file 0-7 (a-h) and rank 0-7 (1-8).
func MakeSquare(file, rank int) Square { return Square(rank<<3 | file) }

// SquareOf parses a square in algebraic notation ("e4").
func SquareOf(s string) (Square, bool) {
	if len(s) != 2 || s[0] < 'a' || s[0] > 'h' || s[1] < '1' || s[1] > '8' {
		return NoSquare, false
	}
	return MakeSquare(int(s[0]-'a'), int(s[1]-'1')), true
}

// File returns 0-7 for files a-h.
func (s Square) File() int { return int(s & 7) }

// Rank returns 0-7 for ranks 1-8.
func (s Square) Rank() int { return int(s >> 3) }

// Relative returns the square as c sees it: unchanged for White, mirrored
// top to bottom for Black.
func (s Square) Relative(c Color) Square { return s ^ Square(c)*56 }

// String returns the square in algebraic notation, "-" for NoSquare.
func (s Square) String() string {
	if s >= NoSquare {
		return "-"
	}
	return string([]byte{'a' + byte(s&7), '1' + byte(s>>3)})
}

// Key is a Zobrist hash key.
// Source: A. Zobrist, "A New Hashing Method with Application for Game
// Playing", 1970.
type Key uint64
