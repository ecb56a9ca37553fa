package search

import (
	"skein/chess"
	"skein/position"
)

// The ratings from which a player knows how to mate a bare king.
const (
	knowsHeavy   = 800    // with a queen or a rook
	knowsBishops = 1600   // with two bishops
	knowsKnight  = MaxElo // with a bishop and a knight; it takes a search of many moves
)

// techniqueNodes returns the least number of nodes with which a player of a rating
// looks for a mate that it knows how to give.
func techniqueNodes(elo int) int { return 1500 + 3*max(elo-knowsHeavy, 0) }

// technique returns what p is worth to a player of a rating who knows how to
// mate the bare king of one side, to the side to move, and whether it is such a
// position: more the smaller the region that the king can reach, the closer the
// other king, and the nearer to the edge, with bishops also to a corner; with bishop
// and knight, to a corner of the bishop's color. It is some ten pawns and the material.
func technique(p *position.Position, elo int) (value chess.Score, ok bool) {
	winner := p.SideToMove()
	if p.Of(winner).Many() == p.Of(winner.Other()).Many() {
		return 0, false
	}
	if !p.Of(winner).Many() {
		winner = winner.Other()
	}
	bishops := p.PiecesOf(winner, chess.Bishop)
	light, dark := bishops&chess.LightSquares != 0, bishops&^chess.LightSquares != 0
	king := p.King(winner.Other())
	far := 20 * distance(king, p.King(winner))
	switch knights := p.PiecesOf(winner, chess.Knight); {
	case p.PiecesOf(winner, chess.Queen)|p.PiecesOf(winner, chess.Rook) != 0:
		ok = elo >= knowsHeavy
	case light && dark:
		ok = elo >= knowsBishops
		far += 40 * min(distance(king, chess.A1), distance(king, chess.A8), distance(king, chess.H1),
			distance(king, chess.H8))
	case knights != 0 && dark:
		ok = elo >= knowsKnight
		far = 3*far + 150*(7-abs(7-king.File()-king.Rank()))
	case knights != 0 && light:
		ok = elo >= knowsKnight
		far = 3*far + 150*(7-abs(king.File()-king.Rank()))
	}
	if !ok {
		return 0, false
	}
	value = 10*chess.UnitsPerPawn + chess.Score(chess.UnitsPerPawn*material(p)-3*region(p, winner)-far-30*toEdge(king))
	value = min(value, chess.MaxEval)
	if winner != p.SideToMove() {
		value = -value
	}
	return value, true
}

// toEdge returns the distances of s from the nearest edges, across and along
// files, added up: 0 to 6.
func toEdge(s chess.Square) int {
	return min(s.File(), 7-s.File()) + min(s.Rank(), 7-s.Rank())
}

// region returns the number of squares that the bare king of the side other than
// winner could reach if winner always passed.
func region(p *position.Position, winner chess.Color) int {
	king := p.King(winner.Other())
	occupied := p.Occupied() &^ king.Bit()
	attacked := chess.PawnsAttack(winner, p.PiecesOf(winner, chess.Pawn))
	for men := p.Of(winner) &^ p.Pieces(chess.Pawn); men != 0; {
		s := men.Pop()
		attacked |= chess.Attacks(p.At(s).Type(), s, occupied)
	}
	reached, edge := king.Bit(), king.Bit()
	for edge != 0 {
		var next chess.Bitboard
		for edge != 0 {
			next |= chess.KingAttacks(edge.Pop())
		}
		edge = next &^ attacked &^ reached
		reached |= edge
	}
	return reached.Count()
}
