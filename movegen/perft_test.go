package movegen

import (
	"testing"

	"skein/position"
)

func TestX(t *testing.T) {
	p := position.Start()
	t.Log(Perft(&p, 6))
	k, err := position.Parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false)
	t.Log(Perft(&k, 5), err)
}
