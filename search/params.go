package search

import (
	"skein/chess"
	"skein/nnue"
	"skein/position"
	"skein/tt"
)

// The formulas of the search and what they are made of, in one place. Depths
// are in plies, reductions in 1/1024 ply, scores in units of 1/256 of a pawn (nnue.Pawn), exchanges in
// centipawns (position.SEEValue), histories within ±historyMax. The variables are constants to everything but a build
// with the tag tune, which varies them; see tunables.go.
var (
	aspirationBase = 19

	materialBase = 287 // pawns' worth

	razorBase  = 623
	razorSlope = 344

	reverseFutilityMaxDepth = 12
	reverseFutilitySlope    = 157

	nullMoveBase         = 4
	nullMoveDepthDivisor = 3
	nullMoveEvalDivisor  = 397
	nullMoveEvalSlack    = 367
	nullMoveEvalSlope    = 31

	probCutMargin    = 206
	probCutImproving = 115
	tableCutMargin   = 802

	quietHistoryPruning  = 1450
	quietHistoryDivisor  = 4281
	futilityMaxDepth     = 10
	futilityBase         = 53
	futilitySlope        = 164
	noisyFutilityBase    = 436
	noisyFutilitySlope   = 294
	noisyFutilityDivisor = 19
	noisyHistoryDivisor  = 73
	quietExchangeSlope   = 10
	noisyExchangeSlope   = 80
	quiescenceFutility   = 394
	hindsightMargin      = 302
	evalHistoryScale     = 59 // 1/16 a unit
	evalHistoryLimit     = 1025
	singularSlope        = 42 // 1/16 unit a ply
	singularWasPV        = 42 // 1/16 unit a ply
	doubleMargin         = 38
	doublePVMargin       = 275
	tripleMargin         = 206
	researchDeeperMargin = 172
	researchLowerMargin  = 15

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
	reductionCorrection = 67 // 1/16384 ply a unit

	bonusSlope = 321
	bonusBase  = 90
	bonusMax   = 2060
	malusSlope = 387
	malusBase  = 100
	malusMax   = 2096

	correctionPawn         = 187 // weights in 1/2048 unit
	correctionMinor        = 195
	correctionNonPawn      = 187
	correctionContinuation = 191
	correctionEarlier      = 115
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

const (
	historyMax    = 16384 // bounds every history value
	correctionMax = 1024  // bounds every correction value
)

// ply1024 is one ply in the unit of reductions.
const ply1024 = 1024

// aspirationDelta is half the width of the first window around score: the
// farther from equality, the less certain.
func aspirationDelta(score int) int { return aspirationBase + min(score*score/57300, 764) }

// widen returns the next half-width after a window failed.
func widen(delta int) int { return delta + delta/2 }

// maxExtendedPly is the first ply at which nothing is extended any more.
func maxExtendedPly(rootDepth int) int { return 2 * rootDepth }

// nearFiftyMoves reports whether scores depend on a history that the table does
// not know.
func nearFiftyMoves(p *position.Position) bool { return p.Halfmoves() >= 90 }

// scaled makes of the network's value for p an evaluation. It counts for more with much material on the board,
// with which the side ahead can still win (40 pawns' worth, about half of all, leaves it as it is), and shrinks on
// the way to the fifty-move draw.
func scaled(value int, p *position.Position) int {
	return value * (materialBase + material(p)) / (materialBase + 40) * (220 - p.Halfmoves()) / 220
}

// Unscaled returns the value that the network would have to give p for a search to make score of it: what a
// network is to learn from the score, lest the scaling of evaluations is learned and applied again. Wins and
// losses that are certain stay as they are.
func Unscaled(score Score, p *position.Position) Score {
	if isDecisive(int(score)) || p.Halfmoves() >= 220 {
		return score
	}
	value := int(score) * 220 / (220 - p.Halfmoves()) * (materialBase + 40) / (materialBase + material(p))
	return Score(min(max(value, -nnue.MaxEval), nnue.MaxEval))
}

// material is the worth of all men in pawns.
func material(p *position.Position) int {
	minor := p.Pieces(chess.Knight) | p.Pieces(chess.Bishop)
	return p.Pieces(chess.Pawn).Count() + 3*minor.Count() + 5*p.Pieces(chess.Rook).Count() + 9*p.Pieces(chess.Queen).Count()
}

// voteWeight is what a thread's vote for its move counts, by how much its score
// is above the lowest of all and the depth it completed.
func voteWeight(margin, depth int) int { return (margin + 38) * depth }

// tableDepth is the depth an entry needs to decide a node: one more to fail
// high.
func tableDepth(depth, score, beta int) int { return depth + flag(score > beta) }

// razorMargin is how far below alpha an evaluation is hopeless at depth.
func razorMargin(depth int) int { return razorBase + razorSlope*depth*depth }

// reverseFutilityMargin is how far above beta an evaluation is safe at depth:
// less if it has been rising, more if it had to be corrected.
func reverseFutilityMargin(depth int, improving, worsening bool, corrected int) int {
	return max(reverseFutilitySlope*(depth-flag(improving))-46*flag(worsening)+corrected/4, 38)
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

// exchangePawn is what a pawn, 100 in exchanges, is worth in scores.
const exchangePawn = 382

// worth turns a gain by exchanges, in centipawns of position.SEEValue, into units of scores;
// exchangeWorth is its inverse.
func worth(exchange int) int      { return exchange * exchangePawn / 100 }
func exchangeWorth(score int) int { return score * 100 / exchangePawn }

// futilityMargin is the most that a quiet move is hoped to gain.
func futilityMargin(depth int) int { return futilityBase + futilitySlope*depth }

// noisyFutilityMargin is the most that a capture is hoped to gain, besides the
// piece it takes.
func noisyFutilityMargin(depth, history int) int {
	return noisyFutilityBase + noisyFutilitySlope*depth + history/noisyFutilityDivisor
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
	s := min(80*depth, 550) - 310 + 230*flag(number > 9) + 200*flag(!inCheck && below >= 134) + 200*flag(belowPrevious >= 84)
	return min(max(s, 0), 1250)
}

// evalHistoryBonus rewards a quiet move by how the sum of the evaluations
// before and after it, each from its own side, differs from zero.
func evalHistoryBonus(sum int) int {
	return min(max(-sum*evalHistoryScale/16, -evalHistoryLimit), evalHistoryLimit)
}

// correctionBonus is what a correction learns from a search of depth whose
// score is error units above the static evaluation.
func correctionBonus(err, depth int) int {
	return min(max(err*depth*2/23, -correctionMax/4), correctionMax/4)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
