package position

import (
	"fmt"
	"strings"

	"skein/chess"
)

// Validate recomputes from the board what p keeps beside it, and looks whether
// all agrees: bitboards, kings, checks and pins, castling rights, the en-passant
// square, clocks and keys. The error names the first thing that is wrong. It is
// nil for every position from Parse and the Do methods, and for one from
// ParseLenient unless the side to move can take the king. It takes about a
// microsecond.
func (p *Position) Validate() error {
	if err := p.validateState(); err != nil {
		return err
	}
	return p.validateTurn()
}

// validateState is Validate but for whether the side to move can take the king.
func (p *Position) validateState() error {
	if err := p.validateBoard(); err != nil {
		return err
	}
	if err := p.validateKings(); err != nil {
		return err
	}
	if err := p.validateCounters(); err != nil {
		return err
	}
	if err := p.validateChecks(); err != nil {
		return err
	}
	if err := p.validateCastling(); err != nil {
		return err
	}
	if s := p.enPassant; s != chess.NoSquare {
		if err := p.validateDoubleStep(s); err != nil {
			return err
		}
		if !p.canCaptureEnPassant(s) {
			return fmt.Errorf("no capture en passant on %s is legal", s)
		}
	}
	return p.validateKeys()
}

// validateBoard sees that the bitboards hold the pieces on the board.
func (p *Position) validateBoard() error {
	var byType [8]chess.Bitboard
	var byColor [2]chess.Bitboard
	for i, piece := range p.board {
		s := chess.Square(i)
		if piece == chess.NoPiece {
			continue
		}
		if piece.Type() >= chess.NoPieceType || piece.Color() > chess.Black {
			return fmt.Errorf("%s holds %d, which is not a piece", s, piece)
		}
		byType[piece.Type()] |= s.Bit()
		byColor[piece.Color()] |= s.Bit()
	}
	for t, want := range byType {
		if got := p.byType[t]; got != want {
			return fmt.Errorf("bitboard of type %d (%s): %s, on the board %s",
				t, chess.PieceType(t), listed(got), listed(want))
		}
	}
	for c, want := range byColor {
		if got := p.byColor[c]; got != want {
			return fmt.Errorf("bitboard of %s: %s, on the board %s", chess.Color(c), listed(got), listed(want))
		}
	}
	return nil
}

// validateKings sees that there is one king a side.
func (p *Position) validateKings() error {
	for _, c := range []chess.Color{chess.White, chess.Black} {
		if n := p.PiecesOf(c, chess.King).Count(); n != 1 {
			return fmt.Errorf("%d %s kings", n, c)
		}
	}
	return nil
}

// validateMen sees that there are no more men of any kind or place than chess
// allows.
func (p *Position) validateMen() error {
	for _, c := range []chess.Color{chess.White, chess.Black} {
		if n := p.PiecesOf(c, chess.Pawn).Count(); n > 8 {
			return fmt.Errorf("%d %s pawns", n, c)
		}
		if n := p.Of(c).Count(); n > 16 {
			return fmt.Errorf("%d %s men", n, c)
		}
	}
	if bad := p.Pieces(chess.Pawn) & (chess.Rank1 | chess.Rank8); bad != 0 {
		return fmt.Errorf("pawn on %s", bad.First())
	}
	return nil
}

// validateCounters sees that the small fields hold values that they can have.
func (p *Position) validateCounters() error {
	switch {
	case p.side > chess.Black:
		return fmt.Errorf("side to move %d is neither white nor black", p.side)
	case p.enPassant > chess.NoSquare:
		return fmt.Errorf("en-passant square %d is not a square", p.enPassant)
	case p.halfmoves > maxHalfmoves:
		return fmt.Errorf("halfmove clock %d is more than %d", p.halfmoves, maxHalfmoves)
	case p.fullmoves < 1 || p.fullmoves > maxFullmoves:
		return fmt.Errorf("move number %d is not 1 to %d", p.fullmoves, maxFullmoves)
	}
	return nil
}

// validateTurn sees that no king can be taken.
func (p *Position) validateTurn() error {
	us := p.side
	if p.AttackersTo(p.King(us.Other()), p.Occupied())&p.Of(us) != 0 {
		return fmt.Errorf("%s is in check but %s is to move", us.Other(), us)
	}
	return nil
}

// validateChecks compares checkers and pinned pieces with their definitions: a
// piece is pinned if without it the king would be attacked from more squares.
func (p *Position) validateChecks() error {
	us, theirs := p.side, p.Of(p.side.Other())
	king, occ := p.King(us), p.Occupied()
	checkers := p.AttackersTo(king, occ) & theirs
	if p.checkers != checkers {
		return fmt.Errorf("checkers: %s, recomputed %s", listed(p.checkers), listed(checkers))
	}
	pinned := chess.Bitboard(0)
	for shields := chess.QueenAttacks(king, occ) & p.Of(us); shields != 0; {
		s := shields.Pop()
		if p.AttackersTo(king, occ&^s.Bit())&theirs != checkers {
			pinned |= s.Bit()
		}
	}
	if p.pinned != pinned {
		return fmt.Errorf("pinned pieces: %s, recomputed %s", listed(p.pinned), listed(pinned))
	}
	return nil
}

// validateCastling sees that rooks that may castle stand on the home rank of
// their king, one on each side of him at most.
func (p *Position) validateCastling() error {
	for _, c := range []chess.Color{chess.White, chess.Black} {
		king, home, rooks := p.King(c), chess.HomeRank(c), p.CastlingRooks(c)
		if bad := rooks &^ (p.Pieces(chess.Rook) & home); bad != 0 {
			return fmt.Errorf("%s holds no %s rook that may castle", bad.First(), c)
		}
		if rooks != 0 && !home.Has(king) {
			return fmt.Errorf("%s king on %s is not on its home rank", c, king)
		}
		kingSide := rooks &^ (king.Bit() - 1)
		if kingSide.Many() || (rooks &^ kingSide).Many() {
			return fmt.Errorf("two %s rooks on one side of the king", c)
		}
	}
	if bad := p.castling &^ p.Occupied(); bad != 0 {
		return fmt.Errorf("%s holds no rook that may castle", bad.First())
	}
	return nil
}

// validateDoubleStep sees that the last move can have been a double step of a
// pawn over s.
func (p *Position) validateDoubleStep(s chess.Square) error {
	pushed, origin := s^8, s^24
	switch {
	case s.Relative(p.side).Rank() != 5:
		return fmt.Errorf("%s is on the wrong rank", s)
	case p.At(pushed) != chess.MakePiece(p.side.Other(), chess.Pawn):
		return fmt.Errorf("no %s pawn on %s", p.side.Other(), pushed)
	case p.At(s) != chess.NoPiece:
		return fmt.Errorf("%s is occupied", s)
	case p.At(origin) != chess.NoPiece:
		return fmt.Errorf("the pawn on %s came from %s, which is occupied", pushed, origin)
	}
	return nil
}

// canCaptureEnPassant plays every capture on s, which a pawn has just passed,
// and reports whether one of them leaves the king safe.
func (p *Position) canCaptureEnPassant(s chess.Square) bool {
	us, them := p.side, p.side.Other()
	for pawns := chess.PawnAttacks(them, s) & p.PiecesOf(us, chess.Pawn); pawns != 0; {
		next := *p
		next.remove(chess.MakePiece(us, chess.Pawn), pawns.Pop())
		next.remove(chess.MakePiece(them, chess.Pawn), s^8)
		next.put(chess.MakePiece(us, chess.Pawn), s)
		if next.AttackersTo(next.King(us), next.Occupied())&next.Of(them) == 0 {
			return true
		}
	}
	return false
}

// keyNames are the parts of the key in errors.
var keyNames = [keyParts]string{
	keyMajors: "white king, queens and rooks", keyMajors + 1: "black king, queens and rooks",
	keyMinors: "white minor pieces", keyMinors + 1: "black minor pieces",
	keyPawns: "pawns", keyState: "side to move, castling and en passant",
}

// validateKeys compares the keys with those recomputed from the board.
func (p *Position) validateKeys() error {
	for part, want := range p.fullKeys() {
		if got := p.keys[part]; got != want {
			return fmt.Errorf("key of %s: %x, recomputed %x", keyNames[part], got, want)
		}
	}
	return nil
}

// listed names the squares of b, as in "e4 f5".
func listed(b chess.Bitboard) string {
	if b == 0 {
		return "none"
	}
	var names []string
	for b != 0 {
		names = append(names, b.Pop().String())
	}
	return strings.Join(names, " ")
}
