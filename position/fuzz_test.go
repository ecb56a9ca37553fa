package position_test

import (
	"errors"
	"slices"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// FuzzParse reads any string. What is refused is refused with a *FENError;
// what is accepted must be a sound position, survive being written and read,
// and so must all positions one move on.
func FuzzParse(f *testing.F) {
	for _, fen := range []string{
		position.StartFEN,
		"",
		"4k3/8/8/8/8/8/8/4K3",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"r3k2r/8/8/8/8/8/8/RR2K1RR w GBha - 0 1",
		"8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
		"8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1",
		"rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 149 9999",
		"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
		"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
		"4k3/8/8/8/7b/8/4r3/4K3 w - - 0 1",
		"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
	} {
		f.Add(fen, false)
		f.Add(fen, true)
	}
	f.Fuzz(func(t *testing.T, fen string, chess960 bool) {
		p, err := position.Parse(fen, chess960)
		if err != nil {
			var fenErr *position.FENError
			if !errors.As(err, &fenErr) || fenErr.Field == "" || fenErr.Reason == "" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		if err := invariants(&p); err != nil {
			t.Fatal(err)
		}
		checkRoundTrip(t, &p)
		if again, err := position.Parse(p.FEN(), chess960); err != nil || again != p {
			t.Fatalf("%s reads as %s in the same mode, error %v", p.FEN(), again.FEN(), err)
		}
		if err := checkNull(&p); err != nil {
			t.Fatal(err)
		}
		moves := movegen.Legal(&p)
		if n := movegen.Count(&p); n != len(moves) || movegen.Perft(&p, 1) != uint64(n) {
			t.Fatalf("%d moves counted, %d listed", n, len(moves))
		}
		for _, m := range moves {
			var next position.Position
			var d position.Delta
			p.Do(m, &next, &d)
			if err := checkDo(&p, &next, m, &d); err != nil {
				t.Fatalf("move %v: %v", m, err)
			}
		}
	})
}

// fuzzStarts are where FuzzWalk may begin.
var fuzzStarts = []string{
	position.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 140 90",
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
	"rkrnnqbb/p1ppp2p/Qp6/4Pp2/5p2/8/PPPP2PP/RKRNN1BB w CAca - 0 9",
	"r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
	"rbbqnkrn/pppppppp/8/8/8/8/PPPPPPPP/BNNBQRKR w HFga - 0 1",
	"q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
}

// FuzzWalk plays a game that the bytes choose, each of them a move or, at 255,
// the passing of one, and checks each step and position. Two further bytes a
// ply are some move or other that must be legal only if it is generated.
func FuzzWalk(f *testing.F) {
	f.Add([]byte{})
	for i := range fuzzStarts {
		f.Add(append([]byte{byte(i)},
			[]byte("walk this way, then that, and castle, promote and capture on the way")...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		p := parse(t, fuzzStarts[int(data[0])%len(fuzzStarts)], true)
		for data = data[1:]; len(data) >= 3; data = data[3:] {
			moves := movegen.Legal(&p)
			code := chess.Move(data[1]) | chess.Move(data[2])<<8
			if movegen.IsLegal(&p, code) != slices.Contains(moves, code) {
				t.Fatalf("%s: IsLegal(%v, %#04x) = %v", p.FEN(), code, uint16(code), movegen.IsLegal(&p, code))
			}
			if err := checkNull(&p); err != nil {
				t.Fatalf("%s: %v", p.FEN(), err)
			}
			if len(moves) == 0 {
				return
			}
			var next position.Position
			if data[0] == 255 && !p.InCheck() {
				p.DoNull(&next)
				p = next
				continue
			}
			m := moves[int(data[0])%len(moves)]
			if !movegen.IsLegal(&p, m) {
				t.Fatalf("%s: generated %v is not legal", p.FEN(), m)
			}
			var d position.Delta
			p.Do(m, &next, &d)
			if err := checkDo(&p, &next, m, &d); err != nil {
				t.Fatalf("%s, move %v: %v", p.FEN(), m, err)
			}
			p = next
		}
	})
}
