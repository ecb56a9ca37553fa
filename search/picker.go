package search

import (
	"skein/chess"
	"skein/internal/invariant"
	"skein/internal/prefetch"
	"skein/movegen"
	"skein/position"
)

// stage is the stage of a movePicker.
type stage uint8

const (
	stageTable stage = iota
	stageNoisyInit
	stageGoodNoisy
	stageQuietInit
	stageQuiet
	stageBadNoisy
	stageDone
)

// movePicker returns the legal moves of a position, likely best first: the
// table move, good captures and promotions, quiet moves by history, bad
// captures. It generates and scores the moves of a stage only when they are
// needed.
type movePicker struct {
	w         *worker
	pos       *position.Position
	ply       int
	tableMove chess.Move
	threshold int // minimum gain by exchanges of good noisy moves, in centipawns
	stage     stage
	noisyOnly bool // stop after good captures and promotions
	noQuiets  bool
	tally     invariant.State[movegen.Tally] // of the moves returned

	// list holds bad noisy moves in [0, bad), and all others where they were
	// generated; scored holds the remaining ones in [next, end).
	list           chess.MoveList
	scored         [chess.MaxMoves]scoredMove
	bad, next, end int
}

// scoredMove packs a score (bits 32 and up), the place in the list counted from
// its end (16-31) and the move (0-15): the largest has the highest score, among
// equals the first place.
type scoredMove int64

func packMove(value, place int, m chess.Move) scoredMove {
	return scoredMove(value)<<32 | scoredMove(chess.MaxMoves-1-place)<<16 | scoredMove(m)
}

func (s scoredMove) move() chess.Move { return chess.Move(s) }
func (s scoredMove) value() int       { return int(s >> 32) }
func (s scoredMove) place() int       { return chess.MaxMoves - 1 - int(s>>16&(chess.MaxMoves-1)) }

// placed returns s with another place.
func (s scoredMove) placed(at int) scoredMove { return packMove(s.value(), at, s.move()) }

// reset prepares the picker for all moves at ply. tableMove, if not NoMove,
// must be legal.
func (mp *movePicker) reset(w *worker, ply int, tableMove chess.Move) {
	mp.w, mp.pos, mp.ply = w, &w.stack[ply].pos, ply
	mp.tableMove, mp.threshold, mp.noisyOnly, mp.noQuiets = tableMove, 0, false, false
	mp.stage = stageTable
	mp.bad, mp.next, mp.end = 0, 0, 0
	if invariant.Enabled {
		invariant.NoError(validateTableMove(mp.pos, tableMove))
		mp.tally.Get().Clear()
	}
}

// resetNoisy prepares the picker for tableMove and then only captures and
// promotions that gain at least threshold by exchanges, in centipawns; those
// with a good history may gain less.
func (mp *movePicker) resetNoisy(w *worker, ply int, tableMove chess.Move, threshold int) {
	mp.reset(w, ply, tableMove)
	mp.threshold, mp.noisyOnly = threshold, true
}

// skipQuiets skips the remaining quiet moves.
func (mp *movePicker) skipQuiets() { mp.noQuiets = true }

// pick returns the next move, NoMove after the last.
func (mp *movePicker) pick() chess.Move {
	m := mp.advance()
	if invariant.Enabled {
		invariant.NoError(mp.tallied(m))
	}
	return m
}

// advance runs through the stages to the next move.
func (mp *movePicker) advance() chess.Move {
	switch mp.stage {
	case stageTable:
		mp.stage++
		if mp.tableMove != chess.NoMove {
			return mp.tableMove
		}
		fallthrough

	case stageNoisyInit:
		mp.list.Clear()
		mp.generate(movegen.Noisy)
		mp.stage = stageGoodNoisy
		fallthrough

	case stageGoodNoisy:
		for mp.next < mp.end {
			m, score := mp.best()
			if m == mp.tableMove {
				continue
			}
			threshold := -score / goodNoisyDivisor
			if mp.noisyOnly {
				threshold = mp.threshold - int(*mp.w.captureOf(mp.pos, m))/exchangeHistory
			}
			if mp.pos.SEE(m, threshold) {
				return m
			}
			mp.list.Slice()[mp.bad] = m
			mp.bad++
		}
		if mp.noisyOnly {
			mp.stage = stageDone
			return chess.NoMove
		}
		mp.stage++
		fallthrough

	case stageQuietInit:
		if !mp.noQuiets {
			mp.prefetchQuiets()
			mp.generate(movegen.Quiet)
		}
		mp.stage = stageQuiet
		fallthrough

	case stageQuiet:
		for !mp.noQuiets && mp.next < mp.end {
			if m, _ := mp.best(); m != mp.tableMove {
				return m
			}
		}
		mp.next = 0
		mp.stage++
		fallthrough

	case stageBadNoisy:
		if mp.next < mp.bad {
			m := mp.list.Slice()[mp.next]
			mp.next++
			return m
		}
		mp.stage = stageDone
	}
	return chess.NoMove
}

// generate appends the moves of a generation stage to the list and scores them.
func (mp *movePicker) generate(s movegen.Stage) {
	mp.next = mp.list.Len()
	movegen.Generate(mp.pos, s, &mp.list)
	mp.end = mp.list.Len()
	if s == movegen.Noisy {
		mp.scoreNoisy()
	} else {
		mp.scoreQuiets()
	}
}

// scoreNoisy scores captures and promotions by their gain and history.
func (mp *movePicker) scoreNoisy() {
	p := mp.pos
	for i, m := range mp.list.Slice()[mp.next:] {
		value := captureGain(p, m)*captureWeight + int(*mp.w.captureOf(p, m))/captureHistoryDivisor -
			int(p.At(m.From()).Type())
		mp.scored[mp.next+i] = packMove(value, mp.next+i, m)
	}
}

// prefetchQuiets starts loading the histories of the quiet moves that are to be
// generated, but not those that the nodes before have used.
func (mp *movePicker) prefetchQuiets() {
	w := mp.w
	own := pieceToIndex(chess.MakePiece(mp.pos.SideToMove(), chess.Pawn), 0) // those of all own pieces follow
	one, two := w.earlier(mp.ply, 1).continuation, w.earlier(mp.ply, 2).continuation
	prefetch.Rows(&one[own], &two[own], &w.pawnOf(mp.pos)[own])
}

// scoreQuiets scores quiet moves by their histories, attacks by lesser pieces,
// safe checks, and whether they take back the own last move.
func (mp *movePicker) scoreQuiets() {
	p, w, ply := mp.pos, mp.w, mp.ply
	f := &w.stack[ply]
	attacked := f.threats.All
	var threats [8]threat // by piece type; filled one by one, since a copy of it would stall
	threats[chess.Knight] = threat{f.threats.ByLesser(chess.Knight), threatMinor}
	threats[chess.Bishop] = threat{f.threats.ByLesser(chess.Bishop), threatMinor}
	threats[chess.Rook] = threat{f.threats.ByLesser(chess.Rook), threatRook}
	threats[chess.Queen] = threat{f.threats.ByLesser(chess.Queen), threatQueen}
	quiet, pawn := &w.quiet[p.SideToMove()&1], w.pawnOf(p)
	one, two := w.earlier(ply, 1).continuation, w.earlier(ply, 2).continuation
	four, six := w.earlier(ply, 4).continuation, w.earlier(ply, 6).continuation
	last := w.earlier(ply, 2).move
	undo := chess.NewMove(last.To(), last.From()) // NoMove if there is no last move
	for i, m := range mp.list.Slice()[mp.next:] {
		from, to := m.From(), m.To()
		piece := p.At(from)
		at := pieceToIndex(piece, to)
		value := (int(one[at])+int(two[at])+int(four[at])+int(six[at]))*continuationWeight + int(pawn[at])*pawnWeight +
			int(quiet[attacked>>from&1][attacked>>to&1][from][to])*quietWeight
		if ply < lowPlies {
			value += int(w.lowPly[ply][from][to]) * lowPlyWeight
		}
		value /= 1024
		threat := &threats[piece&7]
		value += threat.bonus * (flag(threat.squares.Has(from)) - flag(threat.squares.Has(to)))
		if f.checks.MayGive(piece, from, to) && f.checks.Gives(p, m) && p.SEE(m, -checkLoss) {
			value += checkBonus
		}
		if m == undo {
			value -= undoMalus
		}
		mp.scored[mp.next+i] = packMove(value, mp.next+i, m)
	}
}

// threat is the bonus for moving a piece away from squares that are attacked by
// lesser pieces, and the penalty for moving it to one.
type threat struct {
	squares chess.Bitboard
	bonus   int
}

// best removes the remaining move with the highest score, among equals the
// first in the list, and returns it with its score.
func (mp *movePicker) best() (m chess.Move, value int) {
	rest := mp.scored[mp.next:mp.end]
	top := rest[0]
	for _, s := range rest {
		top = max(top, s)
	}
	place := top.place()
	mp.scored[place] = mp.scored[mp.next].placed(place)
	mp.next++
	return top.move(), top.value()
}
