package search

import (
	"skein/chess"
	"skein/movegen"
	"skein/tt"
)

// alphaBeta searches the position at ply to depth and returns its score, exact
// if it lies strictly between alpha and beta, a bound otherwise (fail-soft).
// Principal variation nodes are those with a window of more than one.
func (w *worker) alphaBeta(ply, depth, alpha, beta int) int {
	root, pv := ply == 0, beta-alpha > 1
	f := &w.stack[ply]
	pos := &f.pos
	inCheck := pos.InCheck()
	f.pvLength = 0

	// 1. Check extension: a reply to check costs no depth, so that forced
	// lines are seen to their end. Bounded against endless checks.
	if inCheck && ply < maxExtendedPly(w.rootDepth) {
		depth++
	}

	// 2. The horizon.
	if depth <= 0 {
		return w.quiescence(ply, alpha, beta)
	}
	w.selDepth = max(w.selDepth, ply)

	if !root {
		// 3. Ends of the line: out of time, drawn, or too deep.
		if w.halted() {
			return drawScore
		}
		if w.drawn(ply) {
			return drawScore
		}
		if ply >= MaxPly {
			return w.horizonValue(ply)
		}

		// 4. Mate distance pruning: no line from here beats a shorter mate
		// found elsewhere.
		alpha = max(alpha, matedIn(ply))
		beta = min(beta, mateIn(ply+1))
		if alpha >= beta {
			return alpha
		}
	}

	// 5. Transposition table: someone may have searched this position. Close
	// to the fifty-move draw its history counts, which the table ignores.
	key := pos.Key()
	entry, hit := w.engine.table.Probe(key)
	tableMove := chess.NoMove
	if hit {
		if movegen.IsLegal(pos, entry.Move) {
			tableMove = entry.Move
		}
		score := fromTable(entry.Score, ply)
		if !pv && int(entry.Depth) >= depth && !nearFiftyMoves(pos) && cutsOff(entry.Bound, score, beta) {
			return score
		}
	}

	// 6. Static evaluation, from the table if it has one.
	f.eval = 0
	if hit {
		f.eval = int(entry.Eval)
	} else if !inCheck {
		f.eval = w.evaluate(ply)
	}

	// 7. Null move: if passing still fails high, a real move will too. Not so
	// in zugzwang, which is why a side with only pawns does not pass at all,
	// and why a search without passing has to confirm what a side with few
	// pieces, or a deep search, found.
	// Source: C. Donninger, "Null Move and Deep Search", 1993.
	if !pv && !inCheck && depth >= nullMoveMinDepth && f.eval >= beta && !isLoss(beta) &&
		ply >= w.nullFromPly && w.stack[ply-1].move != chess.NoMove && pos.HasPieces(pos.SideToMove()) {
		shallow := depth - nullMoveReduction(depth, f.eval-beta)
		w.pushNull(ply)
		score := -w.alphaBeta(ply+1, shallow, -beta, -beta+1)
		if w.halted() {
			return drawScore
		}
		if score >= beta {
			if isWin(score) {
				score = beta // a mate behind a null move is no proof
			}
			if w.nullFromPly > 0 || !zugzwangProne(pos, depth) {
				return score
			}
			w.nullFromPly = ply + nullMoveSuspension(shallow)
			confirmed := w.alphaBeta(ply, shallow, beta-1, beta)
			w.nullFromPly = 0
			if confirmed >= beta {
				return score
			}
		}
	}

	// 8. The moves.
	best, bestMove := -infinity, chess.NoMove
	bound := tt.BoundUpper
	f.quiets.Clear()
	w.stack[ply+2].killers = [2]chess.Move{} // shared by all grandchildren
	f.picker.reset(pos, &w.histories, tableMove, f.killers, false)
	for number := 1; ; number++ {
		m := w.nextMove(f, root, number)
		if m == chess.NoMove {
			break
		}
		if root {
			w.engine.reportCurrentMove(w, m, number)
		}
		quiet := !pos.IsNoisy(m)
		killer := m == f.killers[0] || m == f.killers[1]
		w.push(ply, m)
		score := 0

		// 9. Late move reductions: moves late in the order are searched
		// shallower first, and again in full if they surprise.
		reduced := depth - 1
		if depth >= lmrMinDepth && number > 1 && !inCheck {
			history := 0
			if quiet {
				history = w.quietHistory(pos, m)
			}
			reduced -= lmrReduction(depth, number, quiet, pv, killer, history)
			reduced = max(reduced, 1)
		}

		// 10. Principal variation search: the first move gets the full
		// window, the others must first beat it by a null window.
		if number > 1 {
			score = -w.alphaBeta(ply+1, reduced, -alpha-1, -alpha)
			if score > alpha && reduced < depth-1 {
				score = -w.alphaBeta(ply+1, depth-1, -alpha-1, -alpha)
			}
		}
		if number == 1 || pv && score > alpha {
			score = -w.alphaBeta(ply+1, depth-1, -beta, -alpha)
		}
		w.pop()
		if w.halted() {
			return drawScore
		}

		// 11. A better move, perhaps so good that the opponent will not come
		// here.
		if root {
			w.recordRoot(m, score, alpha, beta, number == 1)
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
					if quiet {
						w.learnCutoff(f, m, depth)
					}
					break
				}
				alpha = score
			}
		}
		if quiet {
			f.quiets.Add(m)
		}
	}

	// 12. No legal move: mate or stalemate.
	if best == -infinity {
		if inCheck {
			return matedIn(ply)
		}
		return drawScore
	}

	// 13. Remember it all, except about a root of which some moves were left
	// out, as search moves or lines already settled.
	if !root || w.pvIndex == 0 && len(w.engine.limits.SearchMoves) == 0 {
		w.engine.table.Store(key, tt.Entry{
			Move: bestMove, Score: toTable(best, ply), Eval: int16(f.eval),
			Depth: uint8(depth), Bound: bound, PV: pv,
		})
	}
	return best
}

// quiescence plays out captures and promotions, and checks by answering them,
// until the position is quiet enough to be evaluated.
func (w *worker) quiescence(ply, alpha, beta int) int {
	pv := beta-alpha > 1
	f := &w.stack[ply]
	pos := &f.pos
	inCheck := pos.InCheck()
	f.pvLength = 0
	w.selDepth = max(w.selDepth, ply)

	// 1. Ends of the line.
	if w.halted() || w.drawn(ply) {
		return drawScore
	}
	if ply >= MaxPly {
		return w.horizonValue(ply)
	}

	// 2. Transposition table.
	key := pos.Key()
	entry, hit := w.engine.table.Probe(key)
	tableMove := chess.NoMove
	if hit {
		score := fromTable(entry.Score, ply)
		if !pv && !nearFiftyMoves(pos) && cutsOff(entry.Bound, score, beta) {
			return score
		}
		if (inCheck || pos.IsNoisy(entry.Move)) && movegen.IsLegal(pos, entry.Move) {
			tableMove = entry.Move
		}
	}

	// 3. Standing pat: nobody has to capture.
	best := -infinity
	f.eval = 0
	if hit {
		f.eval = int(entry.Eval)
	} else if !inCheck {
		f.eval = w.evaluate(ply)
	}
	if !inCheck {
		best = f.eval
		if best >= beta {
			return best
		}
		alpha = max(alpha, best)
	}

	// 4. Captures and promotions that lose nothing, or all replies to check.
	bestMove, bound := chess.NoMove, tt.BoundUpper
	f.picker.reset(pos, &w.histories, tableMove, [2]chess.Move{}, !inCheck)
	for m := f.picker.pick(); m != chess.NoMove; m = f.picker.pick() {
		w.push(ply, m)
		score := -w.quiescence(ply+1, -beta, -alpha)
		w.pop()
		if w.halted() {
			return drawScore
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
					break
				}
				alpha = score
			}
		}
	}
	if best == -infinity {
		return matedIn(ply)
	}
	w.engine.table.Store(key, tt.Entry{
		Move: bestMove, Score: toTable(best, ply), Eval: int16(f.eval), Bound: bound, PV: pv,
	})
	return best
}

// cutsOff reports whether a bound of the table decides a null window below
// beta.
func cutsOff(bound tt.Bound, score, beta int) bool {
	if score >= beta {
		return bound&tt.BoundLower != 0
	}
	return bound&tt.BoundUpper != 0
}

// horizonValue values a position where the line must end.
func (w *worker) horizonValue(ply int) int {
	if w.stack[ply].pos.InCheck() {
		return drawScore
	}
	return w.evaluate(ply)
}

// nextMove returns the number'th move to search: at the root from the list
// that remembers the last iteration, elsewhere from the picker.
func (w *worker) nextMove(f *frame, root bool, number int) chess.Move {
	if !root {
		return f.picker.pick()
	}
	if i := w.pvIndex + number - 1; i < len(w.rootMoves) {
		return w.rootMoves[i].move
	}
	return chess.NoMove
}

// learnCutoff remembers the quiet move m that failed high.
func (w *worker) learnCutoff(f *frame, m chess.Move, depth int) {
	if f.killers[0] != m {
		f.killers[1] = f.killers[0]
		f.killers[0] = m
	}
	w.updateQuiets(&f.pos, m, f.quiets.Slice(), depth)
}

// recordRoot stores the result of a root move searched with the given window,
// if it is one of its own: of the others it is only known that they are no
// better than the best.
func (w *worker) recordRoot(m chess.Move, score, alpha, beta int, first bool) {
	i := w.pvIndex
	for w.rootMoves[i].move != m {
		i++
	}
	rm := &w.rootMoves[i]
	if !first && score <= alpha {
		rm.score = -infinity
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
