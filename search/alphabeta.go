package search

import (
	"slices"

	"skein/chess"
	"skein/internal/invariant"
	"skein/movegen"
	"skein/tt"
)

// alphaBeta searches the position at ply to depth and returns its score, exact
// if it lies strictly between alpha and beta, a bound otherwise (fail-soft). PV
// nodes have a window wider than one; at the others cut marks those that are
// expected to fail high. depth is in plies.
func (w *worker) alphaBeta(ply, depth int, alpha, beta chess.Score, cut bool) chess.Score {
	// 1. Horizon.
	if depth <= 0 {
		return w.quiescence(ply, alpha, beta)
	}
	if invariant.Enabled {
		invariant.NoError(w.validateNode(ply, depth, alpha, beta, cut))
	}
	root, pv := ply == 0, beta-alpha > 1
	f, prev := &w.stack[ply], w.earlier(ply, 1)
	pos, excluded := &f.pos, f.excluded
	inCheck := pos.InCheck()
	f.pvLength = 0
	w.selDepth = max(w.selDepth, ply)

	if !root {
		// 2. End of the line: stopped, drawn, or too long.
		if w.halted() || w.drawn(ply) {
			return chess.DrawScore
		}
		if ply >= w.horizon {
			return w.horizonValue(ply)
		}

		// 3. Mate distance pruning: no line from here can beat a shorter mate
		// that was already found.
		alpha = max(alpha, chess.MatedIn(ply))
		beta = min(beta, chess.MateIn(ply+1))
		if alpha >= beta {
			return alpha
		}

		// 4. Upcoming repetition: the score is at least that of a draw.
		if alpha < chess.DrawScore && w.canRepeat(ply) {
			if alpha = chess.DrawScore; alpha >= beta {
				return alpha
			}
		}
	}

	// 5. Transposition table. It causes no cutoff close to the fifty-move draw,
	// because keys do not contain the history, and is not used in a singular
	// extension search, which excludes the table move.
	key := w.tableKey(ply)
	var entry tt.Entry
	hit, tableMove, tableScore := false, chess.NoMove, chess.DrawScore
	tableOrExcluded := excluded // the table move, searched or not
	if excluded == chess.NoMove {
		entry, hit, tableMove, tableScore = w.probe(ply, key)
		tableOrExcluded = tableMove
		f.wasPV = pv || hit && entry.PV
	}
	noisyTable := tableOrExcluded != chess.NoMove && pos.IsNoisy(tableOrExcluded)
	if hit && !pv && int(entry.Depth) >= tableDepth(depth, tableScore, beta) && !nearFiftyMoves(pos) &&
		cutsOff(entry.Bound, tableScore, beta) && (cut == (tableScore >= beta) || depth > tableCutDepth) {
		if tableScore >= beta && tableMove != chess.NoMove && !noisyTable {
			w.learnTableCutoff(ply, tableMove, depth)
		}
		return tableScore
	}

	// Tablebases are probed right after a capture or pawn move.
	best, ceiling := -chess.Infinity, chess.Infinity
	if !root && excluded == chess.NoMove && w.shared.endings.men > 0 {
		decided := false
		if best, ceiling, decided = w.probeTB(ply, depth, alpha, beta, hit, entry.Eval); decided {
			return best
		}
		alpha = max(alpha, best)
	}

	// 6. Static evaluation, with corrections; eval is the table's score if that
	// is a bound in the right direction.
	raw, eval := w.assess(ply, key, entry, hit, tableScore)
	improving := !inCheck && f.static > w.earlier(ply, 2).static

	// 7, 8. Quiet history and depth adjustment from the change of the static
	// evaluation by the opponent's last move.
	if excluded == chess.NoMove && !inCheck && prev.move != chess.NoMove && !prev.pos.InCheck() {
		depth = w.hindsight(ply, depth)
	}

	if !pv && !inCheck && excluded == chess.NoMove && !w.mating() {
		// 9. Razoring: if eval is far below alpha, quiescence search decides
		// whether tactics help.
		if eval+razorMargin(depth) < alpha && !alpha.IsDecisive() {
			score := w.quiescence(ply, alpha, alpha+1)
			if score <= alpha || depth == 1 {
				return score
			}
		}

		// 10. Reverse futility pruning: eval is so far above beta that a search will
		// hardly bring it below. It does not confirm a null move.
		margin := reverseFutilityMargin(depth, improving, f.static > -prev.static, abs(f.correction))
		if !f.wasPV && ply != w.confirming && depth <= reverseFutilityMaxDepth && eval >= beta+margin &&
			!eval.IsDecisive() && !beta.IsLoss() && (tableMove == chess.NoMove || noisyTable) {
			return reverseFutilityScore(eval, beta)
		}

		// 11. Null move pruning: if passing fails high, so will a real move.
		// Source: C. Donninger, "Null Move and Deep Search", 1993.
		if cut && eval >= beta && !winsPiece(pos, tableMove, entry.Bound) && w.mayPass(ply, depth, beta) {
			if score, ok := w.nullMove(ply, depth, beta, eval); ok {
				return score
			}
		}
		improving = improving || f.static >= beta
	}

	// 12. Internal iterative reduction: without a table move, search one ply
	// shallower.
	if depth >= reduceMinDepth && tableMove == chess.NoMove && excluded == chess.NoMove && (pv || cut) {
		depth--
	}

	// 13. ProbCut: a capture whose shallow search exceeds beta by a margin
	// causes a cutoff; so does such a table entry.
	if !pv && excluded == chess.NoMove && !beta.IsDecisive() && !w.mating() {
		target := probCutBeta(beta, improving)
		if cut && !inCheck && depth >= probCutMinDepth && (tableMove == chess.NoMove || noisyTable) &&
			(!hit || tableScore >= target || entry.Bound == tt.BoundNone) {
			if score, ok := w.probCut(ply, depth, beta, target, raw, tableMove); ok {
				return score
			}
		}
		target = beta + chess.Score(tableCutMargin)
		if hit && entry.Bound&tt.BoundLower != 0 && int(entry.Depth) >= depth-tableCutReduction &&
			tableScore >= target && !tableScore.IsDecisive() && !nearFiftyMoves(pos) {
			return target
		}
	}

	// 14. Singular extension: extend the table move if all other moves are
	// worse by a margin.
	next := &w.stack[ply+1]
	next.cutoffs = 0
	extension := 0 // of the table move, in plies
	if !root && w.mayBeSingular(ply, depth, entry, tableMove, tableScore) {
		score, cuts := chess.DrawScore, false
		if extension, score, cuts = w.singular(ply, depth, tableMove, tableScore, beta, pv, cut); cuts {
			return score
		}
		if w.halted() {
			return chess.DrawScore
		}
	}

	// 15. Moves.
	bestMove, bound, surprise := chess.NoMove, tt.BoundUpper, false
	f.quiets.n, f.noisies.n = 0, 0
	f.checks, f.threats = pos.Checks(), pos.Threats()
	f.picker.reset(w, ply, tableMove)
	prunable, number := !root && pos.HasPieces(pos.SideToMove()), 0
	for {
		m := w.nextMove(f, root)
		if m == chess.NoMove {
			break
		}
		if m == excluded {
			continue
		}
		number++
		if root && w.watcher != nil {
			w.watcher.rootMove(w, m, number)
		}
		quiet := !pos.IsNoisy(m)
		history := w.historyOf(ply, m, quiet)
		newDepth := depth - 1
		reduction := lmrReduction(depth, number, quiet)
		if !improving {
			reduction += reductionImproving
		}

		// 16. Move pruning at low depth.
		if prunable && !best.IsLoss() {
			if !inCheck && number >= quietLimit(depth, improving) {
				f.picker.skipQuiets()
			}
			if w.prune(ply, m, quiet, depth, max(newDepth-reduction/ply1024, 0), alpha, history) {
				continue
			}
		}

		extended := 0
		if m == tableMove {
			extended = extension
			newDepth += extension
			depth += flag(extension > 0) // the other moves, too
		}

		nodes, score := w.nodes, chess.DrawScore
		f.number = number
		w.push(ply, m)
		switch {
		case depth >= lmrMinDepth && number > 1+flag(root):
			// 17. Late move reductions: moves late in the order are first
			// searched shallower, and again if they beat alpha.
			reduction += w.lmrAdjustment(ply, quiet, pv, cut, tableOrExcluded == chess.NoMove, noisyTable, history) +
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
					w.learnContinuation(ply, m, researchBonus(depth, score > alpha))
				}
			}
		case number > 1 || !pv:
			// 18. Principal variation search: a null window first, and the full
			// window for the first move and for moves that raise alpha.
			score = -w.alphaBeta(ply+1, newDepth, -alpha-1, -alpha, !cut)
		}
		if pv && (number == 1 || score > alpha) {
			if m == tableMove && w.rootDepth > leafIteration && hit && entry.Depth > 1 {
				newDepth = max(newDepth, 1) // no quiescence search right after a table move
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

		// 19. A better move; a score of at least beta ends the node.
		if root {
			w.recordRoot(m, score, alpha, beta, number == 1, w.nodes-nodes)
		}
		if score > best {
			best = score
			if score > alpha {
				bestMove, bound, surprise = m, tt.BoundExact, !inCheck && eval <= alpha
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

	// 20. No legal move: checkmate or stalemate.
	if number == 0 {
		switch {
		case excluded != chess.NoMove:
			return alpha
		case inCheck:
			return chess.MatedIn(ply)
		}
		return chess.DrawScore
	}

	// 21. Histories and corrections.
	w.learn(ply, depth+flag(surprise), bestMove, best)
	if bound == tt.BoundLower && !best.IsDecisive() && !beta.IsDecisive() {
		// At low depth the amount above beta says little.
		best = (best*chess.Score(depth) + beta) / chess.Score(depth+1)
	}
	// Without some moves, at a root because of SearchMoves or MultiPV, the score
	// is not that of the position.
	partial := root && (w.pvIndex > 0 || len(w.shared.limits.SearchMoves) > 0)
	if !partial {
		w.learnError(ply, depth, bestMove, best, bound)
	}
	if partial || excluded != chess.NoMove {
		return best
	}

	best = min(best, ceiling)
	f.wasPV = f.wasPV || bound == tt.BoundUpper && prev.wasPV && depth >= inheritPVDepth

	// 22. Store in the table.
	w.shared.table.Store(key, tt.Entry{
		Move: bestMove, Score: toTable(best, ply), Eval: int16(raw),
		Node: tt.Node{Depth: uint8(min(depth, chess.MaxPly)), Bound: bound, PV: f.wasPV},
	})
	return best
}

// probe looks the position at ply up in the table. move is the entry's move if
// it is legal, at the root the one to search first; score is the entry's score with
// mates counted from the root.
func (w *worker) probe(ply int, key chess.Key) (entry tt.Entry, hit bool, move chess.Move, score chess.Score) {
	entry, hit = w.shared.table.Probe(key)
	pos := &w.stack[ply].pos
	switch {
	case ply == 0:
		move = w.rootMoves[w.pvIndex].move
		if w.pvIndex > 0 {
			entry.Bound = tt.BoundNone // it is about another line
		}
	case hit && movegen.IsLegal(pos, entry.Move):
		move = entry.Move
	}
	if !hit {
		return entry, false, move, 0
	}
	return entry, true, move, fromTable(entry.Score, ply, pos.Halfmoves())
}

// assess evaluates the position at ply and sets its static evaluation: raw is
// the network's value, 0 if it was not computed, and eval an estimate of the
// score. In check the static evaluation is that of two plies earlier; with an
// excluded move it is already set.
func (w *worker) assess(
	ply int, key chess.Key, entry tt.Entry, hit bool, tableScore chess.Score,
) (raw, eval chess.Score) {
	f := &w.stack[ply]
	switch {
	case f.excluded != chess.NoMove:
		return 0, f.static
	case f.pos.InCheck():
		f.static = w.earlier(ply, 2).static
		f.correction = 0
		return 0, f.static
	}
	raw = chess.Score(entry.Eval)
	if !hit {
		raw = w.evaluate(ply)
		w.shared.table.Store(key, tt.Entry{Eval: int16(raw), Node: tt.Node{PV: f.wasPV}})
	}
	f.static = w.correctedEval(ply, raw)
	if invariant.Enabled {
		invariant.NoError(f.validateStatic())
	}
	if hit && cutsOff(entry.Bound, tableScore, f.static+1) {
		return raw, tableScore
	}
	return raw, f.static
}

// hindsight updates the history of the opponent's last move by how it changed
// the static evaluation, and returns the adjusted depth of the node at ply.
// Neither side may be in check.
func (w *worker) hindsight(ply, depth int) int {
	f, prev := &w.stack[ply], w.earlier(ply, 1)
	// 7. A quiet move gains or loses in the quiet history.
	if !prev.pos.IsNoisy(prev.move) {
		gravity(w.quietOf(prev, prev.move), evalHistoryBonus(prev.static+f.static))
	}
	// 8. If the move was reduced and the evaluation is no better for the side
	// to move than before it, search one ply deeper; if it is better by a
	// margin, one ply shallower.
	gain := f.static + prev.static
	if prev.reduction >= hindsightDeeper && gain <= 0 {
		depth++
	} else if prev.reduction >= hindsightShallower && depth >= 2 && gain > chess.Score(hindsightMargin) {
		depth--
	}
	prev.reduction = 0 // only once
	return depth
}

// cutsOff reports whether a score with this bound decides the null window below
// beta.
func cutsOff(bound tt.Bound, score, beta chess.Score) bool {
	if score >= beta {
		return bound&tt.BoundLower != 0
	}
	return bound&tt.BoundUpper != 0
}

// mayPass reports whether null move pruning may be tried at ply.
func (w *worker) mayPass(ply, depth int, beta chess.Score) bool {
	f := &w.stack[ply]
	return depth >= 2 && f.static >= nullMoveEval(depth, beta) && !beta.IsLoss() &&
		ply >= w.nullFromPly && w.earlier(ply, 1).move != chess.NoMove && !zugzwangProne(&f.pos, depth)
}

// nullMove searches a null move at ply; ok reports a cutoff with score. At high
// depth a search without null moves must confirm it.
func (w *worker) nullMove(ply, depth int, beta, eval chess.Score) (score chess.Score, ok bool) {
	shallow := depth - nullMoveReduction(depth, eval-beta)
	w.pushNull(ply)
	score = -w.alphaBeta(ply+1, shallow, -beta, -beta+1, false)
	if w.halted() || score < beta {
		return chess.DrawScore, w.halted()
	}
	if score.IsWin() {
		score = beta // a mate after a null move is not proved
	}
	if w.nullFromPly > 0 || depth < nullMoveConfirmDepth {
		return score, true
	}
	w.nullFromPly, w.confirming = ply+nullMoveSuspension(shallow), ply
	confirmed := w.alphaBeta(ply, shallow, beta-1, beta, false)
	w.nullFromPly, w.confirming = 0, 0
	return score, confirmed >= beta
}

// probCut searches for a capture whose shallow search reaches target; ok
// reports whether there is one, with its score less the margin between target and
// beta, since a deeper search would confirm no more. Source: M. Buro, "ProbCut: An
// Effective Selective Extension of the Alpha-Beta Algorithm", 1995, in the form
// that tries captures only.
func (w *worker) probCut(
	ply, depth int, beta, target, raw chess.Score, tableMove chess.Move,
) (score chess.Score, ok bool) {
	f := &w.stack[ply]
	if tableMove != chess.NoMove &&
		!(f.pos.IsNoisy(tableMove) && f.pos.SEE(tableMove, exchangeWorth(target-f.static))) {
		tableMove = chess.NoMove
	}
	f.picker.resetNoisy(w, ply, tableMove, exchangeWorth(target-f.static))
	for m := f.picker.pick(); m != chess.NoMove; m = f.picker.pick() {
		w.push(ply, m)
		score = -w.quiescence(ply+1, -target, -target+1)
		if score >= target && depth > probCutReduction {
			score = -w.alphaBeta(ply+1, depth-probCutReduction, -target, -target+1, false)
		}
		w.pop()
		if w.halted() {
			return chess.DrawScore, true
		}
		if score >= target {
			searched := uint8(min(max(depth-probCutReduction+1, 0), chess.MaxPly))
			w.shared.table.Store(w.tableKey(ply), tt.Entry{
				Move: m, Score: toTable(score, ply), Eval: int16(raw),
				Node: tt.Node{Depth: searched, Bound: tt.BoundLower, PV: f.wasPV},
			})
			if !score.IsDecisive() {
				score -= target - beta
			}
			return score, true
		}
	}
	return 0, false
}

// prune reports whether to skip the move m at ply. depth is that of the node,
// reduced that of the move after reductions, in plies.
func (w *worker) prune(
	ply int, m chess.Move, quiet bool, depth, reduced int, alpha chess.Score, history moveHistory,
) bool {
	f := &w.stack[ply]
	pos := &f.pos
	check := f.checks.Gives(pos, m)
	if !quiet || check {
		// Captures and checks: skip captures that cannot raise the evaluation
		// to alpha, and moves that lose too much by static exchange evaluation.
		if reduced < noisyFutilityMaxDepth && !check && !pos.InCheck() && !alpha.IsDecisive() &&
			f.static+noisyFutilityMargin(reduced, history.capture)+worth(captureGain(pos, m)) <= alpha {
			return true
		}
		return !pos.SEE(m, noisyExchange(depth, history.capture))
	}
	// Quiet moves: skip those with a bad history, that cannot raise the
	// evaluation to alpha, or that lose material.
	sum := history.continuation + history.pawn
	if sum < -quietHistoryPruning*depth {
		return true
	}
	reduced = max(reduced+(sum+2*history.quiet)/(3*quietHistoryDivisor), 0)
	if reduced < futilityMaxDepth && !pos.InCheck() && !alpha.IsDecisive() &&
		f.static+futilityMargin(reduced) <= alpha {
		return true
	}
	return !pos.SEE(m, quietExchange(reduced))
}

// mayBeSingular reports whether the table move at ply qualifies for a singular
// extension search.
func (w *worker) mayBeSingular(ply, depth int, entry tt.Entry, tableMove chess.Move, tableScore chess.Score) bool {
	return tableMove != chess.NoMove && depth >= singularMinDepth+flag(w.stack[ply].wasPV) &&
		int(entry.Depth) >= depth-singularTableDepth && entry.Bound&tt.BoundLower != 0 &&
		!tableScore.IsDecisive() && ply < maxExtendedPly(w.rootDepth)
}

// singular searches the position at ply without its table move, whose score is
// given, and returns by how many plies to extend that move; or, if other moves
// also fail high (multicut), that this cuts the node, and its score. depth is
// that of the node. It uses the node's frame, so it must precede the node's own
// moves. Source: T. Anantharaman, M. Campbell, F.-h. Hsu, "Singular
// Extensions", 1988; the use of the table as in Stockfish.
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
		margin := doubleExtension(pv, abs(f.correction))
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

// lmrAdjustment returns the adjustment, in 1/1024 ply, of the reduction of the
// move just made at ply; positive is more.
func (w *worker) lmrAdjustment(ply int, quiet, pv, cut, noMove, noisyTable bool, history moveHistory) int {
	f, next := &w.stack[ply], &w.stack[ply+1]
	from, to := f.move.From(), f.move.To()
	r := -flag(f.wasPV)*reductionWasPV - flag(pv)*reductionPV - flag(ply == 0)*reductionRoot +
		flag(cut)*reductionCut + flag(cut && noMove)*reductionNoMove +
		flag(noisyTable)*reductionNoisyTable +
		flag(next.cutoffs > cutoffsMany)*(reductionCutoffs+reductionCutoffsAll*flag(!pv && !cut)) -
		flag(next.pos.InCheck())*checkReduction(ply) -
		min(int(abs(f.correction))*reductionCorrection/16, ply1024)
	if quiet {
		return r - history.statistics()/reductionHistory - flag(f.threats.All.Has(to))*reductionToAttacked -
			flag(f.threats.All.Has(from))*reductionFromAttacked
	}
	last := w.earlier(ply, 1).move
	return r - history.capture/reductionNoisy - flag(last != chess.NoMove && last.To() == to)*reductionRecapture
}

// horizonValue returns the score of a position at the maximum length of a line:
// the static evaluation, in check a mate or a draw.
func (w *worker) horizonValue(ply int) chess.Score {
	if pos := &w.stack[ply].pos; pos.InCheck() {
		if movegen.Count(pos) == 0 {
			return chess.MatedIn(ply)
		}
		return chess.DrawScore
	}
	return w.correctedEval(ply, w.evaluate(ply))
}

// nextMove returns the next move to search, NoMove after the last; at the root only
// those of the list that may still be chosen.
func (w *worker) nextMove(f *frame, root bool) chess.Move {
	m := f.picker.pick()
	for root && m != chess.NoMove && !slices.Contains(w.choosable, m) {
		m = f.picker.pick()
	}
	return m
}
