package search

import (
	"skein/chess"
	"skein/position"
)

// The formulas of the search, in one place. Depths and reductions are in
// plies, scores in centipawns.

const (
	// aspirationDepth is the first iteration searched with a narrow window.
	aspirationDepth = 4

	// minNodes are searched whatever the limits, if the first iteration takes
	// as many.
	minNodes = 2000

	nullMoveMinDepth = 3
	lmrMinDepth      = 3
)

// aspirationDelta is half the width of the first window around the last score.
func aspirationDelta() int { return 25 }

// widen returns the next half-width after a window failed.
func widen(delta int) int { return delta + delta/2 }

// nullMoveReduction is how much shallower the search behind a null move is.
func nullMoveReduction(depth, margin int) int {
	return 3 + depth/3 + min(margin/200, 3)
}

// nullMoveSuspension is for how many plies nobody passes while a null move is
// confirmed by a search of the given depth.
func nullMoveSuspension(depth int) int { return 3*depth/4 + 1 }

// maxExtendedPly is the first ply at which check extends no more.
func maxExtendedPly(rootDepth int) int { return 2 * rootDepth }

// nearFiftyMoves reports whether scores depend on a history that the table does
// not know.
func nearFiftyMoves(p *position.Position) bool { return p.Halfmoves() >= 90 }

// voteWeight is what a thread's vote for its move counts, by how much its score
// is above the lowest of all and the depth it completed.
func voteWeight(margin, depth int) int { return (margin + 10) * depth }

// zugzwangProne reports whether a cut-off by null move needs to be confirmed.
func zugzwangProne(p *position.Position, depth int) bool {
	pieces := p.Of(p.SideToMove()) &^ p.Pieces(chess.Pawn)
	return pieces.Count() <= 3 || depth >= 12 // king and at most two pieces
}

// lmrTable holds late move reductions in 1/1024 ply by depth and move number.
var lmrTable = func() (t [64][64]int) {
	for depth := 1; depth < 64; depth++ {
		for move := 1; move < 64; move++ {
			// 0.4 + ln(depth) * ln(move) / 2.2, where ln(a) ln(b) / 2.2 is
			// 224/1024 of log2(a) log2(b).
			t[depth][move] = 400 + log2(depth)*log2(move)/1024*224/1024
		}
	}
	return t
}()

// log2 returns the binary logarithm of x >= 1 in 1/1024, computed in integers
// so that it is the same on every CPU.
func log2(x int) int {
	result := 0
	y := uint64(x) << 24
	for y >= 2<<24 {
		y >>= 1
		result += 1024
	}
	for bit := 512; bit > 0; bit >>= 1 {
		if y = y * y >> 24; y >= 2<<24 {
			y >>= 1
			result += bit
		}
	}
	return result
}

// lmrReduction is how much shallower than its depth the move'th move is
// searched first.
func lmrReduction(depth, move int, quiet, pv, killer bool, history int) int {
	r := lmrTable[min(depth, 63)][min(move, 63)]
	if !quiet {
		r = r * 2 / 3
	}
	if pv {
		r -= 1024
	}
	if killer {
		r -= 1024
	}
	r -= history * 1024 / historyMax
	return max(r, 0) / 1024
}

// historyBonus is what a quiet move gains for a cut-off at depth, and what
// those tried before it lose.
func historyBonus(depth int) int { return min(16*depth*depth+32*depth, 1600) }
