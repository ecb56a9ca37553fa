package search

import (
	"skein/chess"
	"skein/position"
	"skein/tt"
)

// The formulas of the search and what they are made of, in one place. Depths
// are in plies, reductions in 1/1024 ply, scores in centipawns, histories
// within ±historyMax. The variables are constants to everything but a build
// with the tag tune, which varies them; see tunables.go.
var (
	aspirationBase = 5

	materialBase = 287 // pawns' worth

	razorBase  = 163
	razorSlope = 90

	reverseFutilityMaxDepth = 12
	reverseFutilitySlope    = 41

	nullMoveBase         = 4
	nullMoveDepthDivisor = 3
	nullMoveEvalDivisor  = 104
	nullMoveEvalSlack    = 96
	nullMoveEvalSlope    = 8

	probCutMargin    = 54
	probCutImproving = 30
	tableCutMargin   = 210

	quietHistoryPruning  = 1450
	quietHistoryDivisor  = 4281
	futilityMaxDepth     = 10
	futilityBase         = 14
	futilitySlope        = 43
	noisyFutilityBase    = 114
	noisyFutilitySlope   = 77
	noisyHistoryDivisor  = 73
	quietExchangeSlope   = 10
	noisyExchangeSlope   = 80
	quiescenceFutility   = 103
	hindsightMargin      = 79
	evalHistoryScale     = 14
	evalHistoryLimit     = 1025
	singularSlope        = 11 // 1/16 cp a ply
	singularWasPV        = 11 // 1/16 cp a ply
	doubleMargin         = 10
	doublePVMargin       = 72
	tripleMargin         = 54
	researchDeeperMargin = 45
	researchLowerMargin  = 4

	reductionBase       = 360
	reductionSlope      = 601 // of ln(depth) * ln(move)
	reductionNoisyBase  = -100
	reductionNoisySlope = 390
	reductionImproving  = 1318
	reductionWasPV      = 876
	reductionPV         = 925
	reductionCut        = 890
	reductionNoMove     = 660
	reductionNoisyTable = 807
	reductionCutoffs    = 979
	reductionCheck      = 1448
	reductionNearCheck  = 2400 // near the root, besides
	reductionRoot       = 1024
	reductionRaised     = 423
	reductionTableLow   = 516
	reductionTableHigh  = 719 // of what was on a principal variation
	reductionTableDeep  = 553
	reductionHistory    = 21 // statistics for 1/1024 ply
	reductionNoisy      = 16
	reductionCorrection = 16 // 1/1024 ply for a centipawn

	bonusSlope = 321
	bonusBase  = 90
	bonusMax   = 2060
	malusSlope = 387
	malusBase  = 100
	malusMax   = 2096

	correctionPawn         = 49 // weights in 1/2048 cp
	correctionMinor        = 51
	correctionNonPawn      = 49
	correctionContinuation = 50
	correctionEarlier      = 30
)

const (
	// aspirationDepth is the first iteration searched with a narrow window.
	aspirationDepth = 4

	// minNodes are searched whatever the limits, if the first iteration takes
	// as many.
	minNodes = 2000

	probCutMinDepth  = 4
	singularMinDepth = 6
	reduceMinDepth   = 3 // internal iterative reduction
	lmrMinDepth      = 2
	nearRoot         = 6 // plies

	// nullMoveConfirmDepth is the first at which a null move must be confirmed.
	nullMoveConfirmDepth = 14
)

// ply1024 is one ply in the unit of reductions.
const ply1024 = 1024

// aspirationDelta is half the width of the first window around score: the
// farther from equality, the less certain.
func aspirationDelta(score int) int { return aspirationBase + min(score*score/15000, 200) }

// widen returns the next half-width after a window failed.
func widen(delta int) int { return delta + delta/2 }

// maxExtendedPly is the first ply at which nothing is extended any more.
func maxExtendedPly(rootDepth int) int { return 2 * rootDepth }

// nearFiftyMoves reports whether scores depend on a history that the table does
// not know.
func nearFiftyMoves(p *position.Position) bool { return p.Halfmoves() >= 90 }

// scaleFiftyMoves shrinks an evaluation on the way to the fifty-move draw.
func scaleFiftyMoves(eval, halfmoves int) int { return eval * (220 - halfmoves) / 220 }

// scaleMaterial makes an evaluation count for more with much material on the
// board: the side ahead then keeps what it can still win with. 40 pawns' worth,
// about half of all, leaves it as it is.
func scaleMaterial(eval int, p *position.Position) int {
	minor := p.Pieces(chess.Knight) | p.Pieces(chess.Bishop)
	material := p.Pieces(chess.Pawn).Count() + 3*minor.Count() + 5*p.Pieces(chess.Rook).Count() + 9*p.Pieces(chess.Queen).Count()
	return eval * (materialBase + material) / (materialBase + 40)
}

// voteWeight is what a thread's vote for its move counts, by how much its score
// is above the lowest of all and the depth it completed.
func voteWeight(margin, depth int) int { return (margin + 10) * depth }

// tableDepth is the depth an entry needs to decide a node: one more to fail
// high.
func tableDepth(depth, score, beta int) int { return depth + flag(score > beta) }

// razorMargin is how far below alpha an evaluation is hopeless at depth.
func razorMargin(depth int) int { return razorBase + razorSlope*depth*depth }

// reverseFutilityMargin is how far above beta an evaluation is safe at depth:
// less if it has been rising, more if it had to be corrected.
func reverseFutilityMargin(depth int, improving, worsening bool, corrected int) int {
	return max(reverseFutilitySlope*(depth-flag(improving))-12*flag(worsening)+corrected/4, 10)
}

// reverseFutilityScore is what such a node returns: between the bound, which is
// certain, and the evaluation.
func reverseFutilityScore(eval, beta int) int { return beta + (eval-beta)/3 }

// nullMoveReduction is how much shallower the search behind a null move is.
func nullMoveReduction(depth, margin int) int {
	return nullMoveBase + depth/nullMoveDepthDivisor + min(margin/nullMoveEvalDivisor, 3)
}

// nullMoveEval is the least static evaluation with which to pass.
func nullMoveEval(depth, beta int) int { return beta + nullMoveEvalSlack - nullMoveEvalSlope*depth }

// nullMoveSuspension is for how many plies nobody passes while a null move is
// confirmed by a search of the given depth.
func nullMoveSuspension(depth int) int { return 3*depth/4 + 1 }

// zugzwangProne reports whether to pass proves nothing: without pieces, and with
// a single one unless the search is deep.
func zugzwangProne(p *position.Position, depth int) bool {
	pieces := p.Of(p.SideToMove()) &^ (p.Pieces(chess.Pawn) | p.Pieces(chess.King))
	return pieces == 0 || !pieces.Many() && depth < 10
}

// probCutBeta is the score that a capture must reach in a shallow search for
// the node to be cut.
func probCutBeta(beta int, improving bool) int {
	return beta + probCutMargin - probCutImproving*flag(improving)
}

// quietLimit is how many moves are tried before the remaining quiet ones are
// left out.
func quietLimit(depth int, improving bool) int { return (4 + depth*depth) / (2 - flag(improving)) }

// futilityMargin is the most that a quiet move is hoped to gain.
func futilityMargin(depth int) int { return futilityBase + futilitySlope*depth }

// noisyFutilityMargin is the most that a capture is hoped to gain, besides the
// piece it takes.
func noisyFutilityMargin(depth, history int) int {
	return noisyFutilityBase + noisyFutilitySlope*depth + history/noisyHistoryDivisor
}

// quietExchange is the loss by exchanges that a quiet move may cause.
func quietExchange(depth int) int { return -quietExchangeSlope * depth * depth }

// noisyExchange is the loss by exchanges that a capture may cause.
func noisyExchange(depth, history int) int {
	return -noisyExchangeSlope*depth - history/noisyHistoryDivisor
}

// singularBeta is the score that no other move may reach for the table's move
// to be singular.
func singularBeta(score, depth int, wasPV bool) int {
	return score - (singularSlope+singularWasPV*flag(wasPV))*depth/16
}

// depthAfterRaise is the depth to search the other moves of a node to once one has
// raised alpha, which they will hardly beat.
func depthAfterRaise(depth int) int {
	if depth > 3 && depth < 12 {
		return depth - 2
	}
	return depth
}

// lmrTable holds late move reductions by depth and move number.
var lmrTable, lmrNoisyTable = reductions(reductionBase, reductionSlope), reductions(reductionNoisyBase, reductionNoisySlope)

func reductions(base, slope int) *[64][64]int {
	t := new([64][64]int)
	for depth := 1; depth < 64; depth++ {
		for move := 1; move < 64; move++ {
			// ln(a) ln(b) is 492/1024 of log2(a) log2(b).
			t[depth][move] = base + log2(depth)*log2(move)/1024*492/1024*slope/1024
		}
	}
	return t
}

// lmrReduction is how much shallower than its depth the move'th move is
// searched first, before the circumstances are considered.
func lmrReduction(depth, move int, quiet bool) int {
	t := lmrTable
	if !quiet {
		t = lmrNoisyTable
	}
	return t[min(depth, 63)][min(move, 63)]
}

// checkReduction is how much less a check is reduced, in 1/1024 ply: hardly at all
// near the root, where attacks that cost material are found that way at little
// cost.
func checkReduction(ply int) int { return reductionCheck + reductionNearCheck*flag(ply < nearRoot) }

// tableReduction is how much more a move is reduced, in 1/1024 ply, for what the
// table says of the node: more if it failed low, less if a line that was once a
// principal variation holds up.
func tableReduction(e tt.Entry, score, alpha, depth int, wasPV bool) int {
	if e.Bound == tt.BoundNone {
		return 0
	}
	r := -flag(wasPV && int(e.Depth) >= depth) * reductionTableDeep
	if score <= alpha {
		return r + reductionTableLow
	}
	return r - flag(wasPV)*reductionTableHigh
}

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

// historyBonus is what a move gains for being best at depth, historyMalus what
// those tried before it lose.
func historyBonus(depth int) int { return min(bonusSlope*depth-bonusBase, bonusMax) }
func historyMalus(depth int) int { return min(malusSlope*depth-malusBase, malusMax) }

// refutedPermille scales the bonus of a quiet move against which nothing helped:
// by depth, by how late it was tried, and by how far the score fell short of the
// evaluations of both sides.
func refutedPermille(depth, number, below, belowPrevious int, inCheck bool) int {
	s := min(80*depth, 550) - 310 + 230*flag(number > 9) + 200*flag(!inCheck && below >= 35) + 200*flag(belowPrevious >= 22)
	return min(max(s, 0), 1250)
}

// evalHistoryBonus rewards a quiet move by how the sum of the evaluations
// before and after it, each from its own side, differs from zero.
func evalHistoryBonus(sum int) int {
	return min(max(-sum*evalHistoryScale, -evalHistoryLimit), evalHistoryLimit)
}

// correctionBonus is what a correction learns from a search of depth whose
// score is error centipawns above the static evaluation.
func correctionBonus(err, depth int) int {
	return min(max(err*depth/3, -correctionMax/4), correctionMax/4)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
