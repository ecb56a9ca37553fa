package nnue_test

import (
	"math/rand/v2"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/nnue"
	"skein/position"
)

// TestDangers compares the bits of positions of random games with their definition. Each must occur.
func TestDangers(t *testing.T) {
	a := nnue.Architecture{Threats: true, Dangers: true}
	var met [2][nnue.DangerRows / 2]int
	r := rand.New(rand.NewPCG(7, 0))
	for game := range 200 {
		p := parse(t, starts[game%len(starts)])
		for range 80 {
			moves := movegen.Legal(&p)
			if len(moves) == 0 {
				break
			}
			checkDangers(t, &a, &p, &met)
			p = p.After(moves[r.IntN(len(moves))])
		}
	}
	for _, fen := range []string{
		"8/P7/8/8/8/8/6k1/4K3 w - - 0 1", "4k3/8/8/5P2/8/8/8/2K5 w - - 0 1", "8/8/3k4/8/5P2/8/8/K7 b - - 0 1",
	} {
		p := parse(t, fen)
		checkDangers(t, &a, &p, &met)
	}
	t.Log(met)
	for c := range met {
		for bit, n := range met[c] {
			if n == 0 {
				t.Errorf("bit %d of color %d never occurred", bit, c)
			}
		}
	}
}

func checkDangers(t *testing.T, a *nnue.Architecture, p *position.Position, met *[2][nnue.DangerRows / 2]int) {
	t.Helper()
	got := a.Threatened(p).Dangers
	for c := range chess.Color(2) {
		for bit := range met[c] {
			is := got>>(int(c)*len(met[c])+bit)&1 != 0
			if is {
				met[c][bit]++
			}
			if want := danger(p, c, bit); is != want {
				t.Fatalf("%s: bit %d of color %d is %t", p.FEN(), bit, c, is)
			}
		}
	}
}
