package nnue

import (
	"unsafe"

	"skein/chess"
	"skein/internal/simd"
)

// attackSets are the squares that one side attacks, its own pieces there included.
type attackSets struct {
	pawns, knights, bishops, rooks, queens, king chess.Bitboard

	kingDiagonals, kingLines chess.Bitboard // what the king would attack as a bishop, as a rook
	forks                    chess.Bitboard // a knight's move from two or more of its rooks, queens and king
}

func (s *attackSets) minors() chess.Bitboard { return s.pawns | s.knights | s.bishops }

// pieces returns what all but the king attack.
func (s *attackSets) pieces() chess.Bitboard { return s.minors() | s.rooks | s.queens }

func (s *attackSets) all() chess.Bitboard { return s.pieces() | s.king }

// attacksOfBoth sets white and black, given the pieces of both colors by type and by color.
func attacksOfBoth(white, black *attackSets, byType *[6]chess.Bitboard, byColor *[2]chess.Bitboard) {
	var by [2]simd.Attacks
	if !simd.SetAttacks(&by, (*[6]uint64)(unsafe.Pointer(byType)), (*[2]uint64)(unsafe.Pointer(byColor))) {
		slowAttacks(&by[0], chess.White, byType, byColor)
		slowAttacks(&by[1], chess.Black, byType, byColor)
	}
	white.set(&by[0], chess.White, byType, byColor)
	black.set(&by[1], chess.Black, byType, byColor)
}

// set sets s to the attacks of color c, those in a and those of pawns and king.
func (s *attackSets) set(a *simd.Attacks, c chess.Color, byType *[6]chess.Bitboard, byColor *[2]chess.Bitboard) {
	own := byColor[c&1]
	s.pawns = chess.PawnsAttack(c, own&byType[chess.Pawn])
	s.knights, s.bishops = chess.Bitboard(a.Knights), chess.Bitboard(a.Bishops)
	s.rooks, s.queens = chess.Bitboard(a.Rooks), chess.Bitboard(a.Queens)
	s.king = chess.KingAttacks((own & byType[chess.King]).First())
	s.kingDiagonals, s.kingLines = chess.Bitboard(a.KingDiagonals), chess.Bitboard(a.KingLines)
	s.forks = chess.Bitboard(a.Forks)
}

// slowAttacks sets a to the attacks of color c as simd.SetAttacks does.
func slowAttacks(a *simd.Attacks, c chess.Color, byType *[6]chess.Bitboard, byColor *[2]chess.Bitboard) {
	own, occ := byColor[c&1], byColor[0]|byColor[1]
	for b := own & byType[chess.Knight]; b != 0; {
		a.Knights |= uint64(chess.KnightAttacks(b.Pop()))
	}
	for b := own & byType[chess.Bishop]; b != 0; {
		a.Bishops |= uint64(chess.BishopAttacks(b.Pop(), occ))
	}
	for b := own & byType[chess.Rook]; b != 0; {
		a.Rooks |= uint64(chess.RookAttacks(b.Pop(), occ))
	}
	for b := own & byType[chess.Queen]; b != 0; {
		a.Queens |= uint64(chess.QueenAttacks(b.Pop(), occ))
	}
	king := (own & byType[chess.King]).First()
	a.KingDiagonals = uint64(chess.BishopAttacks(king, occ))
	a.KingLines = uint64(chess.RookAttacks(king, occ))
	var once uint64
	for b := own & (byType[chess.Rook] | byType[chess.Queen] | byType[chess.King]); b != 0; {
		moves := uint64(chess.KnightAttacks(b.Pop()))
		a.Forks |= once & moves
		once |= moves
	}
}
