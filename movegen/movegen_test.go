package movegen

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/corpora"
	"skein/position"
)

func TestAllocations(t *testing.T) {
	p := position.Start()
	if n := testing.AllocsPerRun(10, func() {
		var list chess.MoveList
		Generate(&p, All, &list)
		for _, m := range list.Slice() {
			if next := p.After(m); Count(&next) == 0 || !IsLegal(&p, m) {
				t.Fatal(m)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestLegalMoves compares complete move lists with those of the corpora.
func TestLegalMoves(t *testing.T) {
	lines, err := corpora.Lines(corpora.Path("perft/legal-moves-dev.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		f := strings.Split(line.Text, "\t") // fen, mode, count, moves
		if len(f) != 4 {
			t.Fatalf("%s: %d fields", line.Where, len(f))
		}
		p, err := position.Parse(f[0], f[1] == "960")
		if err != nil {
			t.Errorf("%s: %v", line.Where, err)
			continue
		}
		var got []string
		for _, m := range Legal(&p) {
			got = append(got, uci(m, f[1] == "960"))
		}
		slices.Sort(got)
		want := strings.Fields(f[3])
		if n, _ := strconv.Atoi(f[2]); n != len(want) {
			t.Fatalf("%s: count is not that of the moves", line.Where)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s:\n got %v\nwant %v", line.Where, f[0], got, want)
		}
	}
}

// uci returns m in UCI notation, with castling as in standard chess or
// Chess960.
func uci(m chess.Move, chess960 bool) string {
	if m.IsCastling() && !chess960 {
		king, _ := m.CastlingTargets()
		return chess.NewMove(m.From(), king).String()
	}
	return m.String()
}

// sample returns every nth position of each perft suite and all positions after
// one move from it.
func sample(t *testing.T, n int) []position.Position {
	var sample []position.Position
	for _, file := range suites(t) {
		_, positions := rows(t, file)
		for i := 0; i < len(positions); i += n {
			p := positions[i]
			sample = append(sample, p)
			if moves := Legal(&p); len(moves) > 0 {
				sample = append(sample, p.After(moves[i%len(moves)]))
			}
		}
	}
	return sample
}

// special are positions with combinations of rare rules.
var special = []string{
	"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", // 218 moves
	"8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1",                    // en passant uncovers the rank
	"8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",                   // en passant takes the checker
	"8/2p5/8/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",              // en passant after one move
	"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",                       // mate
	"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",                       // stalemate
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",              // promotions
	"3rk3/2P1P3/8/8/8/8/8/4K3 w - - 0 1",                   // promotions by capture
	"r3k2r/8/8/8/8/8/8/RR2K1RR w GBha - 0 1",               // inner rooks
	"4k3/8/8/8/8/8/8/rR1K4 w B - 0 1",                      // the rook shields the king
	"4k3/8/8/8/8/8/8/1RK5 w B - 0 1",                       // the king does not move
	"4k3/8/8/8/8/8/8/5KR1 w G - 0 1",                       // king and rook change places
	"4k3/4r3/8/8/1b6/8/4R3/R3K2R w KQ - 0 1",               // check and pin
	"4k3/8/8/8/7b/8/4r3/4K3 w - - 0 1",                     // double check
}

// TestStages checks that Noisy and Quiet are a partition of All, that Count is
// its length, and that no move is generated twice.
func TestStages(t *testing.T) {
	for _, p := range varied(t, 1) {
		var all, noisy, quiet chess.MoveList
		Generate(&p, All, &all)
		Generate(&p, Noisy, &noisy)
		Generate(&p, Quiet, &quiet)
		if n := Count(&p); n != all.Len() {
			t.Errorf("%s: Count = %d, want %d", p.FEN(), n, all.Len())
		}
		for _, m := range noisy.Slice() {
			if !p.IsNoisy(m) {
				t.Errorf("%s: noisy move %v is quiet", p.FEN(), m)
			}
		}
		for _, m := range quiet.Slice() {
			if p.IsNoisy(m) {
				t.Errorf("%s: quiet move %v is noisy", p.FEN(), m)
			}
		}
		parts := append(slices.Clone(noisy.Slice()), quiet.Slice()...)
		whole := slices.Clone(all.Slice())
		slices.Sort(parts)
		slices.Sort(whole)
		if !slices.Equal(parts, whole) {
			t.Errorf("%s: noisy and quiet moves are %v, all are %v", p.FEN(), parts, whole)
		}
		if len(slices.Compact(whole)) != all.Len() {
			t.Errorf("%s: a move comes twice: %v", p.FEN(), all.Slice())
		}
	}
}

// varied returns the special positions and those of sample.
func varied(t *testing.T, n int) []position.Position {
	t.Helper()
	positions := sample(t, n)
	for _, fen := range special {
		p, err := position.Parse(fen, true)
		if err != nil {
			t.Fatalf("%s: %v", fen, err)
		}
		positions = append(positions, p)
	}
	return positions
}

// TestIsLegal calls IsLegal with every 16-bit code, in several hundred
// positions.
func TestIsLegal(t *testing.T) {
	var legal [1 << 16]bool
	for _, p := range varied(t, 4) {
		if t.Failed() {
			return // one message per position
		}
		moves := Legal(&p)
		for _, m := range moves {
			legal[m] = true
		}
		for code := range legal {
			if m := chess.Move(code); IsLegal(&p, m) != legal[code] {
				t.Errorf("%s: IsLegal(%v, code %#04x) = %v", p.FEN(), m, code, !legal[code])
			}
		}
		for _, m := range moves {
			legal[m] = false
		}
	}
}
