package search

import (
	"skein/chess"
	"skein/position"
	"skein/tt"
)

//go:generate go run ../scripts/params params.txt

// The formulas of the search. The numbers in them that a tuner may change are in
// params.txt: constants, but variables in builds with the tag tune. Depths are in
// plies, reductions in 1/1024 ply, scores in units of 1/256 of a pawn (chess.UnitsPerPawn),
// exchanges in centipawns (position.SEEValue), histories within ±historyMax.

const (
	// aspirationDepth is the first iteration searched with a narrow window.
	aspirationDepth = 4

	// minNodes are searched whatever the limits, if the first iteration takes
	// as many.
	minNodes = 2000

	lmrMinDepth = 2
)

const (
	historyMax    = 16384 // bounds every history value
	correctionMax = 1024  // bounds every correction value
)

// ply1024 is one ply in the unit of reductions.
const ply1024 = 1024

// aspirationDelta is half the width of the first window around score: the
// farther from equality, the less certain.
func aspirationDelta(score chess.Score) chess.Score {
	return chess.Score(aspirationBase + min(int(score*score)/aspirationDivisor, aspirationMost))
}

// widen returns the next half-width after a window failed.
func widen(delta chess.Score) chess.Score { return delta + delta*chess.Score(aspirationGrowth)/16 }

// maxExtendedPly is the first ply at which nothing is extended any more.
func maxExtendedPly(rootDepth int) int { return 2 * rootDepth }

// nearFiftyMoves reports whether scores depend on a history that the table does
// not know.
func nearFiftyMoves(p *position.Position) bool { return p.Halfmoves() >= 90 }

// scaled makes of the network's value for p an evaluation. It counts for more with much material on the board,
// with which the side ahead can still win (materialCenter, about half of all, leaves it as it is), and shrinks on
// the way to the fifty-move draw.
func scaled(value chess.Score, p *position.Position) chess.Score {
	return value * chess.Score(materialBase+material(p)) / chess.Score(materialBase+materialCenter) *
		chess.Score(fiftyMovesDamping-p.Halfmoves()) / chess.Score(fiftyMovesDamping)
}

// Unscaled returns the value that the network would have to give p for a search to make score of it: what a
// network is to learn from the score, lest the scaling of evaluations is learned and applied again. Wins and
// losses that are certain stay as they are.
func Unscaled(score chess.Score, p *position.Position) chess.Score {
	if score.IsDecisive() || p.Halfmoves() >= fiftyMovesDamping {
		return score
	}
	value := score * chess.Score(fiftyMovesDamping) / chess.Score(fiftyMovesDamping-p.Halfmoves()) *
		chess.Score(materialBase+materialCenter) / chess.Score(materialBase+material(p))
	return min(max(value, -chess.MaxEval), chess.MaxEval)
}

// material is the worth of all men in pawns.
func material(p *position.Position) int {
	minor := p.Pieces(chess.Knight) | p.Pieces(chess.Bishop)
	return p.Pieces(chess.Pawn).Count() + 3*minor.Count() + 5*p.Pieces(chess.Rook).Count() + 9*p.Pieces(chess.Queen).Count()
}

// voteWeight is what a thread's vote for its move counts, by how much its score
// is above the lowest of all and the depth it completed.
func voteWeight(margin chess.Score, depth int) int { return (int(margin) + voteMargin) * depth }

// tableDepth is the depth an entry needs to decide a node: one more to fail
// high.
func tableDepth(depth int, score, beta chess.Score) int { return depth + flag(score > beta) }

// razorMargin is how far below alpha an evaluation is hopeless at depth.
func razorMargin(depth int) chess.Score { return chess.Score(razorBase + razorSlope*depth*depth) }

// reverseFutilityMargin is how far above beta an evaluation is safe at depth:
// less if it has been rising, more if it had to be corrected.
func reverseFutilityMargin(depth int, improving, worsening bool, corrected chess.Score) chess.Score {
	margin := reverseFutilitySlope*(depth-flag(improving)) - reverseFutilityWorsening*flag(worsening)
	return chess.Score(max(margin+int(corrected)*reverseFutilityCorrected/1024, reverseFutilityLeast))
}

// reverseFutilityScore is what such a node returns: between the bound, which is
// certain, and the evaluation.
func reverseFutilityScore(eval, beta chess.Score) chess.Score {
	return beta + (eval-beta)/chess.Score(reverseFutilityDivisor)
}

// nullMoveReduction is how much shallower the search behind a null move is.
func nullMoveReduction(depth int, margin chess.Score) int {
	return nullMoveBase + depth/nullMoveDepthDivisor + min(int(margin)/nullMoveEvalDivisor, nullMoveEvalMost)
}

// nullMoveEval is the least static evaluation with which to pass.
func nullMoveEval(depth int, beta chess.Score) chess.Score {
	return beta + chess.Score(nullMoveEvalSlack-nullMoveEvalSlope*depth)
}

// nullMoveSuspension is for how many plies nobody passes while a null move is
// confirmed by a search of the given depth.
func nullMoveSuspension(depth int) int { return 3*depth/4 + 1 }

// zugzwangProne reports whether to pass proves nothing: without pieces, and with
// a single one unless the search is deep.
func zugzwangProne(p *position.Position, depth int) bool {
	pieces := p.Of(p.SideToMove()) &^ (p.Pieces(chess.Pawn) | p.Pieces(chess.King))
	return pieces == 0 || !pieces.Many() && depth < nullMovePieceDepth
}

// probCutBeta is the score that a capture must reach in a shallow search for
// the node to be cut.
func probCutBeta(beta chess.Score, improving bool) chess.Score {
	return beta + chess.Score(probCutMargin-probCutImproving*flag(improving))
}

// quietLimit is how many moves are tried before the remaining quiet ones are
// left out.
func quietLimit(depth int, improving bool) int {
	return (quietLimitBase + depth*depth) / (2 - flag(improving))
}

// worth turns a gain by exchanges, in centipawns of position.SEEValue, into units of scores;
// exchangeWorth is its inverse.
func worth(exchange int) chess.Score      { return chess.Score(exchange * exchangePawn / 100) }
func exchangeWorth(score chess.Score) int { return int(score) * 100 / exchangePawn }

// futilityMargin is the most that a quiet move is hoped to gain.
func futilityMargin(depth int) chess.Score { return chess.Score(futilityBase + futilitySlope*depth) }

// noisyFutilityMargin is the most that a capture is hoped to gain, besides the
// piece it takes.
func noisyFutilityMargin(depth, history int) chess.Score {
	return chess.Score(noisyFutilityBase + noisyFutilitySlope*depth + history/noisyFutilityDivisor)
}

// quietExchange is the loss by exchanges that a quiet move may cause.
func quietExchange(depth int) int { return -quietExchangeSlope * depth * depth }

// noisyExchange is the loss by exchanges that a capture may cause.
func noisyExchange(depth, history int) int {
	return -noisyExchangeSlope*depth - history/noisyHistoryDivisor
}

// deeper is by how many plies a move that surprised in a reduced search, with a score
// gain above the best so far, is searched deeper again than it would have been.
func deeper(gain chess.Score) int {
	return flag(gain > chess.Score(researchDeeperMargin)) - flag(gain < chess.Score(researchLowerMargin))
}

// singularBeta is the score that no other move may reach for the table's move
// to be singular.
func singularBeta(score chess.Score, depth int, wasPV bool) chess.Score {
	return score - chess.Score((singularSlope+singularWasPV*flag(wasPV))*depth/16)
}

// depthAfterRaise is the depth to search the other moves of a node to once one has
// raised alpha, which they will hardly beat.
func depthAfterRaise(depth int) int {
	if depth >= raisedMinDepth && depth <= raisedMaxDepth {
		return depth - raisedReduction
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
func tableReduction(e tt.Entry, score, alpha chess.Score, depth int, wasPV bool) int {
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
func refutedPermille(depth, number int, below, belowPrevious chess.Score, inCheck bool) int {
	s := min(refutedSlope*depth, refutedMost) - refutedBase +
		refutedLate*flag(number > refutedLateMoves) +
		refutedBelow*flag(!inCheck && int(below) >= refutedMargin) +
		refutedBelowPrevious*flag(int(belowPrevious) >= refutedPreviousMargin)
	return min(max(s, 0), refutedMax)
}

// evalHistoryBonus rewards a quiet move by how the sum of the evaluations
// before and after it, each from its own side, differs from zero.
func evalHistoryBonus(sum chess.Score) int {
	return min(max(-int(sum)*evalHistoryScale/16, -evalHistoryLimit), evalHistoryLimit)
}

// correctionBonus is what a correction learns from a search of depth whose
// score is error units above the static evaluation.
func correctionBonus(err chess.Score, depth int) int {
	return min(max(int(err)*depth*2/correctionDivisor, -correctionMax/4), correctionMax/4)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func abs[N int | chess.Score](x N) N {
	if x < 0 {
		return -x
	}
	return x
}
