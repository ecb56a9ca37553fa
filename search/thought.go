package search

import (
	"skein/chess"
	"skein/movegen"
	"skein/position"
	"skein/tt"
)

// thought is the search of limited play as people search: alpha-beta and a
// search of captures, in which some moves are overlooked. It shares the
// moves, draws, limits and table of a worker, but none of its pruning, reductions
// and histories. In the table it finds only its own positions, at the same ply
// of the same search, as what is overlooked depends on both.
type thought struct {
	w *worker
	oversight
	elo     int // decides which mates are known
	history [16][64]int32
	nodes   [thoughtPlies]thoughtNode
}

// thoughtPlies bounds the length of lines.
const thoughtPlies = 48

// thoughtNode is the state of one ply of the line.
type thoughtNode struct {
	list    chess.MoveList
	order   [chess.MaxMoves]int32 // of the moves in list, the highest is next
	killers [2]chess.Move         // quiet moves that failed high at this ply
}

// begin sets t up for a search by w at level l. The seed, the position and the
// number of plies since the last capture or pawn move decide what is overlooked.
func (t *thought) begin(w *worker, l *Level, seed uint64) {
	*t = thought{w: w, elo: l.Elo}
	t.salt = scramble(seed ^ scramble(uint64(w.keys[w.gameKeys])+uint64(w.gameKeys)))
	t.rate, t.queens = l.Oversight, l.Elo > heedsQueen
}

// consider puts the root moves that are not overlooked first and returns their
// number. If it were less than that of the lines to report, none is overlooked.
func (t *thought) consider() int {
	w := t.w
	pos := &w.stack[0].pos
	seen := 0
	if !pos.InCheck() {
		checks := pos.Checks()
		for i := range w.rootMoves {
			if !t.overlooks(pos, &checks, w.rootMoves[i].move, chess.NoMove, 0) {
				w.rootMoves[seen], w.rootMoves[i] = w.rootMoves[i], w.rootMoves[seen]
				seen++
			}
		}
	}
	if seen < w.shownLines() {
		return len(w.rootMoves)
	}
	return seen
}

// root searches the first n root moves to depth. The scores of the lines to
// report, and of those within bonus of the best, are exact.
func (t *thought) root(n, depth int, bonus chess.Score) {
	w := t.w
	for i := range w.rootMoves[:n] {
		// Moves before this one are sorted by score.
		alpha := -chess.Infinity
		if shown := w.shownLines(); i >= shown {
			alpha = min(w.rootMoves[0].score-bonus-1, w.rootMoves[shown-1].score-1)
		}
		rm := w.rootMoves[i]
		w.selDepth = 0
		before := w.nodes
		w.push(0, rm.move)
		score := -t.search(1, depth-1, -chess.Infinity, -alpha)
		w.pop()
		if w.halted() {
			return
		}
		rm.nodes += w.nodes - before
		rm.score, rm.value, rm.depth, rm.selDepth, rm.bound = score, score, depth, w.selDepth, Exact
		if score <= alpha {
			rm.bound = UpperBound
		}
		rm.setLine(rm.move, w.stack[1].pv[:w.stack[1].pvLength])
		w.sortRoot(0, i+1)
	}
}

// search returns the score of the position at ply, searched to depth in plies;
// from 0 on only captures and promotions, in check all moves. It is exact if it
// lies between alpha and beta, a bound otherwise (fail-soft).
func (t *thought) search(ply, depth int, alpha, beta chess.Score) chess.Score {
	w := t.w
	f := &w.stack[ply]
	f.pvLength = 0
	w.selDepth = max(w.selDepth, ply)
	if w.halted() || w.drawn(ply) {
		return chess.DrawScore
	}
	pos := &f.pos
	inCheck := pos.InCheck()
	if ply >= thoughtPlies {
		return t.evaluate(ply)
	}
	key := pos.Key() ^ chess.Key(t.salt|1)*chess.Key(ply)
	entry, hit := w.shared.table.Probe(key)
	if hit && beta-alpha == 1 && int(entry.Depth) >= depth && !nearFiftyMoves(pos) {
		if score := fromTable(entry.Score, ply, pos.Halfmoves()); cutsOff(entry.Bound, score, beta) {
			return score
		}
	}
	best, stage := -chess.Infinity, movegen.All
	if depth <= 0 && !inCheck {
		if best = t.evaluate(ply); best >= beta {
			return best
		}
		stage = movegen.Noisy
	}
	checks := pos.Checks()
	node := &t.nodes[ply]
	t.order(ply, node, stage, entry.Move)
	original := alpha
	alpha = max(alpha, best)
	last, bestMove, searched := w.stack[ply-1].move, chess.NoMove, 0
	for i := range node.list.Len() {
		m := node.next(i)
		if stage == movegen.Noisy && !pos.SEE(m, 0) || !inCheck && t.overlooks(pos, &checks, m, last, ply) {
			continue
		}
		searched++
		w.push(ply, m)
		score := t.scout(ply+1, depth-1, alpha, beta, searched)
		w.pop()
		if w.halted() {
			return chess.DrawScore
		}
		if score <= best {
			continue
		}
		if best = score; score > alpha {
			alpha, bestMove = score, m
			w.updatePV(ply, m)
			if score >= beta {
				t.refuted(node, pos, m, depth)
				break
			}
		}
	}
	switch {
	case searched > 0 || stage == movegen.Noisy:
	case inCheck:
		return chess.MatedIn(ply)
	case node.list.Len() == 0:
		return chess.DrawScore
	default:
		return t.evaluate(ply) // all moves are overlooked
	}
	w.shared.table.Store(key, tt.Entry{
		Move: bestMove, Score: toTable(best, ply),
		Node: tt.Node{Depth: uint8(max(depth, 0)), Bound: boundOf(best, original, beta)},
	})
	return best
}

// scout searches the position at ply after the number'th move of its parent,
// whose window is given, and returns the parent's score: after the first move
// with a null window as long as that fails low.
func (t *thought) scout(ply, depth int, alpha, beta chess.Score, number int) chess.Score {
	if number > 1 && beta-alpha > 1 {
		if score := -t.search(ply, depth, -alpha-1, -alpha); score <= alpha {
			return score
		}
	}
	return -t.search(ply, depth, -beta, -alpha)
}

// boundOf returns what bound score is after a search with a window.
func boundOf(score, alpha, beta chess.Score) tt.Bound {
	switch {
	case score >= beta:
		return tt.BoundLower
	case score > alpha:
		return tt.BoundExact
	}
	return tt.BoundUpper
}

// evaluate returns what the position at ply is worth. Mates that are known count only
// once a king is alone at the root: otherwise a queen would be given for the last
// pawn.
func (t *thought) evaluate(ply int) chess.Score {
	pos := &t.w.stack[ply].pos
	if t.w.bareSalt != 0 {
		if value, ok := technique(pos, t.elo); ok {
			return value
		}
	}
	return min(max(Scaled(t.w.acc.Evaluate(pos), pos), -chess.MaxEval), chess.MaxEval)
}

// order generates the moves of a stage at ply and ranks them: that of the table,
// captures by victim and attacker, killers, and quiet moves by their history.
func (t *thought) order(ply int, n *thoughtNode, stage movegen.Stage, tableMove chess.Move) {
	pos := &t.w.stack[ply].pos
	n.list.Clear()
	movegen.Generate(pos, stage, &n.list)
	for i, m := range n.list.Slice() {
		piece := pos.At(m.From())
		switch {
		case m == tableMove:
			n.order[i] = 1 << 30
		case pos.IsNoisy(m):
			n.order[i] = 1<<24 + int32(16*captureGain(pos, m)-int(piece.Type()))
			if !pos.SEE(m, 0) {
				n.order[i] -= 1 << 25
			}
		case m == n.killers[0] || m == n.killers[1]:
			n.order[i] = 1 << 22
		default:
			n.order[i] = t.history[piece][m.To()]
		}
	}
}

// next moves the highest of the moves from i on to place i and returns it.
func (n *thoughtNode) next(i int) chess.Move {
	moves, best := n.list.Slice(), i
	for j := i + 1; j < len(moves); j++ {
		if n.order[j] > n.order[best] {
			best = j
		}
	}
	moves[i], moves[best] = moves[best], moves[i]
	n.order[i], n.order[best] = n.order[best], n.order[i]
	return moves[i]
}

// refuted learns that m failed high at n.
func (t *thought) refuted(n *thoughtNode, pos *position.Position, m chess.Move, depth int) {
	if pos.IsNoisy(m) {
		return
	}
	if n.killers[0] != m {
		n.killers[0], n.killers[1] = m, n.killers[0]
	}
	h := &t.history[pos.At(m.From())][m.To()]
	*h = min(*h+int32(depth*depth), 1<<21)
}
