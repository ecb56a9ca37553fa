package search

import (
	"math/rand/v2"

	"skein/chess"
	"skein/position"
)

const (
	// historyNoise is the largest initial history value of helper threads.
	historyNoise = 50

	// lowPlies is the number of plies from the root with histories of their
	// own.
	lowPlies = 4

	pawnHistories = 512
)

// pieceTo is a history by moving piece and target square, at pieceToIndex.
type pieceTo [16 * 64]int16

// at returns the value of m in position p.
func (h *pieceTo) at(p *position.Position, m chess.Move) *int16 {
	return &h[pieceToIndex(p.At(m.From()), m.To())]
}

// pieceToIndex returns the index of a piece's moves to a square.
func pieceToIndex(piece chess.Piece, to chess.Square) uint { return uint(piece&15)*64 + uint(to&63) }

// histories are a worker's statistics of moves, kept between the searches of
// one game. Values are within ±historyMax.
type histories struct {
	quiet   [2][2][2][64][64]int16  // by side, from attacked, to attacked, from, to
	lowPly  [lowPlies][64][64]int16 // by ply, from, to
	capture [16][64][8]int16        // by moving piece, to, captured piece type

	// continuation holds a history for each move played some plies earlier;
	// none is used if there is no such move, and stays zero.
	continuation [16][64]pieceTo
	none         pieceTo

	pawn [pawnHistories]pieceTo // by pawn structure

	corrections
}

// continuations are the distances, in plies, of the earlier moves in the
// continuation histories. scoreQuiets has them unrolled.
var continuations = [...]int{1, 2, 4, 6}

// continuationShare returns the share, in 1/1024, of a bonus that is added to
// the i'th of them, from 0.
func continuationShare(i int) int {
	return [len(continuations)]int{continuationOne, continuationTwo, continuationFour, continuationSix}[i]
}

// reset clears all histories. Those of helper threads start with some noise, so
// that their move order differs.
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

// newSearch clears the histories that are valid only for one root.
func (h *histories) newSearch() { h.lowPly = [lowPlies][64][64]int16{} }

// gravity adds bonus to h, less the closer h is to ±historyMax in that
// direction.
func gravity(h *int16, bonus int) { gravityWithin(h, bonus, historyMax) }

func gravityWithin(h *int16, bonus, limit int) {
	v := int(*h)
	*h = int16(v + bonus - v*abs(bonus)/limit)
}

// quietOf returns the quiet history of the move m in frame f, by its squares
// and whether they are attacked.
func (h *histories) quietOf(f *frame, m chess.Move) *int16 {
	from, to := m.From(), m.To()
	return &h.quiet[f.pos.SideToMove()&1][f.threats.All>>from&1][f.threats.All>>to&1][from][to]
}

// captureOf returns the capture history of the capture or promotion m in p. That of
// underpromotions is where that of captured kings would be.
func (h *histories) captureOf(p *position.Position, m chess.Move) *int16 {
	captured := p.Captured(m)
	if m.IsPromotion() && m.Promotion() != chess.Queen {
		captured = chess.King
	}
	return &h.capture[p.At(m.From())&15][m.To()][captured&7]
}

// pawnOf returns the histories of quiet moves for the pawn structure of p.
func (h *histories) pawnOf(p *position.Position) *pieceTo {
	return &h.pawn[p.PawnKey()%pawnHistories]
}

// earlier returns the frame n plies before ply, w.beforeRoot if that is before
// the root.
func (w *worker) earlier(ply, n int) *frame {
	if n > ply {
		return &w.beforeRoot
	}
	return &w.stack[ply-n]
}

// learn updates the histories after the node at ply was searched to depth: best
// is the move that raised alpha or failed high, NoMove if there was none, score
// the score of the node.
func (w *worker) learn(ply, depth int, best chess.Move, score chess.Score) {
	f, prev := &w.stack[ply], w.earlier(ply, 1)
	switch {
	case best != chess.NoMove:
		w.learnCutoff(ply, best, depth)
		if prev.number == 1 && prev.move != chess.NoMove && !prev.pos.IsNoisy(prev.move) {
			w.learnContinuation(ply-1, prev.move, -historyMalus(depth)/2)
		}
	case prev.move == chess.NoMove:
	case prev.pos.IsNoisy(prev.move): // the opponent's last move was a capture, and all replies failed low
		gravity(w.captureOf(&prev.pos, prev.move), historyBonus(depth)/2)
	default:
		permille := refutedPermille(depth, prev.number, f.static-score, -prev.static-score, f.pos.InCheck())
		bonus := historyBonus(depth) * permille / 1000
		w.learnContinuation(ply-1, prev.move, bonus)
		gravity(w.quietOf(prev, prev.move), bonus/2)
		gravity(w.pawnOf(&prev.pos).at(&prev.pos, prev.move), bonus)
	}
}

// learnTableCutoff updates the histories after a table cutoff at ply: the quiet
// table move gains, and the opponent's last move loses if it was among the
// first tried.
func (w *worker) learnTableCutoff(ply int, m chess.Move, depth int) {
	f, prev := &w.stack[ply], w.earlier(ply, 1)
	f.threats = f.pos.Threats()
	w.learnQuiet(ply, m, historyBonus(depth))
	if prev.number <= tableCutMoves && prev.move != chess.NoMove && !prev.pos.IsNoisy(prev.move) {
		w.learnContinuation(ply-1, prev.move, -historyMalus(depth))
	}
}

// learnCutoff updates the histories after the move best failed high or raised
// alpha at ply: it gains, and the moves tried before it lose.
//
//go:noinline
func (w *worker) learnCutoff(ply int, best chess.Move, depth int) {
	// Not inlined, since copies crowd the instruction cache; see docs/search.md.
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
			malus -= malus * malusDecay / 1024 // later moves were less expected to be best
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
		if n > 2 && p.InCheck() {
			break // an evasion has little to do with what was planned before
		}
		if before := w.earlier(ply, n); before.move != chess.NoMove {
			gravity(before.continuation.at(p, m), bonus*continuationShare(i)/1024)
		}
	}
}

// moveHistory is what the histories say about one move: about captures and
// promotions only capture, about other moves the rest.
type moveHistory struct {
	capture      int
	quiet, pawn  int
	continuation int // sum of those after the last two moves
}

// historyOf returns the histories of the move m at ply.
func (w *worker) historyOf(ply int, m chess.Move, quiet bool) (h moveHistory) {
	f := &w.stack[ply]
	if !quiet {
		h.capture = int(*w.captureOf(&f.pos, m))
		return h
	}
	at := pieceToIndex(f.pos.At(m.From()), m.To())
	h.quiet, h.pawn = int(*w.quietOf(f, m)), int(w.pawnOf(&f.pos)[at])
	h.continuation = int(w.earlier(ply, 1).continuation[at]) + int(w.earlier(ply, 2).continuation[at])
	return h
}

// statistics returns the weighted sum of the histories of a quiet move that adjusts
// its reduction.
func (h moveHistory) statistics() int {
	return h.quiet*statisticsQuiet/1024 + h.continuation + h.pawn*statisticsPawn/1024
}
