package search

import (
	"math/rand/v2"

	"skein/chess"
	"skein/position"
)

const (
	// historyNoise is how much helpers differ at the start of a game.
	historyNoise = 50

	// lowPlies is how many plies from the root have a history of their own.
	lowPlies = 4

	pawnHistories = 512
)

// pieceTo is a history by moving piece and target square.
type pieceTo [16][64]int16

// at returns the value of m in position p.
func (h *pieceTo) at(p *position.Position, m chess.Move) *int16 {
	return &h[p.At(m.From())&15][m.To()]
}

// histories is what a worker has learned about moves, kept from search to
// search of one game.
type histories struct {
	quiet   [2][2][2][64][64]int16  // by side, from attacked, to attacked, from, to
	lowPly  [lowPlies][64][64]int16 // by ply, from, to
	capture [16][64][8]int16        // by moving piece, to, piece taken

	// continuation holds a history for each move that may have been played some
	// plies earlier; none stands for no such move and remains zero.
	continuation [16][64]pieceTo
	none         pieceTo

	pawn [pawnHistories]pieceTo // by pawn structure

	corrections
}

// continuations are the distances in plies to the earlier moves that matter.
var continuations = [...]int{1, 2, 4, 6}

// continuationShare is the share of a bonus that goes to the i'th of them, in 1/1024.
func continuationShare(i int) int {
	return [len(continuations)]int{continuationOne, continuationTwo, continuationFour, continuationSix}[i]
}

// reset forgets everything. Helpers start with a little noise, so that they try
// moves of which nothing is known in an order of their own.
func (h *histories) reset(id int) {
	*h = histories{}
	if id == 0 {
		return
	}
	rng := rand.New(rand.NewPCG(uint64(id), 0))
	for side := range h.quiet {
		for from := range 64 {
			for to := range 64 {
				noise := int16(rng.IntN(2*historyNoise+1) - historyNoise)
				for attacked := range 4 {
					h.quiet[side][attacked>>1][attacked&1][from][to] = noise
				}
			}
		}
	}
}

// newSearch forgets what only concerns one root.
func (h *histories) newSearch() { h.lowPly = [lowPlies][64][64]int16{} }

// gravity moves h towards ±historyMax by bonus, the less the closer it is.
func gravity(h *int16, bonus int) { gravityWithin(h, bonus, historyMax) }

func gravityWithin(h *int16, bonus, limit int) {
	v := int(*h)
	*h = int16(v + bonus - v*abs(bonus)/limit)
}

// quietOf returns the history of the quiet move m of frame f by its squares and
// whether they are attacked.
func (h *histories) quietOf(f *frame, m chess.Move) *int16 {
	from, to := m.From(), m.To()
	return &h.quiet[f.pos.SideToMove()&1][f.threats.All>>from&1][f.threats.All>>to&1][from][to]
}

// captureOf returns the history of the capture or promotion m.
func (h *histories) captureOf(p *position.Position, m chess.Move) *int16 {
	return &h.capture[p.At(m.From())&15][m.To()][p.Captured(m)&7]
}

// pawnOf returns the histories that belong to the pawns of p.
func (h *histories) pawnOf(p *position.Position) *pieceTo {
	return &h.pawn[p.PawnKey()%pawnHistories]
}

// earlier returns the frame n plies before ply, or one before all games.
func (w *worker) earlier(ply, n int) *frame {
	if n > ply {
		return &w.beforeRoot
	}
	return &w.stack[ply-n]
}

// learn draws the lessons of a node searched to depth: best is its move that
// raised alpha or failed high, if there is one, and score what it came to.
func (w *worker) learn(ply, depth int, best chess.Move, score chess.Score) {
	f, prev := &w.stack[ply], w.earlier(ply, 1)
	switch {
	case best != chess.NoMove:
		w.learnCutoff(ply, best, depth)
		if prev.number == 1 && prev.move != chess.NoMove && !prev.pos.IsNoisy(prev.move) {
			w.learnContinuation(ply-1, prev.move, -historyMalus(depth)/2)
		}
	case prev.move == chess.NoMove:
	case prev.pos.IsNoisy(prev.move): // nothing helps against the opponent's last move
		gravity(w.captureOf(&prev.pos, prev.move), historyBonus(depth)/2)
	default:
		permille := refutedPermille(depth, prev.number, f.static-score, -prev.static-score, f.pos.InCheck())
		bonus := historyBonus(depth) * permille / 1000
		w.learnContinuation(ply-1, prev.move, bonus)
		gravity(w.quietOf(prev, prev.move), bonus/2)
		gravity(w.pawnOf(&prev.pos).at(&prev.pos, prev.move), bonus)
	}
}

// learnTableCutoff rewards the quiet move with which the table cuts the node at
// ply, and blames the opponent's last move if it was among the first.
func (w *worker) learnTableCutoff(ply int, m chess.Move, depth int) {
	f, prev := &w.stack[ply], w.earlier(ply, 1)
	f.threats = f.pos.Threats()
	w.learnQuiet(ply, m, historyBonus(depth))
	if prev.number <= tableCutMoves && prev.move != chess.NoMove && !prev.pos.IsNoisy(prev.move) {
		w.learnContinuation(ply-1, prev.move, -historyMalus(depth))
	}
}

// learnCutoff remembers the move that was best at ply, one that failed high or
// raised alpha, and blames those tried before it.
func (w *worker) learnCutoff(ply int, best chess.Move, depth int) {
	f := &w.stack[ply]
	p := &f.pos
	bonus, malus := historyBonus(depth), historyMalus(depth)
	for _, m := range f.noisies.moves[:f.noisies.n] {
		gravity(w.captureOf(p, m), -malus)
	}
	if p.IsNoisy(best) {
		gravity(w.captureOf(p, best), bonus)
	} else {
		w.learnQuiet(ply, best, bonus)
		for _, m := range f.quiets.moves[:f.quiets.n] {
			w.learnQuiet(ply, m, -malus)
			malus -= malus * malusDecay / 1024 // the later, the less it was expected to be best
		}
	}
}

// learnQuiet adds bonus to all histories of the quiet move m at ply.
func (w *worker) learnQuiet(ply int, m chess.Move, bonus int) {
	f := &w.stack[ply]
	p := &f.pos
	gravity(w.quietOf(f, m), bonus)
	gravity(w.pawnOf(p).at(p, m), bonus)
	if ply < lowPlies {
		gravity(&w.lowPly[ply][m.From()][m.To()], bonus)
	}
	w.learnContinuation(ply, m, bonus)
}

// learnContinuation adds bonus to the histories of m after the earlier moves.
func (w *worker) learnContinuation(ply int, m chess.Move, bonus int) {
	p := &w.stack[ply].pos
	for i, n := range continuations {
		if before := w.earlier(ply, n); before.move != chess.NoMove {
			gravity(before.continuation.at(p, m), bonus*continuationShare(i)/1024)
		}
	}
}

// statistics returns what is known of the move m at ply.
func (w *worker) statistics(ply int, m chess.Move, quiet bool) int {
	if quiet {
		return w.quietStatistics(ply, m)
	}
	return int(*w.captureOf(&w.stack[ply].pos, m))
}

// quietStatistics returns what is known of the quiet move m at ply, by four
// histories.
func (w *worker) quietStatistics(ply int, m chess.Move) int {
	f := &w.stack[ply]
	return int(*w.quietOf(f, m))*statisticsQuiet/1024 + w.continuationStatistics(ply, m) +
		int(*w.pawnOf(&f.pos).at(&f.pos, m))*statisticsPawn/1024
}

// continuationStatistics returns what is known of m after the last two moves.
func (w *worker) continuationStatistics(ply int, m chess.Move) int {
	p := &w.stack[ply].pos
	return int(*w.earlier(ply, 1).continuation.at(p, m)) + int(*w.earlier(ply, 2).continuation.at(p, m))
}
