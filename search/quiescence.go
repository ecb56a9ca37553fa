package search

import (
	"skein/chess"
	"skein/internal/invariant"
	"skein/movegen"
	"skein/position"
	"skein/tt"
)

// quiescence searches captures and promotions, in check also evasions, until
// the position is quiet enough to be evaluated. It returns a fail-soft score
// like alphaBeta.
func (w *worker) quiescence(ply int, alpha, beta chess.Score) chess.Score {
	if invariant.Enabled {
		invariant.NoError(w.validateNode(ply, 0, alpha, beta, false))
	}
	pv := beta-alpha > 1
	f := &w.stack[ply]
	pos := &f.pos
	inCheck := pos.InCheck()
	f.pvLength = 0
	w.selDepth = max(w.selDepth, ply)

	// 1. End of the line.
	if w.halted() || w.drawn(ply) {
		return chess.DrawScore
	}
	if ply >= w.horizon {
		return w.horizonValue(ply)
	}
	if alpha < chess.DrawScore && w.canRepeat(ply) {
		if alpha = chess.DrawScore; alpha >= beta {
			return alpha
		}
	}

	// 2. Transposition table.
	key := w.tableKey(ply)
	entry, hit := w.shared.table.Probe(key)
	tableMove, tableScore := chess.NoMove, chess.DrawScore
	wasPV := pv || hit && entry.PV
	if hit {
		tableScore = fromTable(entry.Score, ply, pos.Halfmoves())
		if !pv && !nearFiftyMoves(pos) && cutsOff(entry.Bound, tableScore, beta) {
			return tableScore
		}
		if (inCheck || pos.IsNoisy(entry.Move)) && movegen.IsLegal(pos, entry.Move) {
			tableMove = entry.Move
		}
	}

	// 3. Stand pat.
	best, raw := -chess.Infinity, chess.DrawScore
	if inCheck {
		f.static = w.earlier(ply, 2).static
		f.checks, f.threats = pos.Checks(), pos.Threats()
		f.picker.reset(w, ply, tableMove)
	} else {
		if raw, best = w.standPat(ply, entry, hit, tableScore); best >= beta {
			if !best.IsDecisive() && !beta.IsDecisive() {
				best = (best + beta) / 2
			}
			if !hit {
				w.shared.table.Store(key, tt.Entry{
					Score: toTable(best, ply), Eval: int16(raw), Node: tt.Node{Bound: tt.BoundLower, PV: wasPV},
				})
			}
			return best
		}
		alpha = max(alpha, best)
		f.checks = pos.Checks()
		f.picker.resetNoisy(w, ply, tableMove, quiescenceExchange(alpha-f.static))
	}

	// 4. Captures and promotions that lose almost nothing, in check all
	// evasions.
	bestMove, bound := chess.NoMove, tt.BoundUpper
	number := 0
	for m := f.picker.pick(); m != chess.NoMove; m = f.picker.pick() {
		number++
		if !best.IsLoss() {
			// 5. After an evasion that does not lose, skip quiet ones; skip
			// captures that cannot raise the evaluation to alpha.
			if inCheck {
				f.picker.skipQuiets()
				if !pos.IsNoisy(m) {
					continue
				}
			} else if !m.IsPromotion() && !f.checks.Gives(pos, m) {
				base := f.static + chess.Score(quiescenceFutility)
				if number > quiescenceMoves {
					continue
				}
				if base+worth(captureGain(pos, m)) <= alpha || base <= alpha && !pos.SEE(m, 1) {
					best = max(best, min(alpha, base))
					continue
				}
			}
		}
		w.push(ply, m)
		score := -w.quiescence(ply+1, -beta, -alpha)
		w.pop()
		if w.halted() {
			return chess.DrawScore
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
	if number == 0 && inCheck {
		return chess.MatedIn(ply)
	}
	if bound == tt.BoundLower && !best.IsDecisive() && !beta.IsDecisive() {
		best = (best + beta) / 2
	}
	w.shared.table.Store(key, tt.Entry{
		Move: bestMove, Score: toTable(best, ply), Eval: int16(raw), Node: tt.Node{Bound: bound, PV: wasPV},
	})
	return best
}

// standPat evaluates the position at ply, which is not in check: raw is what the
// network says, and eval an estimate of the score without a move.
func (w *worker) standPat(ply int, entry tt.Entry, hit bool, tableScore chess.Score) (raw, eval chess.Score) {
	raw = chess.Score(entry.Eval)
	if !hit {
		raw = w.evaluate(ply)
	}
	f := &w.stack[ply]
	f.static = w.correctedEval(ply, raw)
	if invariant.Enabled {
		invariant.NoError(f.validateStatic())
	}
	if hit && cutsOff(entry.Bound, tableScore, f.static+1) && !tableScore.IsDecisive() {
		return raw, tableScore
	}
	return raw, f.static
}

// captureGain returns the material that m gains immediately, in centipawns of
// position.SEEValue.
func captureGain(p *position.Position, m chess.Move) int {
	gain := position.SEEValue(p.Captured(m))
	if m.IsPromotion() {
		gain += position.SEEValue(m.Promotion()) - position.SEEValue(chess.Pawn)
	}
	return gain
}
