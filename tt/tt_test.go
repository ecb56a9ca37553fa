package tt

import (
	"testing"

	"skein/chess"
)

func TestRoundTrip(t *testing.T) {
	table, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	e := Entry{Move: 0xffff, Score: -32768, Eval: 32767, Depth: MaxDepth, Bound: BoundExact, PV: true}
	const key chess.Key = 0x123456789abcdef0
	table.Store(key, e)
	if got, ok := table.Probe(key); !ok || got != e {
		t.Errorf("Probe = %+v, %v, want %+v", got, ok, e)
	}
}
