package search

import (
	"math/rand/v2"

	"skein/chess"
	"skein/position"
)

const (
	// historyMax bounds every history value.
	historyMax = 16384

	// historyNoise is how much helpers differ at the start of a game.
	historyNoise = 50
)

// histories is what a worker has learned about moves, kept from search to
// search of one game.
type histories struct {
	quiet [2][64][64]int16 // by side, from, to
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
		for from := range h.quiet[side] {
			for to := range h.quiet[side][from] {
				h.quiet[side][from][to] = int16(rng.IntN(2*historyNoise+1) - historyNoise)
			}
		}
	}
}

// gravity moves h towards ±historyMax by bonus, the less the closer it is.
func gravity(h *int16, bonus int) {
	v := int(*h)
	*h = int16(v + bonus - v*abs(bonus)/historyMax)
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

// quietHistory returns how well the quiet move m has done, ±historyMax.
func (h *histories) quietHistory(p *position.Position, m chess.Move) int {
	return int(h.quiet[p.SideToMove()&1][m.From()][m.To()])
}

// updateQuiets rewards the quiet move that caused a cut-off and blames those
// tried before it.
func (h *histories) updateQuiets(p *position.Position, best chess.Move, tried []chess.Move, depth int) {
	table := &h.quiet[p.SideToMove()&1]
	bonus := historyBonus(depth)
	gravity(&table[best.From()][best.To()], bonus)
	for _, m := range tried {
		gravity(&table[m.From()][m.To()], -bonus)
	}
}
