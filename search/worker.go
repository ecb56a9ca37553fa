package search

import (
	"slices"

	"skein/chess"
	"skein/movegen"
	"skein/nnue"
	"skein/position"
)

// worker is one search thread with all it needs: nothing is allocated while it
// searches. Workers share only the table and the flag that halts them.
type worker struct {
	stack   [chess.MaxPly + 3]frame // first, so that it begins where a cache line does
	id      int
	shared  *shared
	watcher watcher // of the first thread; nil for the others

	beforeRoot frame // stands for all that came before the root
	acc        *nnue.Stack
	histories

	// keys are those of the game, from gameKeys down to the root, then of the
	// line being searched; the position at ply p has keys[gameKeys+p].
	keys     []chess.Key
	gameKeys int

	rootMoves []rootMove
	pvIndex   int // root moves before this one are settled (MultiPV)
	rootDepth int
	selDepth  int
	completed int // last completed iteration

	// horizon is the ply beyond which no line is followed: chess.MaxPly unless a mate
	// is sought. What the table knows then depends on how far away it is, and
	// mateSalt keeps such knowledge apart; it is 0 in other searches.
	horizon  int
	mateSalt chess.Key

	// nullFromPly is the first ply that may pass: 0, or beyond a null move that
	// is being confirmed.
	nullFromPly int

	nodes     uint64 // counted here, published now and then
	tableHits uint64 // positions found in endgame tables, likewise
	nodeLimit uint64 // exact for a single thread, 0 for none
	line      notedLine
	_         [64]byte // keeps the counter off the cache lines of others
	counter   counter
}

// watcher is told how the search of the first thread goes while it is in the tree.
type watcher interface {
	rootMove(w *worker, m chess.Move, number int) // which is searched next
	polled(w *worker)                             // now and then
}

// frame is what a worker knows about one ply of the line it searches.
type frame struct {
	pos     position.Position
	checks  position.Checks  // of pos, while its moves are searched
	threats position.Threats // likewise

	move         chess.Move // being searched from here
	excluded     chess.Move // left out of the search of this position
	wasPV        bool       // on a principal variation, now or once
	continuation *pieceTo   // histories of moves after move
	correction   *pieceTo   // corrections after it and another
	number       int        // of it, counted from 1 in the order of search
	reduction    int        // by which it is being searched shallower, in plies

	static    chess.Score // corrected evaluation; in check that of two plies ago
	corrected chess.Score // by how much
	cutoffs   int         // nodes here that failed high since the parent began

	// reversible counts the plies that a repetition may reach back from here:
	// no capture, pawn move or null move among them.
	reversible int

	// What is larger follows what is used most.
	picker          movePicker
	pvLength        int
	pv              [chess.MaxPly + 2]chess.Move
	quiets, noisies triedMoves // searched without success

	// A frame fills cache lines, and their number is odd, so that the same fields of
	// frames that follow each other do not compete for the same places in a cache.
	_ [88]byte
}

// triedMoves are the first moves of a node that were searched without success.
type triedMoves struct {
	n     int
	moves [128]chess.Move
}

// add appends m if there is room.
func (t *triedMoves) add(m chess.Move) {
	if t.n < len(t.moves) {
		t.moves[t.n] = m
		t.n++
	}
}

// rootMove is a move of the root with what the search found behind it.
type rootMove struct {
	move     chess.Move
	score    chess.Score // of this iteration for sorting, -chess.Infinity until it has its own
	value    chess.Score // last score of its own
	bound    Bound
	depth    int // iteration that gave value, 0 if none did
	selDepth int
	nodes    uint64 // spent on it in this search

	// What endgame tables say of it, if known: moves of one rank are equally
	// good, and none ranks below the first that is searched.
	known      bool
	rank       int
	tableScore chess.Score

	pv       [chess.MaxPly + 2]chess.Move
	pvLength int
}

func newWorker(id int, s *shared, net *nnue.Network) *worker {
	w := &worker{
		id:        id,
		shared:    s,
		acc:       nnue.NewStack(net, chess.MaxPly+2),
		keys:      make([]chess.Key, 0, 256+chess.MaxPly+2),
		rootMoves: make([]rootMove, 0, 64),
	}
	w.beforeRoot.continuation, w.beforeRoot.correction = &w.none, &w.none
	w.beforeRoot.static = chess.Infinity
	w.histories.reset(id)
	return w
}

// prepare makes the worker ready to search g within the limits that are shared.
func (w *worker) prepare(g *position.Game) {
	lim := &w.shared.limits
	root := &w.stack[0]
	root.pos = g.Pos
	root.reversible = min(g.Pos.Halfmoves(), len(g.Keys))
	w.keys = append(append(w.keys[:0], g.Keys...), g.Pos.Key())
	w.gameKeys = len(g.Keys)
	w.keys = slices.Grow(w.keys, chess.MaxPly+2)[:w.gameKeys+chess.MaxPly+2]
	w.histories.newSearch()
	w.acc.Reset(&g.Pos)
	w.nodes, w.completed, w.rootDepth, w.nullFromPly = 0, 0, 0, 0
	w.tableHits = 0
	w.publish()
	w.horizon, w.mateSalt = chess.MaxPly, 0
	if lim.Mate > 0 {
		w.horizon = int(min(2*uint(lim.Mate)+1, chess.MaxPly))
		w.mateSalt = 0x9e3779b97f4a7c15 // odd, so that every distance has its own key
	}
	w.nodeLimit = 0
	if w.shared.alone() {
		w.nodeLimit = lim.Nodes
	}

	list := &root.picker.list
	list.Clear()
	movegen.Generate(&g.Pos, movegen.All, list)
	w.rootMoves = slices.Grow(w.rootMoves[:0], list.Len())
	for _, m := range list.Slice() {
		if len(lim.SearchMoves) == 0 || slices.Contains(lim.SearchMoves, m) {
			w.rootMoves = append(w.rootMoves, rootMove{move: m, score: -chess.Infinity, pvLength: 1})
			w.rootMoves[len(w.rootMoves)-1].pv[0] = m
		}
	}
}

// lines returns the number of best lines to find.
func (w *worker) lines() int {
	return min(max(w.shared.limits.MultiPV, w.shared.level.lines, 1), len(w.rootMoves))
}

// shownLines returns the number of best lines to report.
func (w *worker) shownLines() int { return min(max(w.shared.limits.MultiPV, 1), len(w.rootMoves)) }

// sortRoot sorts root moves [from, to) by rank and score, best first. Moves
// without a score keep their order.
func (w *worker) sortRoot(from, to int) {
	slices.SortStableFunc(w.rootMoves[from:to], func(a, b rootMove) int {
		if a.rank != b.rank {
			return b.rank - a.rank
		}
		return int(b.score - a.score)
	})
}

// halted reports whether the search is over for this worker. The first worker
// goes on for up to minNodes until its first iteration is complete, so that even
// a search stopped at once returns a sensible move.
func (w *worker) halted() bool {
	if !w.shared.ended() {
		return false
	}
	return w.id != 0 || w.completed > 0 || w.nodes > minNodes
}

// count counts the node after a move from ply.
func (w *worker) count(ply int) {
	w.nodes++
	if w.nodes&1023 == 0 || w.nodes == w.nodeLimit {
		w.poll(ply)
	}
}

// poll is what a worker does now and then: it publishes its count, looks at the
// clock, and tells the line it is in if asked. All workers look at the clock: with
// more threads than processors the first may have to wait for its turn. Nodes are
// for the first to add up.
func (w *worker) poll(ply int) {
	s := w.shared
	if w.nodes == w.nodeLimit && (!s.control.pondering.Load() || s.weak()) {
		s.end(NodesUsed)
	}
	if w.nodes&1023 != 0 {
		return
	}
	w.publish()
	s.checkTime()
	w.noteLine(ply)
	if w.id == 0 {
		s.checkNodes()
		w.watcher.polled(w)
	}
}

// publish tells the others what has been counted.
func (w *worker) publish() {
	w.counter.nodes.Store(w.nodes)
	w.counter.tableHits.Store(w.tableHits)
}

// mating reports whether a mate is sought, whatever the evaluation.
func (w *worker) mating() bool { return w.mateSalt != 0 }

// tableKey returns the key under which the table knows the position at ply.
func (w *worker) tableKey(ply int) chess.Key {
	return w.stack[ply].pos.Key() ^ w.mateSalt*chess.Key(w.horizon-ply)
}

// prefetch has the memory fetch what the table knows about the position after m,
// which takes as long as all that is done before it is asked for.
func (w *worker) prefetch(ply int, m chess.Move) {
	w.shared.table.Prefetch(w.stack[ply].pos.KeyAfter(m) ^ w.mateSalt*chess.Key(w.horizon-ply-1))
}

// push plays m from ply.
func (w *worker) push(ply int, m chess.Move) {
	f, next := &w.stack[ply], &w.stack[ply+1]
	f.move = m
	piece, to := f.pos.At(m.From())&15, m.To()
	f.continuation, f.correction = &w.histories.continuation[piece][to], &w.continuationCorrection[piece][to]
	f.pos.Do(m, &next.pos, w.acc.Push())
	w.keys[w.gameKeys+ply+1] = next.pos.Key()
	next.reversible = f.reversible + 1
	if next.pos.Halfmoves() == 0 {
		next.reversible = 0
	}
	w.count(ply)
}

// pop takes the last move back.
func (w *worker) pop() { w.acc.Pop() }

// pushNull passes at ply. There is nothing to take back.
func (w *worker) pushNull(ply int) {
	f, next := &w.stack[ply], &w.stack[ply+1]
	f.move = chess.NoMove
	f.continuation, f.correction = &w.none, &w.none
	f.pos.DoNull(&next.pos)
	w.shared.table.Prefetch(w.tableKey(ply + 1))
	w.keys[w.gameKeys+ply+1] = next.pos.Key()
	next.reversible = 0
	w.count(ply)
}

// drawn reports whether the position at ply is a draw by rule: fifty moves,
// material, or repetition, one earlier occurrence in the search being enough
// and two in the game.
func (w *worker) drawn(ply int) bool {
	f := &w.stack[ply]
	if f.pos.InsufficientMaterial() {
		return true
	}
	if f.pos.Halfmoves() >= 100 && (!f.pos.InCheck() || movegen.Count(&f.pos) > 0) {
		return true
	}
	end := w.gameKeys + ply
	key, seen := w.keys[end], false
	for back := 4; back <= f.reversible; back += 2 {
		if w.keys[end-back] == key {
			if seen || back < ply {
				return true
			}
			seen = true
		}
	}
	return false
}

// canRepeat reports whether the side to move at ply can return, with one move,
// to a position that occurred before within the search.
func (w *worker) canRepeat(ply int) bool {
	f := &w.stack[ply]
	end := w.gameKeys + ply
	key := w.keys[end]
	for back := 3; back <= min(f.reversible, ply-1); back += 2 {
		a, b, ok := position.ReversibleMove(key ^ w.keys[end-back])
		if ok && f.pos.Of(f.pos.SideToMove())&(a.Bit()|b.Bit()) != 0 && chess.Between(a, b)&f.pos.Occupied() == 0 {
			return true
		}
	}
	return false
}

// evaluate returns the static evaluation of the position at ply.
func (w *worker) evaluate(ply int) chess.Score {
	return w.acc.Evaluate(&w.stack[ply].pos)
}

// updatePV makes m followed by the line of the next ply the line at ply.
func (w *worker) updatePV(ply int, m chess.Move) {
	f, next := &w.stack[ply], &w.stack[ply+1]
	f.pv[0] = m
	f.pvLength = 1 + copy(f.pv[1:], next.pv[:next.pvLength])
}
