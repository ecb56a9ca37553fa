package search

import (
	"skein/chess"
	"skein/internal/invariant"
	"skein/movegen"
	"skein/tt"
)

// alphaBeta searches the position at ply to depth and returns its score, exact
// if it lies strictly between alpha and beta, a bound otherwise (fail-soft).
// Principal variation nodes are those with a window of more than one; of the
// others, cut tells those that are expected to fail high.
func (w *worker) alphaBeta(ply, depth int, alpha, beta chess.Score, cut bool) chess.Score {
	// 1. The horizon.
	if depth <= 0 {
		return w.quiescence(ply, alpha, beta)
	}
	if invariant.Enabled {
		invariant.NoError(w.validateNode(ply, depth, alpha, beta, cut))
	}
	root, pv := ply == 0, beta-alpha > 1
	f, prev := &w.stack[ply], w.earlier(ply, 1)
	pos := &f.pos
	inCheck := pos.InCheck()
	excluded := f.excluded
	f.pvLength = 0
	w.selDepth = max(w.selDepth, ply)

	if !root {
		// 2. Ends of the line: out of time, drawn, or too deep.
		if w.halted() || w.drawn(ply) {
			return chess.DrawScore
		}
		if ply >= w.horizon {
			return w.horizonValue(ply)
		}

		// 3. Mate distance pruning: no line from here beats a shorter mate
		// found elsewhere.
		alpha = max(alpha, chess.MatedIn(ply))
		beta = min(beta, chess.MateIn(ply+1))
		if alpha >= beta {
			return alpha
		}

		// 4. A repetition one move away: whoever would be worse off can have
		// the draw.
		if alpha < chess.DrawScore && w.canRepeat(ply) {
			if alpha = chess.DrawScore; alpha >= beta {
				return alpha
			}
		}
	}

	// 5. Transposition table: someone may have searched this position. Close
	// to the fifty-move draw its history counts, which the table ignores. A
	// search without the table's move is about another question.
	key := w.tableKey(ply)
	var entry tt.Entry
	hit, tableMove, tableScore := false, chess.NoMove, chess.DrawScore
	if excluded == chess.NoMove {
		entry, hit, tableMove, tableScore = w.probe(ply, key)
		f.wasPV = pv || hit && entry.PV
	}
	noisyTable := tableMove != chess.NoMove && pos.IsNoisy(tableMove)
	if hit && !pv && int(entry.Depth) >= tableDepth(depth, tableScore, beta) && !nearFiftyMoves(pos) &&
		cutsOff(entry.Bound, tableScore, beta) && (cut == (tableScore >= beta) || depth > tableCutDepth) {
		if tableScore >= beta && tableMove != chess.NoMove && !noisyTable {
			w.learnTableCutoff(ply, tableMove, depth)
		}
		return tableScore
	}

	// Endgame tables know the result right after a capture or pawn move.
	best, ceiling := -chess.Infinity, chess.Infinity
	if !root && excluded == chess.NoMove && w.shared.endings.men > 0 {
		decided := false
		if best, ceiling, decided = w.probeTables(ply, depth, alpha, beta, hit, entry.Eval); decided {
			return best
		}
		alpha = max(alpha, best)
	}

	// 6. Static evaluation, corrected by what searches of similar positions
	// found; and an estimate, which is the table's score if that tells more.
	raw, eval := w.assess(ply, key, entry, hit, tableScore)
	improving := !inCheck && f.static > w.earlier(ply, 2).static

	// 7, 8. What the evaluation says of the opponent's last move.
	if excluded == chess.NoMove && !inCheck && prev.move != chess.NoMove && !prev.pos.InCheck() {
		depth = w.hindsight(ply, depth)
	}

	if !pv && !inCheck && excluded == chess.NoMove && !w.mating() {
		// 9. Razoring: far below alpha, only tactics can help.
		if eval+razorMargin(depth) < alpha && !alpha.IsDecisive() {
			score := w.quiescence(ply, alpha, alpha+1)
			if score <= alpha || depth == 1 {
				return score
			}
		}

		// 10. Reverse futility pruning: far above beta, the opponent cannot
		// make up for it in the depth that is left.
		margin := reverseFutilityMargin(depth, improving, f.static > -prev.static, abs(f.corrected))
		if !f.wasPV && depth <= reverseFutilityMaxDepth && eval >= beta+margin &&
			!eval.IsDecisive() && !beta.IsLoss() && (tableMove == chess.NoMove || noisyTable) {
			return reverseFutilityScore(eval, beta)
		}

		// 11. Null move: if passing still fails high, a real move will too.
		// Source: C. Donninger, "Null Move and Deep Search", 1993.
		if cut && eval >= beta && w.mayPass(ply, depth, beta) {
			if score, ok := w.nullMove(ply, depth, beta, eval); ok {
				return score
			}
		}
		improving = improving || f.static >= beta
	}

	// 12. Internal iterative reductions: without a move from the table the node
	// was not important so far.
	if depth >= reduceMinDepth && tableMove == chess.NoMove && excluded == chess.NoMove && (pv || cut) {
		depth--
	}

	// 13. ProbCut: a capture that wins much in a shallow search will win
	// enough in a deep one. The table may know already.
	if !pv && excluded == chess.NoMove && !beta.IsDecisive() && !w.mating() {
		target := probCutBeta(beta, improving)
		if !inCheck && depth >= probCutMinDepth && (!hit || tableScore >= target || entry.Bound == tt.BoundNone) {
			if score, ok := w.probCut(ply, depth, target, raw, tableMove, cut); ok {
				return score
			}
		}
		target = beta + chess.Score(tableCutMargin)
		if hit && entry.Bound&tt.BoundLower != 0 && int(entry.Depth) >= depth-tableCutReduction &&
			tableScore >= target && !tableScore.IsDecisive() {
			return target
		}
	}

	// 14. Singular extension: how much better is the table's move than all others?
	next := &w.stack[ply+1]
	next.cutoffs = 0
	extension := 0 // of the table's move
	if !root && w.mayBeSingular(ply, depth, entry, tableMove, tableScore) {
		score, cuts := chess.DrawScore, false
		if extension, score, cuts = w.singular(ply, depth, tableMove, tableScore, beta, pv, cut); cuts {
			return score
		}
		if w.halted() {
			return chess.DrawScore
		}
	}

	// 15. The moves.
	bestMove, bound := chess.NoMove, tt.BoundUpper
	f.quiets.n, f.noisies.n = 0, 0
	f.checks, f.threats = pos.Checks(), pos.Threats()
	f.picker.reset(w, ply, tableMove)
	prunable := !root && pos.HasPieces(pos.SideToMove())
	number := 0
	for {
		m := w.nextMove(f, root, number+1)
		if m == chess.NoMove {
			break
		}
		if m == excluded {
			continue
		}
		number++
		w.prefetch(ply, m)
		if root && w.watcher != nil {
			w.watcher.rootMove(w, m, number)
		}
		quiet := !pos.IsNoisy(m)
		newDepth := depth - 1
		reduction := lmrReduction(depth, number, quiet)
		if !improving {
			reduction += reductionImproving
		}

		// 16. Moves that are not worth a search near the horizon.
		if prunable && !best.IsLoss() {
			if !inCheck && number >= quietLimit(depth, improving) {
				f.picker.skipQuiets()
			}
			if w.prune(ply, m, quiet, depth, max(newDepth-reduction/ply1024, 0), alpha) {
				continue
			}
		}

		extended := 0
		if m == tableMove {
			extended = extension
			newDepth += extension
			depth += flag(extension > 0) // such a node deserves it
		}

		nodes, score, statistics := w.nodes, chess.DrawScore, w.statistics(ply, m, quiet)
		f.number = number
		w.push(ply, m)
		switch {
		case depth >= lmrMinDepth && number > 1+flag(root):
			// 17. Late move reductions: moves late in the order are searched
			// shallower first, and again in full if they surprise.
			reduction += w.lmrAdjustment(ply, quiet, pv, cut, tableMove == chess.NoMove, noisyTable, statistics) +
				flag(bound == tt.BoundExact)*reductionRaised + tableReduction(entry, tableScore, alpha, depth, f.wasPV)
			reduced := max(1, min(newDepth-reduction/ply1024, newDepth+1+flag(pv)))
			f.reduction = newDepth - reduced
			score = -w.alphaBeta(ply+1, reduced, -alpha-1, -alpha, true)
			f.reduction = 0
			if score > alpha && reduced < newDepth {
				newDepth += deeper(score - best)
				if reduced < newDepth {
					score = -w.alphaBeta(ply+1, newDepth, -alpha-1, -alpha, !cut)
				}
				if quiet && !w.halted() {
					w.learnContinuation(ply, m, historyBonus(depth))
				}
			}
		case number > 1 || !pv:
			// 18. Principal variation search: the first move gets the full window,
			// the others must first beat it by a null window.
			score = -w.alphaBeta(ply+1, newDepth, -alpha-1, -alpha, !cut)
		}
		if pv && (number == 1 || score > alpha) {
			if m == tableMove && w.rootDepth > leafIteration && entry.Depth > 1 {
				newDepth = max(newDepth, 1) // a move that was searched is no matter for quiescence
			}
			score = -w.alphaBeta(ply+1, newDepth, -beta, -alpha, false)
		}
		w.pop()
		if w.halted() {
			return chess.DrawScore
		}
		if invariant.Enabled {
			invariant.NoError(validateScore(pos, score))
		}

		// 19. A better move, perhaps so good that the opponent will not come
		// here.
		if root {
			w.recordRoot(m, score, alpha, beta, number == 1, w.nodes-nodes)
		}
		if score > best {
			best = score
			if score > alpha {
				bestMove, bound = m, tt.BoundExact
				if pv {
					w.updatePV(ply, m)
				}
				if score >= beta {
					bound = tt.BoundLower
					f.cutoffs += flag(extended < 2 || pv)
					break
				}
				alpha = score
				if !score.IsDecisive() {
					depth = depthAfterRaise(depth)
				}
			}
		}
		if m != bestMove {
			if quiet {
				f.quiets.add(m)
			} else {
				f.noisies.add(m)
			}
		}
	}

	// 20. No legal move: mate or stalemate.
	if number == 0 {
		switch {
		case excluded != chess.NoMove:
			return alpha
		case inCheck:
			return chess.MatedIn(ply)
		}
		return chess.DrawScore
	}

	// 21. Learn from what happened.
	w.learn(ply, depth, bestMove, best)
	if bound == tt.BoundLower && !best.IsDecisive() && !beta.IsDecisive() {
		best = (best*chess.Score(depth) + beta) / chess.Score(depth+1) // a cut-off near the horizon says little about by how much
	}
	if excluded != chess.NoMove {
		return best
	}
	if !inCheck && (bestMove == chess.NoMove || !pos.IsNoisy(bestMove)) && cutsOff(bound, best, f.static+1) {
		w.learnCorrection(ply, correctionBonus(best-f.static, depth))
	}

	best = min(best, ceiling)
	f.wasPV = f.wasPV || bound == tt.BoundUpper && prev.wasPV && depth >= inheritPVDepth

	// 22. Remember it all, except about a root of which some moves were left
	// out, as search moves or lines already settled.
	if !root || w.pvIndex == 0 && len(w.shared.limits.SearchMoves) == 0 {
		w.shared.table.Store(key, tt.Entry{
			Move: bestMove, Score: toTable(best, ply), Eval: int16(raw),
			Depth: uint8(min(depth, chess.MaxPly)), Bound: bound, PV: f.wasPV,
		})
	}
	return best
}

// probe returns what the table knows of the position at ply: its move only if it
// is legal, and its score counted from the root.
func (w *worker) probe(ply int, key chess.Key) (entry tt.Entry, hit bool, move chess.Move, score chess.Score) {
	if entry, hit = w.shared.table.Probe(key); !hit {
		return entry, false, chess.NoMove, 0
	}
	if movegen.IsLegal(&w.stack[ply].pos, entry.Move) {
		move = entry.Move
	}
	return entry, true, move, fromTable(entry.Score, ply)
}

// assess evaluates the position at ply: raw is what the network says, 0 if it was
// not asked, and eval an estimate of the score. In check, and while a move is left
// out, older evaluations stand in.
func (w *worker) assess(ply int, key chess.Key, entry tt.Entry, hit bool, tableScore chess.Score) (raw, eval chess.Score) {
	f := &w.stack[ply]
	switch {
	case f.excluded != chess.NoMove:
		return 0, f.static
	case f.pos.InCheck():
		f.static = w.earlier(ply, 2).static
		f.corrected = 0
		return 0, f.static
	}
	raw = chess.Score(entry.Eval)
	if !hit {
		raw = w.evaluate(ply)
		w.shared.table.Store(key, tt.Entry{Eval: int16(raw), PV: f.wasPV})
	}
	f.static = w.corrected(ply, raw)
	if invariant.Enabled {
		invariant.NoError(f.validateStatic())
	}
	if hit && cutsOff(entry.Bound, tableScore, f.static+1) {
		return raw, tableScore
	}
	return raw, f.static
}

// hindsight judges the opponent's last move by what it did to the evaluation, and
// returns the depth to search the position at ply, neither side being in check.
func (w *worker) hindsight(ply, depth int) int {
	f, prev := &w.stack[ply], w.earlier(ply, 1)
	// 7. A quiet move gains or loses in its history.
	if !prev.pos.IsNoisy(prev.move) {
		gravity(w.quietOf(prev, prev.move), evalHistoryBonus(prev.static+f.static))
	}
	// 8. A move that was reduced much, and after which the side to move stands no
	// better than before, was better than expected: its depth is given back. One
	// after which the side to move stands better by a margin can do with less.
	if prev.reduction >= hindsightDeeper && f.static <= -prev.static {
		depth++
	} else if prev.reduction >= hindsightShallower && depth >= 2 && f.static+prev.static > chess.Score(hindsightMargin) {
		depth--
	}
	prev.reduction = 0 // once is enough
	return depth
}

// cutsOff reports whether a bound decides a null window below beta.
func cutsOff(bound tt.Bound, score, beta chess.Score) bool {
	if score >= beta {
		return bound&tt.BoundLower != 0
	}
	return bound&tt.BoundUpper != 0
}

// mayPass reports whether a null move at ply is worth a try.
func (w *worker) mayPass(ply, depth int, beta chess.Score) bool {
	f := &w.stack[ply]
	return depth >= 2 && f.static >= nullMoveEval(depth, beta) && !beta.IsLoss() &&
		ply >= w.nullFromPly && w.earlier(ply, 1).move != chess.NoMove && !zugzwangProne(&f.pos, depth)
}

// nullMove tries to pass at ply. A deep search is worth a check: there a search
// without passing has to confirm.
func (w *worker) nullMove(ply, depth int, beta, eval chess.Score) (score chess.Score, ok bool) {
	shallow := depth - nullMoveReduction(depth, eval-beta)
	w.pushNull(ply)
	score = -w.alphaBeta(ply+1, shallow, -beta, -beta+1, false)
	if w.halted() || score < beta {
		return chess.DrawScore, w.halted()
	}
	if score.IsWin() {
		score = beta // a mate behind a null move is no proof
	}
	if w.nullFromPly > 0 || depth < nullMoveConfirmDepth {
		return score, true
	}
	w.nullFromPly = ply + nullMoveSuspension(shallow)
	confirmed := w.alphaBeta(ply, shallow, beta-1, beta, false)
	w.nullFromPly = 0
	return score, confirmed >= beta
}

// probCut looks for a capture whose shallow search reaches target.
// Source: M. Buro, "ProbCut: An Effective Selective Extension of the Alpha-Beta
// Algorithm", 1995, in the form that tries captures only.
func (w *worker) probCut(
	ply, depth int, target, raw chess.Score, tableMove chess.Move, cut bool,
) (score chess.Score, ok bool) {
	f := &w.stack[ply]
	if tableMove != chess.NoMove && !(f.pos.IsNoisy(tableMove) && f.pos.SEE(tableMove, exchangeWorth(target-f.static))) {
		tableMove = chess.NoMove
	}
	f.picker.resetNoisy(w, ply, tableMove, exchangeWorth(target-f.static))
	for m := f.picker.pick(); m != chess.NoMove; m = f.picker.pick() {
		w.prefetch(ply, m)
		w.push(ply, m)
		score = -w.quiescence(ply+1, -target, -target+1)
		if score >= target && depth > probCutReduction {
			score = -w.alphaBeta(ply+1, depth-probCutReduction, -target, -target+1, !cut)
		}
		w.pop()
		if w.halted() {
			return chess.DrawScore, true
		}
		if score >= target {
			w.shared.table.Store(w.tableKey(ply), tt.Entry{
				Move: m, Score: toTable(score, ply), Eval: int16(raw),
				Depth: uint8(max(depth-probCutReduction+1, 0)), Bound: tt.BoundLower, PV: f.wasPV,
			})
			return score, true
		}
	}
	return 0, false
}

// prune reports whether the move m at ply can be left out: depth is that of
// the node, reduced what would be left for the move.
func (w *worker) prune(ply int, m chess.Move, quiet bool, depth, reduced int, alpha chess.Score) bool {
	f := &w.stack[ply]
	pos := &f.pos
	check := f.checks.Gives(pos, m)
	if !quiet || check {
		// A capture that does not make up for the evaluation, or, like a check,
		// loses too much.
		history := 0
		if !quiet {
			history = int(*w.captureOf(pos, m))
		}
		if reduced < noisyFutilityMaxDepth && !check && !pos.InCheck() && !alpha.IsDecisive() &&
			f.static+noisyFutilityMargin(reduced, history)+worth(captureGain(pos, m)) <= alpha {
			return true
		}
		return !pos.SEE(m, noisyExchange(depth, history))
	}
	// A quiet move that has never done well in such a place, that cannot lift
	// the evaluation to alpha, or that loses material.
	history := w.continuationStatistics(ply, m) + int(*w.pawnOf(pos).at(pos, m))
	if history < -quietHistoryPruning*depth {
		return true
	}
	reduced = max(reduced+(history+2*int(*w.quietOf(f, m)))/(3*quietHistoryDivisor), 0)
	if reduced < futilityMaxDepth && !pos.InCheck() && !alpha.IsDecisive() && f.static+futilityMargin(reduced) <= alpha {
		return true
	}
	return !pos.SEE(m, quietExchange(reduced))
}

// mayBeSingular reports whether the move that the table gives for ply deserves to
// be compared with the others.
func (w *worker) mayBeSingular(ply, depth int, entry tt.Entry, tableMove chess.Move, tableScore chess.Score) bool {
	return tableMove != chess.NoMove && depth >= singularMinDepth+flag(w.stack[ply].wasPV) &&
		int(entry.Depth) >= depth-singularTableDepth && entry.Bound&tt.BoundLower != 0 &&
		!tableScore.IsDecisive() && ply < maxExtendedPly(w.rootDepth)
}

// singular searches the position at ply without its move from the table, whose
// score is given, and returns by how many plies to extend that move; or, if other
// moves fail high as well, that they cut the node and with which score. depth is
// that of the node. It must come before the node's own moves, as it uses its frame.
// Source: T. Anantharaman, M. Campbell, F.-h. Hsu, "Singular Extensions", 1988;
// the use of the table as in Stockfish.
func (w *worker) singular(
	ply, depth int, tableMove chess.Move, tableScore, beta chess.Score, pv, cut bool,
) (extension int, score chess.Score, cuts bool) {
	f := &w.stack[ply]
	quiet := !f.pos.IsNoisy(tableMove)
	target := singularBeta(tableScore, depth, f.wasPV && !pv)
	f.excluded = tableMove
	score = w.alphaBeta(ply, (depth-1)/2, target-1, target, cut)
	f.excluded = chess.NoMove
	switch {
	case score < target:
		margin := chess.Score(doubleMargin + doublePVMargin*flag(pv))
		extension = 1 + flag(score < target-margin) + flag(quiet && score < target-margin-chess.Score(tripleMargin))
	case score >= beta && !score.IsDecisive():
		cuts = true
	case tableScore >= beta:
		extension = -singularFailHigh
	case cut:
		extension = -singularCut
	}
	return extension, score, cuts
}

// lmrAdjustment returns how much more, in 1/1024 ply, the move just made from
// ply is to be reduced.
func (w *worker) lmrAdjustment(ply int, quiet, pv, cut, noMove, noisyTable bool, statistics int) int {
	f, next := &w.stack[ply], &w.stack[ply+1]
	r := -flag(f.wasPV)*reductionWasPV - flag(pv)*reductionPV - flag(ply == 0)*reductionRoot +
		flag(cut)*reductionCut + flag(cut && noMove)*reductionNoMove +
		flag(noisyTable)*reductionNoisyTable +
		flag(next.cutoffs > cutoffsMany)*reductionCutoffs -
		flag(next.pos.InCheck())*checkReduction(ply) -
		min(int(abs(f.corrected))*reductionCorrection/16, ply1024)
	if quiet {
		return r - statistics/reductionHistory
	}
	return r - statistics/reductionNoisy
}

// horizonValue values a position where the line must end.
func (w *worker) horizonValue(ply int) chess.Score {
	if w.stack[ply].pos.InCheck() {
		return chess.DrawScore
	}
	return w.corrected(ply, w.evaluate(ply))
}

// nextMove returns the number'th move to search: at the root from the list
// that remembers the last iteration, elsewhere from the picker.
func (w *worker) nextMove(f *frame, root bool, number int) chess.Move {
	if !root {
		return f.picker.pick()
	}
	if i := w.pvIndex + number - 1; i < w.choices(w.pvIndex) {
		return w.rootMoves[i].move
	}
	return chess.NoMove
}

// recordRoot stores the result of a root move searched with the given window,
// if it is one of its own: of the others it is only known that they are no
// better than the best.
func (w *worker) recordRoot(m chess.Move, score, alpha, beta chess.Score, first bool, nodes uint64) {
	i := w.pvIndex
	for w.rootMoves[i].move != m {
		i++
	}
	rm := &w.rootMoves[i]
	rm.nodes += nodes
	if !first && score <= alpha {
		rm.score = -chess.Infinity
		return
	}
	next := &w.stack[1]
	rm.score, rm.value, rm.depth, rm.selDepth = score, score, w.rootDepth, w.selDepth
	rm.bound = Exact
	if score <= alpha {
		rm.bound = UpperBound
	} else if score >= beta {
		rm.bound = LowerBound
	}
	rm.pv[0] = m
	rm.pvLength = 1 + copy(rm.pv[1:], next.pv[:next.pvLength])
}
