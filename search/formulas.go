package search

import (
	"skein/chess"
	"skein/position"
	"skein/tt"
)

//go:generate go run ../scripts/params params.txt

// The formulas of the search. The tunable numbers are in params.txt: constants, but variables in builds with the tag
// tune. Depths are in plies, reductions in 1/1024 ply, scores in units of 1/256 of a pawn (chess.UnitsPerPawn),
// exchanges in centipawns (position.SEEValue), histories within ±historyMax.

const (
	// aspirationDepth is the first iteration searched with a narrow window.
	aspirationDepth = 4

	// minNodes may be searched whatever the limits, to complete the first
	// iteration.
	minNodes = 2000

	lmrMinDepth = 2
)

const (
	historyMax    = 16384 // bound of every history value
	correctionMax = 1024  // bound of every correction value
)

// ply1024 is one ply in the unit of reductions.
const ply1024 = 1024

// aspirationDelta returns half the width of the first aspiration window around
// score, which grows with the square of the score.
func aspirationDelta(score chess.Score) chess.Score {
	return chess.Score(aspirationBase + min(int(score*score)/aspirationDivisor, aspirationMost))
}

// widen returns the next half-width after a fail low or high.
func widen(delta chess.Score) chess.Score { return delta + delta*chess.Score(aspirationGrowth)/16 }

// maxExtendedPly returns the first ply at which singular extensions are no
// longer tried.
func maxExtendedPly(rootDepth int) int { return 2 * rootDepth }

// nearFiftyMoves reports whether the fifty-move draw is so close that scores
// from the table, whose keys do not contain the halfmove clock, are unreliable.
func nearFiftyMoves(p *position.Position) bool { return p.Halfmoves() >= 90 }

// Scaled returns the evaluation of p from the network's value for the side to move, as the search sees it before
// corrections: scaled up with more material on the board (about half of all leaves it unchanged), and down as the
// fifty-move draw approaches and in endgames of bishops of opposite colors.
func Scaled(value chess.Score, p *position.Position) chess.Score {
	return value * chess.Score(materialBase+material(p)) / chess.Score(materialBase+materialCenter) *
		chess.Score(fiftyMovesDamping-p.Halfmoves()) / chess.Score(fiftyMovesDamping) * endgameScale(p) / 1024
}

// Unscaled is the inverse of Scaled: it returns the network's value of p that is scaled to score, up to rounding. It is
// the target for training a network with the score of a search. Scores of certain wins and losses are returned
// unchanged.
func Unscaled(score chess.Score, p *position.Position) chess.Score {
	if score.IsDecisive() || p.Halfmoves() >= fiftyMovesDamping {
		return score
	}
	value := score * chess.Score(fiftyMovesDamping) / chess.Score(fiftyMovesDamping-p.Halfmoves()) *
		chess.Score(materialBase+materialCenter) / chess.Score(materialBase+material(p)) * 1024 / endgameScale(p)
	return min(max(value, -chess.MaxEval), chess.MaxEval)
}

// endgameScale returns the share, in 1/1024, of the evaluation of p that remains in endgames that are drawn more often
// than it says: those in which each side has one bishop, on squares of different colors, and no other piece but pawns.
// The share grows with the pawns that a side is ahead. In all other positions it is 1024.
func endgameScale(p *position.Position) chess.Score {
	bishops := p.Pieces(chess.Bishop)
	if p.Pieces(chess.Knight)|p.Pieces(chess.Rook)|p.Pieces(chess.Queen) != 0 || bishops.Count() != 2 ||
		p.PiecesOf(chess.White, chess.Bishop).Count() != 1 || (bishops&chess.LightSquares).Count() != 1 {
		return 1024
	}
	ahead := p.PiecesOf(chess.White, chess.Pawn).Count() - p.PiecesOf(chess.Black, chess.Pawn).Count()
	return chess.Score(min(oppositeBishopsBase+oppositeBishopsPawn*max(ahead, -ahead), 1024))
}

// material returns the material of both sides in pawns.
func material(p *position.Position) int {
	pawns, rooks, queens := p.Pieces(chess.Pawn), p.Pieces(chess.Rook), p.Pieces(chess.Queen)
	minor := p.Pieces(chess.Knight) | p.Pieces(chess.Bishop)
	return pawns.Count() + 3*minor.Count() + 5*rooks.Count() + 9*queens.Count()
}

// voteWeight returns the weight of a thread's vote. margin is its score above
// the lowest of all threads, depth its last completed iteration.
func voteWeight(margin chess.Score, depth int) int { return (int(margin) + voteMargin) * depth }

// tableDepth returns the depth that a table entry must have to decide a node,
// one more if its score is above beta.
func tableDepth(depth int, score, beta chess.Score) int { return depth + flag(score > beta) }

// razorMargin returns how far below alpha the evaluation must be for razoring
// at depth.
func razorMargin(depth int) chess.Score { return chess.Score(razorBase + razorSlope*depth*depth) }

// reverseFutilityMargin returns how far above beta the evaluation must be for
// reverse futility pruning at depth: less if it has risen, more if its
// correction is large.
func reverseFutilityMargin(depth int, improving, opponentWorsening bool, correction chess.Score) chess.Score {
	margin := reverseFutilitySlope*(depth-flag(improving)) - reverseFutilityWorsening*flag(opponentWorsening)
	return chess.Score(max(margin+int(correction)*reverseFutilityCorrected/1024, reverseFutilityLeast))
}

// reverseFutilityScore returns the score of such a node, between beta and the
// evaluation.
func reverseFutilityScore(eval, beta chess.Score) chess.Score {
	return beta + (eval-beta)/chess.Score(reverseFutilityDivisor)
}

// nullMoveReduction returns the reduction, in plies, of the search after a null
// move. margin is the evaluation minus beta.
func nullMoveReduction(depth int, margin chess.Score) int {
	return nullMoveBase + depth/nullMoveDepthDivisor + min(int(margin)/nullMoveEvalDivisor, nullMoveEvalMost)
}

// nullMoveEval returns the minimum static evaluation for null move pruning.
func nullMoveEval(depth int, beta chess.Score) chess.Score {
	return beta + chess.Score(nullMoveEvalSlack-nullMoveEvalSlope*depth)
}

// nullMoveSuspension returns for how many plies null moves are not allowed
// while a null move is verified by a search of the given depth.
func nullMoveSuspension(depth int) int { return 3*depth/4 + 1 }

// winsPiece reports whether the table says that a move which captures a piece fails
// high, so that a null move is not needed to find out.
func winsPiece(p *position.Position, tableMove chess.Move, bound tt.Bound) bool {
	return bound == tt.BoundLower && tableMove != chess.NoMove &&
		position.SEEValue(p.Captured(tableMove)) >= position.SEEValue(chess.Knight)
}

// zugzwangProne reports whether zugzwang is too likely for null move pruning:
// without pieces, and with a single piece unless the search is deep.
func zugzwangProne(p *position.Position, depth int) bool {
	pieces := p.Of(p.SideToMove()) &^ (p.Pieces(chess.Pawn) | p.Pieces(chess.King))
	return pieces == 0 || !pieces.Many() && depth < nullMovePieceDepth
}

// probCutBeta returns the score that a capture must reach in a shallow search
// for ProbCut.
func probCutBeta(beta chess.Score, improving bool) chess.Score {
	return beta + chess.Score(probCutMargin-probCutImproving*flag(improving))
}

// quietLimit returns the number of moves after which the remaining quiet ones
// are pruned.
func quietLimit(depth int, improving bool) int {
	return (quietLimitBase + depth*depth) / (2 - flag(improving))
}

// worth converts a gain by exchanges, in centipawns of position.SEEValue, into units of scores; exchangeWorth is its
// inverse.
func worth(exchange int) chess.Score      { return chess.Score(exchange * exchangePawn / 100) }
func exchangeWorth(score chess.Score) int { return int(score) * 100 / exchangePawn }

// futilityMargin returns the gain over the evaluation assumed possible for a
// quiet move at depth.
func futilityMargin(depth int) chess.Score { return chess.Score(futilityBase + futilitySlope*depth) }

// noisyFutilityMargin returns the gain over the evaluation assumed possible for
// a capture at depth, besides the captured piece.
func noisyFutilityMargin(depth, history int) chess.Score {
	return chess.Score(noisyFutilityBase + noisyFutilitySlope*depth + history/noisyFutilityDivisor)
}

// quietExchange returns the threshold for quiet moves in static exchange
// evaluation, in centipawns: those below it are pruned.
func quietExchange(depth int) int { return -quietExchangeSlope * depth * depth }

// noisyExchange returns the same threshold for captures and checks.
func noisyExchange(depth, history int) int {
	return -noisyExchangeSlope*depth - history/noisyHistoryDivisor
}

// quiescenceExchange returns the threshold for captures in quiescence search; it
// grows with above, which is alpha minus the static evaluation.
func quiescenceExchange(above chess.Score) int {
	return exchangeWorth(above)/quiescenceAlpha - quiescenceLoss
}

// deeper returns by how many plies the depth of a move changes when it is
// searched again after its reduced search beat alpha. gain is its score minus
// the best so far.
func deeper(gain chess.Score) int {
	return flag(gain > chess.Score(researchDeeperMargin)) + flag(gain > chess.Score(researchMuchDeeper)) -
		flag(gain < chess.Score(researchLowerMargin))
}

// doubleExtension returns how far below the singular beta all other moves must be
// for the table move to be extended by two plies: less if the correction of the
// evaluation is large.
func doubleExtension(pv bool, correction chess.Score) chess.Score {
	return chess.Score(doubleMargin+doublePVMargin*flag(pv)) - correction*chess.Score(doubleCorrected)/1024
}

// singularBeta returns the score that all other moves must stay below for the
// table move, which has the given score, to be singular.
func singularBeta(score chess.Score, depth int, wasPV bool) chess.Score {
	return score - chess.Score((singularSlope+singularWasPV*flag(wasPV))*depth/16)
}

// depthAfterRaise returns the depth of a node's remaining moves after one
// raised alpha.
func depthAfterRaise(depth int) int {
	if depth >= raisedMinDepth && depth <= raisedMaxDepth {
		return max(depth-raisedReduction, 1) // whatever the parameters
	}
	return depth
}

// The basic late move reductions, in 1/1024 ply, by depth and move number.
var (
	lmrTable      = reductions(reductionBase, reductionSlope)
	lmrNoisyTable = reductions(reductionNoisyBase, reductionNoisySlope)
)

// reductions returns such a table. The largest base and slope in params.txt give
// 32023, which 16 bits hold.
func reductions(base, slope int) *[64][64]int16 {
	t := new([64][64]int16)
	for depth := 1; depth < 64; depth++ {
		for move := 1; move < 64; move++ {
			// ln(a) ln(b) is 492/1024 of log2(a) log2(b).
			t[depth][move] = int16(base + log2(depth)*log2(move)/1024*492/1024*slope/1024)
		}
	}
	return t
}

// lmrReduction returns the basic reduction, in 1/1024 ply, of the move'th move
// of a node (from 1) at depth.
func lmrReduction(depth, move int, quiet bool) int {
	t := lmrTable
	if !quiet {
		t = lmrNoisyTable
	}
	return int(t[min(depth, 63)][min(move, 63)])
}

// checkReduction returns how much less checks are reduced, in 1/1024 ply: much
// less near the root, which finds sacrificial attacks at little cost.
func checkReduction(ply int) int { return reductionCheck + reductionNearCheck*flag(ply < nearRoot) }

// tableReduction returns the adjustment, in 1/1024 ply, of the reduction by the
// table entry of the node: more if its score is at most alpha, less in former
// PV nodes whose score is above alpha or whose entry is deep enough.
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

// historyBonus returns what the best move at depth gains in the histories,
// historyMalus what the moves tried before it lose.
func historyBonus(depth int) int { return min(bonusSlope*depth-bonusBase, bonusMax) }
func historyMalus(depth int) int { return min(malusSlope*depth-malusBase, malusMax) }

// researchBonus returns what a quiet move gains in the continuation histories when
// it was searched again after its reduced search beat alpha, and did so again or not.
func researchBonus(depth int, raised bool) int {
	if !raised {
		return -historyMalus(depth)
	}
	return historyBonus(depth)
}

// refutedPermille returns the factor, in permille, of the bonus of a quiet move
// after which all replies failed low: by depth, by its number among the moves
// tried, and by how far the score is below the static evaluations of this node
// and of the previous one.
func refutedPermille(depth, number int, below, belowPrevious chess.Score, inCheck bool) int {
	s := min(refutedSlope*depth, refutedMost) - refutedBase +
		refutedLate*flag(number > refutedLateMoves) +
		refutedBelow*flag(!inCheck && int(below) >= refutedMargin) +
		refutedBelowPrevious*flag(int(belowPrevious) >= refutedPreviousMargin)
	return min(max(s, 0), refutedMax)
}

// evalHistoryBonus returns the bonus of a quiet move from the sum of the static
// evaluations before and after it, each for its side to move, which is negative
// if the move improved the evaluation.
func evalHistoryBonus(sum chess.Score) int {
	return min(max(-int(sum)*evalHistoryScale/16, -evalHistoryLimit), evalHistoryLimit)
}

// correctionBonus returns the update of a correction after a search of depth
// whose score is err units above the static evaluation.
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
