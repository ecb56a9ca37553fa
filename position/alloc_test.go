package position_test

import (
	"testing"

	"skein/chess"
	"skein/position"
)

// TestAllocations makes moves and asks for what is computed of a position.
func TestAllocations(t *testing.T) {
	p := parse(t, "r3k2r/pppq1ppp/2n2n2/2b1pb2/2BPPB2/2N2N2/PPPQ1PPP/R3K2R w KQkq - 0 1", false)
	exchange := chess.NewMove(chess.D4, chess.E5)
	if n := testing.AllocsPerRun(10, func() {
		var next position.Position
		var d position.Delta
		p.Do(exchange, &next, &d)
		if after := p.After(exchange); after != next || after.Key() != p.KeyAfter(exchange) {
			t.Fatal("Do and After differ")
		}
		null := p.After(chess.NoMove)
		p.DoNull(&next)
		if null != next || null.Validate() != nil {
			t.Fatal("DoNull and After differ")
		}
		checks, threats := p.Checks(), p.Threats()
		if checks.Gives(&p, exchange) || threats.ByLesser(chess.Queen) == 0 || p.InsufficientMaterial() {
			t.Fatal(&p)
		}
		if !p.SEE(exchange, 0) || p.AttackersTo(chess.E5, p.Occupied()).Count() != 4 {
			t.Fatal(&p)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
