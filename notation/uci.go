package notation

import (
	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// ParseUCI parses a move in UCI long algebraic notation and returns it if it is
// legal in p. Castling is accepted as king takes own rook everywhere, and as
// the king's step of two squares (e1g1) where king and rook stand on their
// squares of standard chess. The promotion letter may be of either case. The
// null move 0000 is not legal. The error is a *MoveError.
func ParseUCI(p *position.Position, s string) (chess.Move, error) {
	if len(s) != 4 && len(s) != 5 {
		return chess.NoMove, moveError(s, Malformed, "not of the form e2e4 or e7e8q")
	}
	if s == chess.NoMove.String() {
		return chess.NoMove, moveError(s, Illegal, "a side may not pass")
	}
	from, fromOK := chess.SquareOf(s[:2])
	to, toOK := chess.SquareOf(s[2:4])
	if !fromOK || !toOK {
		return chess.NoMove, moveError(s, Malformed, "does not begin with two squares")
	}
	promotion := chess.NoPieceType
	if len(s) == 5 {
		promotion = chess.PieceTypeOf(s[4])
		if promotion < chess.Knight || promotion > chess.Queen {
			return chess.NoMove, moveError(s, Malformed, "%q is not one of the promotions n, b, r and q", s[4])
		}
	}

	us, piece := p.SideToMove(), p.At(from)
	if piece == chess.NoPiece {
		return chess.NoMove, moveError(s, Illegal, "%s is empty", from)
	}
	if piece.Color() != us {
		return chess.NoMove, moveError(s, Illegal, "the piece on %s is %s's and %s is to move", from, piece.Color(), us)
	}
	m := moveOf(p, from, to, promotion)
	if movegen.IsLegal(p, m) {
		return m, nil
	}
	if promotion == chess.NoPieceType && movegen.IsLegal(p, chess.NewPromotion(from, to, chess.Queen)) {
		return chess.NoMove, moveError(s, Illegal, "the promotion letter is missing")
	}
	return chess.NoMove, moveError(s, Illegal, "%s", whyIllegal(p, m))
}

const (
	castlingPrevented = "castling is prevented"
	leavesCheck       = "it leaves the king in check"
	takesKing         = "a king is never taken"
	onlyPawnsPromote  = "only a pawn on its last rank is promoted"
	lastRanks         = chess.Rank1 | chess.Rank8
)

// whyIllegal returns what is wrong with a move by a piece of the side to move that is
// not legal.
func whyIllegal(p *position.Position, m chess.Move) string {
	switch {
	case m.IsCastling():
		return castlingPrevented
	case m.IsPromotion() && (p.At(m.From()).Type() != chess.Pawn || !lastRanks.Has(m.To())):
		return onlyPawnsPromote
	case !reaches(p, m.From(), m.To()):
		return "the piece does not move there"
	case p.At(m.To()).Type() == chess.King:
		return takesKing
	}
	return leavesCheck
}

// reaches reports whether the piece of the side to move on from moves to the square,
// the check of its king aside. Captures en passant are left out.
func reaches(p *position.Position, from, to chess.Square) bool {
	us, occupied := p.SideToMove(), p.Occupied()
	piece := p.At(from).Type()
	switch {
	case p.Of(us).Has(to):
		return false
	case piece != chess.Pawn:
		return chess.Attacks(piece, from, occupied).Has(to)
	case from.File() != to.File():
		return chess.PawnAttacks(us, from).Has(to) && occupied.Has(to)
	}
	steps := to.Relative(us).Rank() - from.Relative(us).Rank()
	return (steps == 1 || steps == 2 && from.Relative(us).Rank() == 1) &&
		occupied&(chess.Between(from, to)|to.Bit()) == 0
}

// moveOf returns the only move, legal or not, with these squares and promotion
// (NoPieceType if there is none) in p. A piece of the side to move must be on
// from.
func moveOf(p *position.Position, from, to chess.Square, promotion chess.PieceType) chess.Move {
	if promotion != chess.NoPieceType {
		return chess.NewPromotion(from, to, promotion)
	}
	switch piece := p.At(from).Type(); {
	case piece == chess.King:
		return kingMove(p, from, to)
	case piece == chess.Pawn && to == p.EnPassant() && from.File() != to.File():
		return chess.NewEnPassant(from, to)
	}
	return chess.NewMove(from, to)
}

// kingMove distinguishes castling from other moves of the king.
func kingMove(p *position.Position, from, to chess.Square) chess.Move {
	us := p.SideToMove()
	rooks := p.CastlingRooks(us)
	if rooks.Has(to) {
		return chess.NewCastling(from, to)
	}
	if from == chess.E1.Relative(us) {
		switch short, long := chess.H1.Relative(us), chess.A1.Relative(us); {
		case to == chess.G1.Relative(us) && rooks.Has(short):
			return chess.NewCastling(from, short)
		case to == chess.C1.Relative(us) && rooks.Has(long):
			return chess.NewCastling(from, long)
		}
	}
	return chess.NewMove(from, to)
}

// FormatUCI returns m in UCI long algebraic notation: castling as king takes
// own rook if chess960, as the king's step (e1g1) if not. NoMove is "0000".
func FormatUCI(m chess.Move, chess960 bool) string {
	return string(AppendUCI(make([]byte, 0, 5), m, chess960))
}

// AppendUCI appends to b what FormatUCI returns.
func AppendUCI(b []byte, m chess.Move, chess960 bool) []byte {
	if m == chess.NoMove {
		return append(b, "0000"...)
	}
	to := m.To()
	if m.IsCastling() && !chess960 {
		to, _ = m.CastlingTargets()
	}
	b = appendSquare(appendSquare(b, m.From()), to)
	if m.IsPromotion() {
		b = append(b, m.Promotion().String()...)
	}
	return b
}

func appendSquare(b []byte, s chess.Square) []byte {
	return append(b, 'a'+byte(s.File()), '1'+byte(s.Rank()))
}
