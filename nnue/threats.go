package nnue

import (
	"math/bits"
	"unsafe"

	"skein/chess"
	"skein/internal/simd"
	"skein/position"
)

// men are the men on a board.
type men struct {
	byType   *[6]chess.Bitboard
	byColor  *[2]chess.Bitboard
	castling chess.Bitboard // rooks that may castle
}

// menOf returns the men of a position.
func menOf(p *position.Position) men {
	byType, byColor := p.Bitboards()
	return men{byType, byColor, p.CastlingRooks(chess.White) | p.CastlingRooks(chess.Black)}
}

// setThreats sets t.
func (m *men) setThreats(t *simd.Threats) {
	byType, byColor := (*[6]uint64)(unsafe.Pointer(m.byType)), (*[2]uint64)(unsafe.Pointer(m.byColor))
	if !simd.SetThreats(t, byType, byColor, uint64(m.castling)) {
		m.slowThreats(t)
	}
}

// attackSets are the squares that one side attacks, its own pieces there included.
type attackSets struct {
	pawns, knights, bishops, rooks, queens, king chess.Bitboard

	minors, pieces, all chess.Bitboard // attacked by pawns and minor pieces; by all but the king; by any
	twice               chess.Bitboard // attacked by pieces of two types, or by two pawns

	queenDiagonals, queenLines chess.Bitboard // parts of queens
	queenJumps                 chess.Bitboard // a knight's move from its queens
	kingDiagonals, kingLines   chess.Bitboard // what the king would attack as a bishop, as a rook
	forks                      chess.Bitboard // a knight's move from two or more of its rooks, queens and king
	pins                       chess.Bitboard // men of any color alone between its king and a slider of the opponent
}

// slowThreats does what simd.SetThreats does.
func (m *men) slowThreats(t *simd.Threats) {
	ofWhite, ofBlack := m.attacksOf(chess.White), m.attacksOf(chess.Black)
	for c, s := range [...]*attackSets{&ofWhite, &ofBlack} {
		t.Pawns[c], t.Minors[c], t.Rooks[c] = uint64(s.pawns), uint64(s.minors), uint64(s.minors|s.rooks)
		t.All[c], t.Twice[c] = uint64(s.all), uint64(s.twice)
	}
	lesser := m.byColor[chess.White]&m.byLesser(&ofBlack) | m.byColor[chess.Black]&m.byLesser(&ofWhite)
	hanging := m.byColor[chess.White]&ofBlack.all&^ofWhite.all | m.byColor[chess.Black]&ofWhite.all&^ofBlack.all
	hanging &^= lesser | m.byType[chess.King]
	t.Hanging, t.ByLesser = uint64(hanging), uint64(lesser)
	t.Dangers[chess.White] = uint64(m.mostDangersOf(chess.White, &ofWhite, &ofBlack, hanging|lesser))
	t.Dangers[chess.Black] = uint64(m.mostDangersOf(chess.Black, &ofBlack, &ofWhite, hanging|lesser))
}

// byLesser returns the pieces of either color on squares attacked by a piece worth less.
func (m *men) byLesser(by *attackSets) chess.Bitboard {
	return (m.byType[chess.Knight]|m.byType[chess.Bishop])&by.pawns | m.byType[chess.Rook]&by.minors |
		m.byType[chess.Queen]&(by.minors|by.rooks)
}

// attacksOf returns the attacks of color c.
func (m *men) attacksOf(c chess.Color) (s attackSets) {
	own, theirs, occ := m.byColor[c&1], m.byColor[c&1^1], m.byColor[0]|m.byColor[1]
	left, right := pawnAttacks(c, own&m.byType[chess.Pawn])
	s.pawns = left | right
	for b := own & m.byType[chess.Knight]; b != 0; {
		s.knights |= chess.KnightAttacks(b.Pop())
	}
	for b := own & m.byType[chess.Bishop]; b != 0; {
		s.bishops |= chess.BishopAttacks(b.Pop(), occ)
	}
	for b := own & m.byType[chess.Rook]; b != 0; {
		s.rooks |= chess.RookAttacks(b.Pop(), occ)
	}
	for b := own & m.byType[chess.Queen]; b != 0; {
		q := b.Pop()
		s.queenJumps |= chess.KnightAttacks(q)
		s.queenDiagonals |= chess.BishopAttacks(q, occ)
		s.queenLines |= chess.RookAttacks(q, occ)
	}
	s.queens = s.queenDiagonals | s.queenLines
	king := (own & m.byType[chess.King]).First()
	s.king = chess.KingAttacks(king)
	s.kingDiagonals, s.kingLines = chess.BishopAttacks(king, occ), chess.RookAttacks(king, occ)

	knights := s.pawns | s.knights
	s.minors = knights | s.bishops
	rooks := s.minors | s.rooks
	s.pieces = rooks | s.queens
	s.all = s.pieces | s.king
	s.twice = left&right | s.pawns&s.knights | knights&s.bishops | s.minors&s.rooks | rooks&s.queens | s.pieces&s.king

	var once chess.Bitboard
	for b := own & (m.byType[chess.Rook] | m.byType[chess.Queen] | m.byType[chess.King]); b != 0; {
		moves := chess.KnightAttacks(b.Pop())
		s.forks |= once & moves
		once |= moves
	}
	for b := (m.byType[chess.Rook]|m.byType[chess.Queen])&theirs&chess.RookRays(king) |
		(m.byType[chess.Bishop]|m.byType[chess.Queen])&theirs&chess.BishopRays(king); b != 0; {
		if between := chess.Between(king, b.Pop()) & occ; !between.Many() {
			s.pins |= between
		}
	}
	return s
}

// mostDangersOf returns the dangers of color c but for bits 11, 19 and 20, given what
// its pieces and those of the opponent attack and which pieces are threatened.
func (m *men) mostDangersOf(c chess.Color, own, theirs *attackSets, threatened chess.Bitboard) (d Dangers) {
	us, them, opponent := m.byColor[c&1], m.byColor[c&1^1], c.Other()
	minors, kings := m.byType[chess.Knight]|m.byType[chess.Bishop], m.byType[chess.King]
	pieces := us &^ m.byType[chess.Pawn]

	// Where a piece that gives check or forks, one that attacks a queen, and a pawn are safe.
	safe := ^own.pieces & (^own.king | theirs.twice) &^ them
	supported := (^own.all | theirs.twice) &^ them &^ own.minors
	pushes := m.pawnPushes(opponent) &^ own.pawns & (^own.all | theirs.all)

	knights, kingQueen := theirs.knights&safe, own.kingDiagonals|own.kingLines
	knightChecks, bishopChecks := chess.KnightAttacks((us&kings).First())&knights, own.kingDiagonals&theirs.bishops&safe
	rookChecks, queenChecks := own.kingLines&theirs.rooks&safe, kingQueen&theirs.queens&safe
	checks := knightChecks | bishopChecks | rookChecks | queenChecks
	if flights := own.king &^ us &^ theirs.all; flights.Many() {
		checks = 0
	}
	overloaded := theirs.twice &^ own.twice
	attacked := overloaded & own.all & us &^ threatened &^ kings
	left, right := pawnAttacks(opponent, pushes)
	loose := pieces &^ own.all &^ kings

	for _, b := range [...]chess.Bitboard{ // from bit 21 to bit 0
		m.castling & us,
		0,
		0,
		m.runners(opponent, own.all),
		checks,
		(left | right) & us & minors &^ theirs.pawns,
		attacked &^ pieces,
		attacked & pieces,
		own.pins & pieces & (overloaded | theirs.minors | theirs.rooks),
		own.pins & them & minors,
		0,
		m.queenForks(theirs.queens&^own.all&^them, loose, kingQueen),
		own.queenLines & theirs.rooks & supported &^ own.rooks,
		(own.queenJumps&theirs.knights | own.queenDiagonals&theirs.bishops) & supported,
		pushes & pawnForks(opponent, pieces),
		own.forks & knights,
		own.king & rookChecks,
		own.king & queenChecks,
		queenChecks,
		rookChecks,
		bishopChecks,
		knightChecks,
	} {
		_, borrow := bits.Sub64(0, uint64(b), 0) // 1 unless b is empty
		d = 2*d + Dangers(borrow)
	}
	return d
}

// pawnAttacks returns what pawns of color c on some squares attack, toward either side.
func pawnAttacks(c chess.Color, b chess.Bitboard) (left, right chess.Bitboard) {
	if c == chess.White {
		return b &^ chess.FileA << 7, b &^ chess.FileH << 9
	}
	return b &^ chess.FileA >> 9, b &^ chess.FileH >> 7
}

// pawnForks returns the squares from which a pawn of color c attacks two of some pieces.
func pawnForks(c chess.Color, pieces chess.Bitboard) chess.Bitboard {
	left, right := pawnAttacks(c.Other(), pieces)
	return left & right
}

// ahead returns the squares one step ahead of pawns of color c.
func ahead(c chess.Color, pawns chess.Bitboard) chess.Bitboard {
	if c == chess.White {
		return pawns << 8
	}
	return pawns >> 8
}

// pawnPushes returns the squares to which pawns of color c can advance.
func (m *men) pawnPushes(c chess.Color) chess.Bitboard {
	free := ^(m.byColor[0] | m.byColor[1])
	third := chess.Rank3
	if c == chess.Black {
		third = chess.Rank6
	}
	to := ahead(c, m.byColor[c&1]&m.byType[chess.Pawn]) & free
	return to | ahead(c, to&third)&free
}

// runners returns the squares of the last rank that pawns of color c can reach, in at most three moves, by squares that
// are free and not attacked.
func (m *men) runners(c chess.Color, attacked chess.Bitboard) chess.Bitboard {
	free := ^(m.byColor[0] | m.byColor[1] | attacked)
	advanced := chess.Rank5 | chess.Rank6 | chess.Rank7
	if c == chess.Black {
		advanced = chess.Rank2 | chess.Rank3 | chess.Rank4
	}
	to := ahead(c, m.byColor[c&1]&m.byType[chess.Pawn]&advanced) & free
	to |= ahead(c, to) & free
	to |= ahead(c, to) & free
	return to & chess.HomeRank(c.Other())
}

// queenForks returns those of some squares from which a queen sees two pieces: of a king,
// which sees byKing, and others.
func (m *men) queenForks(squares, others, byKing chess.Bitboard) (forks chess.Bitboard) {
	if squares == 0 {
		return 0
	}
	once := byKing
	for others != 0 {
		seen := chess.QueenAttacks(others.Pop(), m.byColor[0]|m.byColor[1])
		forks |= once & seen
		once |= seen
	}
	return squares & forks
}
