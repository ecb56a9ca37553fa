package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"skein/chess"
	"skein/movegen"
)

// disturb fills the histories with random values, so that move orders differ.
func disturb(w *worker, rng *rand.Rand) {
	for from := range 64 {
		for to := range 64 {
			for i := range 8 {
				w.quiet[i>>2][i>>1&1][i&1][from][to] = int16(rng.IntN(2*historyMax) - historyMax)
			}
		}
	}
	for piece := range w.capture {
		for to := range w.capture[piece] {
			for taken := range w.capture[piece][to] {
				w.capture[piece][to][taken] = int16(rng.IntN(2*historyMax) - historyMax)
			}
		}
	}
}

// drain returns the remaining moves of a picker.
func drain(mp *movePicker) (moves []chess.Move) {
	for m := mp.pick(); m != chess.NoMove; m = mp.pick() {
		moves = append(moves, m)
	}
	return moves
}

// TestPicker expects every legal move once, the table move first, with any
// histories; the captures and promotions above their thresholds after resetNoisy;
// and no quiet move after skipQuiets.
func TestPicker(t *testing.T) {
	e := newEngine(t, 1, 1)
	w := e.run.workers[0]
	rng := rand.New(rand.NewPCG(5, 6))
	for _, fen := range varied {
		g := newGame(t, fen)
		w.prepare(g)
		disturb(w, rng)
		w.stack[0].checks, w.stack[0].threats = g.Pos.Checks(), g.Pos.Threats()
		legal := movegen.Legal(&g.Pos)
		mp := &w.stack[0].picker
		for _, tableMove := range append(legal, chess.NoMove) {
			mp.reset(w, 0, tableMove)
			got := drain(mp)
			if tableMove != chess.NoMove && got[0] != tableMove {
				t.Errorf("%s: %s is not first", fen, tableMove)
			}
			slices.Sort(got)
			if want := slices.Sorted(slices.Values(legal)); !slices.Equal(got, want) {
				t.Errorf("%s: picked %v, legal are %v", fen, got, want)
			}

		}

		mp.resetNoisy(w, 0, chess.NoMove, 100)
		got := drain(mp)
		slices.Sort(got)
		want := slices.DeleteFunc(slices.Sorted(slices.Values(legal)), func(m chess.Move) bool {
			return !g.Pos.IsNoisy(m) || !g.Pos.SEE(m, 100-int(*w.captureOf(&g.Pos, m))/exchangeHistory)
		})
		if !slices.Equal(got, want) {
			t.Errorf("%s: picked the captures %v, want %v", fen, got, want)
		}

		mp.reset(w, 0, chess.NoMove)
		mp.skipQuiets()
		noisy := slices.DeleteFunc(slices.Clone(legal), func(m chess.Move) bool { return !g.Pos.IsNoisy(m) })
		quiet := func(m chess.Move) bool { return !g.Pos.IsNoisy(m) }
		if got := drain(mp); len(got) != len(noisy) || slices.ContainsFunc(got, quiet) {
			t.Errorf("%s: without quiet moves %v, want %v", fen, got, noisy)
		}
	}
}

// TestCanRepeat plays random lines after random games and compares canRepeat with
// making every move.
func TestCanRepeat(t *testing.T) {
	e := newEngine(t, 1, 1)
	w := e.run.workers[0]
	rng := rand.New(rand.NewPCG(7, 8))
	fens := []string{kiwipete, "8/8/8/4k3/8/8/4K2R/8 w - - 6 120", "6k1/5ppp/8/8/8/2n5/5PPP/1R4K1 w - - 0 1"}
	// choose returns a random move, often the reverse of the one two plies before.
	choose := func(legal []chess.Move, played []chess.Move) chess.Move {
		if n := len(played); n >= 2 && rng.IntN(2) == 0 {
			last := played[n-2]
			if back := chess.NewMove(last.To(), last.From()); slices.Contains(legal, back) {
				return back
			}
		}
		return legal[rng.IntN(len(legal))]
	}
	seen, inGame := 0, 0
	for range 300 {
		g := newGame(t, fens[rng.IntN(len(fens))])
		var played []chess.Move
		for range rng.IntN(16) {
			legal := movegen.Legal(&g.Pos)
			if len(legal) == 0 {
				break
			}
			played = append(played, choose(legal, played))
			g.Play(played[len(played)-1])
		}
		w.prepare(g)
		for ply := range 20 {
			pos := &w.stack[ply].pos
			w.nodes = 0 // so that no limit is looked at
			want, late := false, false
			legal := movegen.Legal(pos)
			for _, m := range legal {
				// A move repeats a position after the root, or for the second time.
				w.push(ply, m)
				key, times := w.stack[ply+1].pos.Key(), 0
				for back := 4; back <= w.stack[ply+1].reversible; back += 2 {
					if w.keys[w.gameKeys+ply+1-back] == key {
						times++
						late = late || back <= ply
						want = want || back <= ply || times == 2
					}
				}
				w.pop()
			}
			if got := w.canRepeat(ply); got != want {
				t.Fatalf("%s after %d plies, %s: %v", g.Pos.FEN(), ply, pos.FEN(), got)
			}
			if want {
				seen++
			}
			if want && !late {
				inGame++
			}
			if len(legal) == 0 {
				break
			}
			played = append(played, choose(legal, played))
			w.push(ply, played[len(played)-1])
		}
	}
	if seen < 100 || inGame < 20 {
		t.Errorf("only %d repetitions to see, %d of positions of the game alone", seen, inGame)
	}
}
