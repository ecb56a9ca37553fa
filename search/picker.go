package search

import (
	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// stage is how far a movePicker has come.
type stage uint8

const (
	stageTable stage = iota
	stageNoisyInit
	stageGoodNoisy
	stageKillers
	stageQuietInit
	stageQuiet
	stageBadNoisy
	stageDone
)

// movePicker hands out the legal moves of a position, likely best first, and
// generates and sorts as little as the search asks for: the table's move, good
// captures and promotions, killers, quiet moves by history, bad captures.
type movePicker struct {
	pos       *position.Position
	histories *histories
	killers   [2]chess.Move
	tableMove chess.Move
	stage     stage
	noisyOnly bool // stop after good captures and promotions

	// list holds bad noisy moves in [0, bad), then used ones, then those still
	// to come in [next, end).
	list           chess.MoveList
	scores         [chess.MaxMoves]int32
	bad, next, end int
	killer         int
}

// reset starts over at p. tableMove, if any, must be legal; with noisyOnly it
// must be noisy too.
func (mp *movePicker) reset(p *position.Position, h *histories, tableMove chess.Move, killers [2]chess.Move, noisyOnly bool) {
	mp.pos, mp.histories = p, h
	mp.tableMove, mp.killers, mp.noisyOnly = tableMove, killers, noisyOnly
	mp.stage = stageTable
	mp.bad, mp.next, mp.end, mp.killer = 0, 0, 0, 0
}

// pick returns the next move, NoMove after the last.
func (mp *movePicker) pick() chess.Move {
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
		mp.stage++
		fallthrough

	case stageGoodNoisy:
		for mp.next < mp.end {
			m := mp.best()
			if m == mp.tableMove {
				continue
			}
			if mp.pos.SEE(m, 0) {
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

	case stageKillers:
		for mp.killer < len(mp.killers) {
			m := mp.killers[mp.killer]
			mp.killer++
			if m != chess.NoMove && m != mp.tableMove && !mp.pos.IsNoisy(m) && movegen.IsLegal(mp.pos, m) {
				return m
			}
		}
		mp.stage++
		fallthrough

	case stageQuietInit:
		mp.generate(movegen.Quiet)
		mp.stage++
		fallthrough

	case stageQuiet:
		for mp.next < mp.end {
			if m := mp.best(); m != mp.tableMove && m != mp.killers[0] && m != mp.killers[1] {
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

// generate appends the moves of a generation stage and scores them.
func (mp *movePicker) generate(stage movegen.Stage) {
	mp.next = mp.list.Len()
	movegen.Generate(mp.pos, stage, &mp.list)
	mp.end = mp.list.Len()
	for i, m := range mp.list.Slice()[mp.next:] {
		if stage == movegen.Noisy {
			mp.scores[mp.next+i] = noisyScore(mp.pos, m)
		} else {
			mp.scores[mp.next+i] = int32(mp.histories.quietHistory(mp.pos, m))
		}
	}
}

// noisyScore orders captures by most valuable victim, then least valuable
// attacker, and promotions by what they gain.
func noisyScore(p *position.Position, m chess.Move) int32 {
	gain := position.SEEValue(p.Captured(m))
	if m.IsPromotion() {
		gain += position.SEEValue(m.Promotion()) - position.SEEValue(chess.Pawn)
	}
	return int32(gain*16 - int(p.At(m.From()).Type()))
}

// best takes the highest-scored remaining move. Earlier ones win ties, so that
// the order is the same everywhere.
func (mp *movePicker) best() chess.Move {
	moves := mp.list.Slice()
	top := mp.next
	for i := mp.next + 1; i < mp.end; i++ {
		if mp.scores[i] > mp.scores[top] {
			top = i
		}
	}
	m := moves[top]
	moves[top], mp.scores[top] = moves[mp.next], mp.scores[mp.next]
	mp.next++
	return m
}
