package search

import (
	"slices"

	"skein/chess"
	"skein/internal/hugepages"
	"skein/movegen"
	"skein/nnue"
	"skein/position"
)

// worker is one search thread with all its memory: nothing is allocated while
// it searches. Workers share only the transposition table and what is in
// shared.
type worker struct {
	stack     [chess.MaxPly + 3]frame // first, so that it is aligned to a cache line
	histories                         // aligned as well
	id        int
	shared    *shared
	watcher   watcher // of the first thread; nil for the others

	beforeRoot frame // stands for all plies before the root
	acc        *nnue.Stack

	// keys are those of the positions of the game and, from the root on, of the
	// line being searched; the position at ply p has keys[gameKeys+p].
	keys     []chess.Key
	gameKeys int

	rootMoves []*rootMove  // sorted by pointers, as a root move with its line takes 600 bytes
	rootStore []rootMove   // what they point to
	choosable []chess.Move // the root moves that the search at pvIndex may choose
	complete  []variation  // best lines of the last completed iteration, best first
	pvIndex   int          // root moves before this one are final in this iteration (MultiPV)
	rootDepth int
	selDepth  int
	completed int // last completed iteration

	// horizon is the ply beyond which no line is searched: chess.MaxPly except
	// in a search for a mate. The table entries of such a search are valid only
	// at their distance from the horizon; mateSalt, 0 in other searches, makes
	// their keys different.
	horizon  int
	mateSalt chess.Key

	// nullFromPly is the first ply at which null moves are allowed: 0, or a
	// later one while the null move at the ply confirming is verified; that is 0
	// otherwise.
	nullFromPly, confirming int

	nodes     uint64 // of this worker; published at intervals
	tbHits    uint64 // of positions found in tablebases; published with nodes
	nodeLimit uint64 // exact, only with a single thread; 0 is none
	line      notedLine
	bareSalt  chess.Key // not 0 if a king is alone at the root: evaluate, and so the entries, differ
	_         [64]byte  // keeps the counter on a cache line of its own
	counter   counter
}

// watcher receives the progress of the first thread during an iteration.
type watcher interface {
	rootMove(w *worker, m chess.Move, number int) // m is searched next, the number'th from 1
	polled(w *worker)                             // at intervals of 1024 nodes
}

// frame is the state of one ply of the line that a worker is searching.
type frame struct {
	pos     position.Position
	checks  position.Checks // of pos, while its moves are searched
	threats chess.Threats   // of pos, while its moves are searched

	move                   chess.Move // being searched from here
	excluded               chess.Move // not searched here, by a singular extension search
	wasPV                  bool       // on a principal variation, now or in an earlier search
	continuation           *pieceTo   // histories of moves after move
	continuationCorrection *pieceTo   // corrections by move and a later one
	number                 int        // of move in the order of search, from 1
	reduction              int        // of move, in plies

	correctionEntries [6]*int16 // of the static evaluation; see findCorrections

	static     chess.Score // corrected static evaluation; in check that of two plies earlier
	correction chess.Score // in static
	cutoffs    int         // nodes at this ply that failed high since the search of the parent began

	// reversible is the number of plies since the last capture, pawn move or
	// null move: a repetition cannot reach back further.
	reversible int

	// Large fields come after those used most.
	picker          movePicker
	pvLength        int
	pv              [chess.MaxPly + 2]chess.Move
	quiets, noisies triedMoves // moves that failed low

	// A frame fills an odd number of cache lines, so that the same fields of
	// consecutive frames are not mapped to the same cache sets.
	_ [40]byte
}

// triedMoves lists moves of a node that failed low, as many as there is room
// for.
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

func newWorker(id int, s *shared, net *nnue.Network) *worker {
	w := &worker{
		id:       id,
		shared:   s,
		acc:      nnue.NewStack(net, chess.MaxPly+2),
		keys:     make([]chess.Key, 0, 256+chess.MaxPly+2),
		complete: make([]variation, 0, 1),
	}
	w.beforeRoot.continuation, w.beforeRoot.continuationCorrection = &w.none, &w.none
	w.beforeRoot.static = chess.Infinity
	hugepages.Advise(w, 1)
	w.histories.reset(id)
	return w
}

// leaveTree forgets the nodes in which a search was when its goroutine ended.
func (w *worker) leaveTree() {
	for ply := range w.stack {
		w.stack[ply].excluded, w.stack[ply].reduction = chess.NoMove, 0
	}
}

// prepare sets the worker up to search g with the shared limits.
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
	w.findCorrections(0)
	w.bareSalt = 0
	if !g.Pos.Of(chess.White).Many() || !g.Pos.Of(chess.Black).Many() {
		w.bareSalt = 0xd1b54a32d192ed03 // at random
	}
	w.nodes, w.completed, w.rootDepth, w.tbHits = 0, 0, 0, 0
	w.nullFromPly, w.confirming = 0, 0
	w.publish()
	w.horizon, w.mateSalt = chess.MaxPly, 0
	if lim.Mate > 0 {
		w.horizon = int(min(2*uint(lim.Mate)+1, chess.MaxPly))
		w.mateSalt = 0x9e3779b97f4a7c15 // odd, so that all multiples differ
	}
	w.nodeLimit = 0
	if w.shared.alone() {
		w.nodeLimit = lim.Nodes
	}

	list := &root.picker.list
	list.Clear()
	movegen.Generate(&g.Pos, movegen.All, list)
	w.rootStore = slices.Grow(w.rootStore[:0], list.Len())
	w.rootMoves = slices.Grow(w.rootMoves[:0], list.Len())
	w.choosable = slices.Grow(w.choosable[:0], list.Len())
	chosen := func(m chess.Move) bool { return slices.Contains(lim.SearchMoves, m) }
	all := !slices.ContainsFunc(list.Slice(), chosen)
	for _, m := range list.Slice() {
		if all || chosen(m) {
			w.rootStore = append(w.rootStore, rootMove{move: m, score: -chess.Infinity})
			rm := &w.rootStore[len(w.rootStore)-1]
			rm.setLine(m, nil)
			w.rootMoves = append(w.rootMoves, rm)
		}
	}
	w.complete = slices.Grow(w.complete[:0], w.lines())
}

// halted reports whether this worker must stop searching. The first worker may
// complete its first iteration within minNodes nodes, so that even a search
// stopped at once returns a sensible move.
func (w *worker) halted() bool {
	if !w.shared.ended() {
		return false
	}
	return w.id != 0 || w.completed > 0 || w.nodes > minNodes
}

// count counts the node that a move from ply leads to.
func (w *worker) count(ply int) {
	w.nodes++
	if w.nodes&1023 == 0 || w.nodes == w.nodeLimit {
		w.poll(ply)
	}
}

// poll publishes the worker's counts, checks the time limit, and answers a
// request for the line being searched. All workers check the limits, because with
// more threads than processors the first may not be running.
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
	s.checkNodes()
	w.noteLine(ply)
	if w.id == 0 {
		w.watcher.polled(w)
	}
}

// publish makes the worker's counts visible to other threads.
func (w *worker) publish() {
	w.counter.nodes.Store(w.nodes)
	w.counter.tbHits.Store(w.tbHits)
}

// mating reports whether this is a search for a mate.
func (w *worker) mating() bool { return w.mateSalt != 0 }

// tableKey returns the key of the table entry for the position at ply.
func (w *worker) tableKey(ply int) chess.Key { return w.stack[ply].pos.Key() ^ w.keySalt(ply) }

// keySalt returns what is XORed to the key of the position at ply to get that of its
// table entry: 0 unless this is a search for a mate or a king is alone at the root.
func (w *worker) keySalt(ply int) chess.Key { return w.mateSalt*chess.Key(w.horizon-ply) ^ w.bareSalt }

// push makes the move m at ply: it fills the frame of the next ply and counts
// the node.
func (w *worker) push(ply int, m chess.Move) {
	f, next := &w.stack[ply], &w.stack[ply+1]
	f.move = m
	piece, to := f.pos.At(m.From())&15, m.To()
	f.continuation = &w.histories.continuation[piece][to]
	f.continuationCorrection = &w.histories.continuationCorrection[piece][to]
	w.shared.table.Prefetch(f.pos.KeyAfter(m) ^ w.keySalt(ply+1))
	f.pos.Do(m, &next.pos, w.acc.Push())
	w.findCorrections(ply + 1)
	w.record(ply)
	w.count(ply)
}

// record stores what finds repetitions of the position after the move at ply: its key,
// and how far back one may be.
func (w *worker) record(ply int) {
	f, next := &w.stack[ply], &w.stack[ply+1]
	w.keys[w.gameKeys+ply+1] = next.pos.Key()
	next.reversible = f.reversible + 1
	if next.pos.Halfmoves() == 0 {
		next.reversible = 0
	}
}

// pop discards the accumulators of the last push; nothing else needs undoing.
func (w *worker) pop() { w.acc.Pop() }

// pushNull makes a null move at ply. It needs no pop.
func (w *worker) pushNull(ply int) {
	f, next := &w.stack[ply], &w.stack[ply+1]
	f.move = chess.NoMove
	f.continuation, f.continuationCorrection = &w.none, &w.none
	f.pos.DoNull(&next.pos)
	w.shared.table.Prefetch(w.tableKey(ply + 1))
	w.findCorrections(ply + 1)
	w.keys[w.gameKeys+ply+1] = next.pos.Key()
	next.reversible = 0
	w.count(ply)
}

// drawn reports whether the position at ply is a draw by the fifty-move rule,
// by insufficient material, or by repetition: of one earlier occurrence within
// the search, or of two in the game.
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

// canRepeat reports whether the side to move at ply can make a move that is a draw by
// repetition: to a position that occurred before within the search, or twice in the
// game.
func (w *worker) canRepeat(ply int) bool {
	f := &w.stack[ply]
	if f.reversible < 3 {
		return false
	}
	end := w.gameKeys + ply
	key, side := w.keys[end], position.SideKey()
	moved := key ^ w.keys[end-1] ^ side // by the other side; 0 if its men are where they were
	for back := 3; back <= f.reversible; back += 2 {
		earlier := w.keys[end-back]
		if moved ^= w.keys[end-back+1] ^ earlier ^ side; moved != 0 {
			continue
		}
		a, b, ok := position.ReversibleMove(key ^ earlier)
		if ok && f.pos.Of(f.pos.SideToMove())&(a.Bit()|b.Bit()) != 0 && chess.Between(a, b)&f.pos.Occupied() == 0 &&
			(back < ply || slices.Contains(w.keys[end-f.reversible:end-back], earlier)) {
			return true
		}
	}
	return false
}

// evaluate returns the value of the position at ply before it is scaled and corrected:
// that of the network, unless it only remains to mate a king that is alone at the root.
// Networks know little of that, since the games that they learn from are decided before.
// The network is asked first because the profile for optimization names that call by its
// distance from the first line of the function, and otherwise it is not inlined.
func (w *worker) evaluate(ply int) chess.Score {
	value := w.acc.Evaluate(&w.stack[ply].pos)
	if w.bareSalt != 0 {
		if known, ok := technique(&w.stack[ply].pos, MaxElo); ok {
			return known
		}
	}
	return value
}

// updatePV sets the line at ply to m followed by the line of the next ply.
func (w *worker) updatePV(ply int, m chess.Move) {
	f, next := &w.stack[ply], &w.stack[ply+1]
	f.pv[0] = m
	f.pvLength = 1 + copy(f.pv[1:], next.pv[:next.pvLength])
}
