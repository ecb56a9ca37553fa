package search

import (
	"skein/chess"
	"skein/position"
)

// oversight decides which moves limited play overlooks, the opponent's and its
// own, as people do: the more easily the farther ahead, the longer and the
// quieter the move and the more men on the board; hardly when it captures
// something valuable, gives check, or goes to where a piece has just moved.
//
// A move, that is a piece and the squares, is either seen or overlooked in all
// lines at some distance from the root, and what is overlooked nearer to it is
// so farther on: otherwise a search with many lines would find one that is
// refuted only by overlooked moves, and play it.
type oversight struct {
	salt uint64 // of one search
	rate int    // permille at which a quiet reply of medium length is overlooked among 32 men
	// queens is whether the reply that takes a queen is always seen, and the moves of
	// the own queen if a lesser piece attacks it.
	queens bool
}

// The probability is oversight.rate multiplied by these percentages.
var (
	// oversightPly is the percentage by ply, the own next move being 0.
	oversightPly = [...]int{60, 100, 130, 170, 220, 270, 320, 370}
	// oversightLength is the percentage by length, in king's moves.
	oversightLength = [...]int{0: 100, 1: 70, 2: 80, 3: 100, 4: 120, 5: 140, 6: 160, 7: 180}
	// oversightVictim is the percentage by what is captured.
	oversightVictim = [...]int{
		chess.Pawn: 70, chess.Knight: 45, chess.Bishop: 45, chess.Rook: 35, chess.Queen: 20, chess.NoPieceType: 100,
	}
)

const (
	oversightCheck     = 50 // percentage of checks
	oversightPromotion = 30 // of promotions
	oversightAttention = 40 // of moves to the square that the last move went to
	oversightBackward  = 130

	// Probabilities below oversightLeast permille count as 0, and none is above
	// oversightMost.
	oversightLeast = 15
	oversightMost  = 850
)

// overlooks reports whether m, a legal move of pos at a ply, is overlooked after
// the move last. The position must not be in check: then nothing is overlooked.
func (o *oversight) overlooks(pos *position.Position, checks *position.Checks, m, last chess.Move, ply int) bool {
	if o.rate == 0 || o.queens && o.aboutQueen(pos, m, ply) {
		return false
	}
	p := o.probability(pos, checks, m, last, ply)
	if p < oversightLeast {
		return false
	}
	piece := uint64(pos.At(m.From()))
	return int(scramble(o.salt^piece<<16^uint64(m))>>32%1000) < min(p, oversightMost)
}

// aboutQueen reports whether the move m at a ply takes a queen at once or saves one.
func (o *oversight) aboutQueen(pos *position.Position, m chess.Move, ply int) bool {
	switch {
	case ply > 1:
		return false
	case pos.Captured(m) == chess.Queen:
		return true
	case ply > 0 || pos.At(m.From()).Type() != chess.Queen:
		return false
	}
	threats := pos.Threats()
	return threats.ByLesser(chess.Queen).Has(m.From())
}

// probability returns the probability, in permille, that m is overlooked; it may
// exceed 1000.
func (o *oversight) probability(pos *position.Position, checks *position.Checks, m, last chess.Move, ply int) int {
	p := o.rate * oversightPly[min(ply, len(oversightPly)-1)] / 100
	men := pos.Occupied().Count()
	p = p * (men + 8) / 40
	from, to := m.From(), m.To()
	if !m.IsCastling() {
		p = p * oversightLength[distance(from, to)] / 100
		p = p * oversightVictim[pos.Captured(m)] / 100
	}
	if us := pos.SideToMove(); to.Relative(us).Rank() < from.Relative(us).Rank() {
		p = p * oversightBackward / 100
	}
	if checks.Gives(pos, m) {
		p = p * oversightCheck / 100
	}
	if m.IsPromotion() {
		p = p * oversightPromotion / 100
	}
	if last != chess.NoMove && to == last.To() {
		p = p * oversightAttention / 100
	}
	return p
}

// distance returns the number of moves of a king from a to b on an empty board.
func distance(a, b chess.Square) int {
	return max(abs(a.File()-b.File()), abs(a.Rank()-b.Rank()))
}
