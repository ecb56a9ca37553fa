package chess

// Move packs a move into 16 bits: from (bits 0-5), to (bits 6-11) and a kind
// (bits 12-15). Castling is stored as king takes own rook, in standard chess
// and Chess960 alike. The zero Move is NoMove, which is never legal. Functions
// that make moves take squares of the board only: with NoSquare the move would be
// another one.
type Move uint16

// NoMove is the absence of a move.
const NoMove Move = 0

// MaxMoves bounds the length of any move list, whatever the men on the board. A
// square is reached by at most eight men along lines, and each knight has at most
// eight moves: with n men other than knights, the king among them, there are at
// most 8*(64-n) moves. Promotions count four times, which adds at most 9 for each
// of the up to eight pawns on the rank before the last. A power of two lets indexes be
// masked.
const MaxMoves = 512

const (
	kindCastling  = 1 << 12
	kindEnPassant = 2 << 12
	kindPromotion = 4 << 12
	kindIllegal   = 8 << 12
)

// NewMove returns an ordinary move: no castling, en passant or promotion.
func NewMove(from, to Square) Move { return Move(from) | Move(to)<<6 }

// NewCastling returns the castling move of the king with the rook.
func NewCastling(king, rook Square) Move { return NewMove(king, rook) | kindCastling }

// NewEnPassant returns the en-passant capture that lands on to.
func NewEnPassant(from, to Square) Move { return NewMove(from, to) | kindEnPassant }

// NewPromotion returns a promotion to t, Knight to Queen. With any other type the
// move is never legal.
func NewPromotion(from, to Square, t PieceType) Move {
	if t < Knight || t > Queen {
		return NewMove(from, to) | kindIllegal
	}
	return NewMove(from, to) | kindPromotion | Move(t-Knight)<<12
}

// From returns the square the move starts on.
func (m Move) From() Square { return Square(m & 63) }

// To returns the square the move ends on; for castling, the rook's square.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// IsCastling reports whether the king castles.
func (m Move) IsCastling() bool { return m>>12 == kindCastling>>12 }

// IsEnPassant reports whether a pawn is taken en passant.
func (m Move) IsEnPassant() bool { return m>>12 == kindEnPassant>>12 }

// IsPromotion reports whether a pawn is promoted.
func (m Move) IsPromotion() bool { return m&kindPromotion != 0 }

// Promotion returns the type a pawn is promoted to; it is meaningful only if
// IsPromotion.
func (m Move) Promotion() PieceType { return Knight + PieceType(m>>12&3) }

// CastlingTargets returns where king and rook stand after castling.
func (m Move) CastlingTargets() (king, rook Square) {
	rank := m.From() & 56
	if m.To() > m.From() {
		return rank | G1, rank | F1
	}
	return rank | C1, rank | D1
}

// String returns the move in UCI long algebraic notation with castling as
// king takes rook, "0000" for NoMove.
func (m Move) String() string {
	if m == NoMove {
		return "0000"
	}
	s := m.From().String() + m.To().String()
	if m.IsPromotion() {
		s += m.Promotion().String()
	}
	return s
}

// MoveList is a list of at most MaxMoves moves in place, without allocation. Its
// zero value is empty.
type MoveList struct {
	n     int
	moves [MaxMoves]Move
}

// Add appends m. After more than MaxMoves moves Slice panics.
func (l *MoveList) Add(m Move) {
	l.moves[l.n&(MaxMoves-1)] = m
	l.n++
}

// Extend increases the length by n without storing moves, for callers that only
// count them.
func (l *MoveList) Extend(n int) { l.n += n }

// Len returns the number of moves.
func (l *MoveList) Len() int { return l.n }

// Clear empties the list.
func (l *MoveList) Clear() { l.n = 0 }

// Slice returns the moves; it is valid until the list changes.
func (l *MoveList) Slice() []Move { return l.moves[:l.n] }
