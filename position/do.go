package position

import (
	"skein/chess"
	"skein/internal/invariant"
)

// Placement is a piece on a square.
type Placement struct {
	Piece  chess.Piece
	Square chess.Square
}

// Delta lists the pieces that one move removes from the board and those that it
// places on it, at most two of each. The zero Delta is that of a null move.
type Delta struct {
	Removed, Added       [2]Placement
	NumRemoved, NumAdded uint8
}

// Do plays m, which must be legal, and stores the resulting position in next, which
// must not be p; p does not change. The changes on the board are stored in d.
func (p *Position) Do(m chess.Move, next *Position, d *Delta) {
	*next = *p
	us, them := p.side, p.side.Other()
	from, to := m.From(), m.To()
	piece := p.At(from)
	captured := p.At(to)

	next.passTurn(p)
	if m.IsCastling() {
		kingTo, rookTo := m.CastlingTargets()
		next.remove(piece, from)
		next.remove(captured, to)
		next.put(piece, kingTo)
		next.put(captured, rookTo)
		*d = Delta{
			Removed:    [2]Placement{{piece, from}, {captured, to}},
			Added:      [2]Placement{{piece, kingTo}, {captured, rookTo}},
			NumRemoved: 2, NumAdded: 2,
		}
	} else {
		next.remove(piece, from)
		d.Removed[0] = Placement{piece, from}
		d.NumRemoved = 1
		target := to
		if m.IsEnPassant() {
			target = to ^ 8
			captured = chess.MakePiece(them, chess.Pawn)
		}
		if captured != chess.NoPiece {
			next.remove(captured, target)
			next.halfmoves = 0
			d.Removed[1] = Placement{captured, target}
			d.NumRemoved = 2
		}
		placed := piece
		if piece.Type() == chess.Pawn {
			next.halfmoves = 0
			if m.IsPromotion() {
				placed = chess.MakePiece(us, m.Promotion())
			}
		}
		next.put(placed, to)
		d.Added[0] = Placement{placed, to}
		d.NumAdded = 1
		if piece.Type() == chess.Pawn && from^to == 16 {
			next.setEnPassant((from + to) / 2)
		}
	}

	if p.castling != 0 {
		lost := p.castling & (from.Bit() | to.Bit())
		if piece.Type() == chess.King {
			lost |= p.CastlingRooks(us)
		}
		for ; lost != 0; lost &= lost - 1 {
			rook := lost.First()
			next.castling &^= rook.Bit()
			next.keys[keyState] ^= zobrist.castling[rook&63]
		}
	}
	next.updateChecks()
	if invariant.Enabled {
		invariant.NoError(p.validateDo(m, next, d))
	}
}

// After returns the position after m, which must be legal; p does not change.
// NoMove is a null move, which passes the turn; the side to move must then not be
// in check. After allocates nothing. Do is for callers that need to know what
// changed on the board.
func (p *Position) After(m chess.Move) Position {
	var next Position
	if m == chess.NoMove {
		p.DoNull(&next)
		return next
	}
	var d Delta
	p.Do(m, &next, &d)
	return next
}

// DoNull passes the move and stores the resulting position in next, which must not
// be p. The side to move must not be in check.
func (p *Position) DoNull(next *Position) {
	*next = *p
	next.passTurn(p)
	next.updateChecks()
	if invariant.Enabled {
		invariant.NoError(p.validateNull(next))
	}
}

// passTurn applies to p, a copy of prev, the changes common to all moves: the
// side to move, the counters, and the end of the right to capture en passant.
func (p *Position) passTurn(prev *Position) {
	p.side = prev.side.Other()
	p.keys[keyState] ^= zobrist.black
	if prev.enPassant != chess.NoSquare {
		p.keys[keyState] ^= zobrist.enPassant[prev.enPassant.File()]
		p.enPassant = chess.NoSquare
	}
	if p.halfmoves < maxHalfmoves {
		p.halfmoves++
	}
	if prev.side == chess.Black && p.fullmoves < maxFullmoves {
		p.fullmoves++
	}
}

// setEnPassant records s as the en-passant square if the side to move has a legal
// capture there.
func (p *Position) setEnPassant(s chess.Square) {
	us, them := p.side, p.side.Other()
	king := p.King(us)
	enemies := p.Of(them) &^ (s ^ 8).Bit()
	for pawns := chess.PawnAttacks(them, s) & p.PiecesOf(us, chess.Pawn); pawns != 0; {
		from := pawns.Pop()
		occ := p.Occupied()&^(from.Bit()|(s^8).Bit()) | s.Bit()
		if p.AttackersTo(king, occ)&enemies == 0 {
			p.enPassant = s
			p.keys[keyState] ^= zobrist.enPassant[s.File()]
			return
		}
	}
}
