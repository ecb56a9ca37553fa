package syzygy_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
	"skein/position"
	"skein/syzygy"
)

func TestFinal(t *testing.T) {
	for w, want := range map[syzygy.WDL]syzygy.WDL{
		syzygy.Loss: syzygy.Loss, syzygy.BlessedLoss: syzygy.Loss, syzygy.Draw: syzygy.Draw,
		syzygy.CursedWin: syzygy.Win, syzygy.Win: syzygy.Win,
	} {
		if got := w.Final(); got != want {
			t.Errorf("%v is %v without the fifty-move rule, want %v", w, got, want)
		}
	}
}

// TestRefusals lists positions that are in no table.
func TestRefusals(t *testing.T) {
	tables := open(t)
	for _, test := range []struct {
		fen  string
		want error
	}{
		{"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", syzygy.ErrCastling},
		{"r3k3/8/8/8/8/8/8/4K3 w q - 0 1", syzygy.ErrCastling},
		{"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", nil},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", nil},
		{position.StartFEN, syzygy.ErrMen},
		{"4k3/8/8/8/8/8/8/K3R3 w - - 0 1", syzygy.ErrIllegal},
		{"8/8/8/8/8/8/8/kK1R4 b - - 0 1", syzygy.ErrIllegal},
		{"P3k3/8/8/8/8/8/8/4K3 w - - 0 1", syzygy.ErrIllegal},
		{"4k3/8/8/8/8/8/8/4K2p b - - 0 1", syzygy.ErrIllegal},
		{"4k3/pppp4/8/8/8/8/8/4K3 w - - 0 1", syzygy.ErrMen},
	} {
		p := parse(t, test.fen)
		_, err1 := tables.ProbeWDL(p)
		_, err2 := tables.ProbeDTZ(p)
		_, err3 := tables.Rank(position.NewGame(*p), true)
		for _, err := range []error{err1, err2, err3} {
			if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
				t.Errorf("%s: error %v, want %v", test.fen, err, test.want)
			}
		}
	}
}

// TestNone probes without tables.
func TestNone(t *testing.T) {
	p := parse(t, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
	for _, tables := range []*syzygy.Tables{nil, syzygy.Open("", nil)} {
		if wdl, dtz := tables.Count(); tables.Largest() != 0 || wdl != 0 || dtz != 0 {
			t.Errorf("%d, %d tables, largest %d", wdl, dtz, tables.Largest())
		}
		if _, err := tables.ProbeWDL(p); err != syzygy.ErrMen {
			t.Error(err)
		}
		if _, err := tables.Rank(position.NewGame(*p), true); err != syzygy.ErrMen {
			t.Error(err)
		}
		if err := errors.Join(tables.Verify(), tables.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestFolders finds tables in several folders, some of them no good.
func TestFolders(t *testing.T) {
	first := syzygy.CopyFiles(t, "KQvK.rtbw", "KRvK.rtbw", "KRvK.rtbz")
	second := syzygy.CopyFiles(t, "KQvK.rtbw", "KQvK.rtbz", "KRvKR.rtbw")
	for _, name := range []string{"KvKQ.rtbw", "KQvK.rtbw.bak", "KQQQQQQvK.rtbw", "readme", "kqvk.rtbw", "KBvK.rtbm"} {
		if err := os.WriteFile(filepath.Join(second, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	// In the first folder the table is of no use, and it is the first that counts.
	if err := os.Truncate(filepath.Join(first, "KQvK.rtbw"), 16); err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{first, "", nowhere, second}, string(filepath.ListSeparator))
	var reported []string
	tables := syzygy.Open(path, func(err error) { reported = append(reported, err.Error()) })
	defer tables.Close()
	if len(reported) != 1 || strings.Count(reported[0], nowhere) != 1 {
		t.Errorf("reported %q", reported)
	}
	if wdl, dtz := tables.Count(); wdl != 3 || dtz != 2 || tables.Largest() != 4 {
		t.Errorf("%d, %d tables, largest %d", wdl, dtz, tables.Largest())
	}
	if _, err := tables.ProbeWDL(parse(t, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")); err == nil ||
		!strings.Contains(err.Error(), first) {
		t.Errorf("error %v", err)
	}
	if v, err := tables.ProbeWDL(parse(t, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")); v != syzygy.Win || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	if err := tables.Close(); err != nil {
		t.Error(err)
	}
	if _, err := tables.ProbeWDL(parse(t, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")); !errors.Is(err, syzygy.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// TestConcurrent opens and probes the same tables from many goroutines.
func TestConcurrent(t *testing.T) {
	rows := rootRows(t)
	tables := open(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for _, row := range rows {
				p, err := position.Parse(row.FEN, false)
				if err != nil {
					t.Error(err)
					return
				}
				wdl, err1 := tables.ProbeWDL(&p)
				dtz, err2 := tables.ProbeDTZ(&p)
				if err1 != nil || err2 != nil || int(wdl) != row.WDL || dtz != row.DTZ {
					t.Errorf("%s: %d, %d, %v, %v", row.FEN, wdl, dtz, err1, err2)
				}
			}
		})
	}
	wait.Wait()
}

// TestNoAllocation probes, also in vain, without allocating.
func TestNoAllocation(t *testing.T) {
	tables := open(t)
	for _, fen := range []string{
		"8/8/8/8/8/7k/1P6/K7 w - - 0 1",
		"8/8/8/2pP4/8/2k5/8/K7 w - c6 0 1",
		"8/8/8/8/r7/2k5/8/K6B w - - 0 1",
		"8/8/8/8/pq6/2k5/8/K7 w - - 0 1", // perhaps without table
		position.StartFEN,
	} {
		p := parse(t, fen)
		if n := testing.AllocsPerRun(100, func() {
			_, _ = tables.ProbeWDL(p)
			_, _ = tables.ProbeDTZ(p)
		}); n > 0 {
			t.Errorf("%s: %v allocations", fen, n)
		}
	}
}

// TestEnPassant goes through all positions of a pawn each in which one can
// capture the other en passant: the value is that of the best move.
func TestEnPassant(t *testing.T) {
	tables := open(t)
	positions := 0
	for fen := range enPassantFENs {
		p, err := position.Parse(fen, false)
		if err != nil || p.EnPassant() == chess.NoSquare {
			continue // kings that touch, checks that cannot be, no legal capture
		}
		want := syzygy.Loss
		for _, m := range movegen.Legal(&p) {
			next := p.After(m)
			v, err := tables.ProbeWDL(&next)
			if err != nil {
				t.Fatal(err)
			}
			want = max(want, -v)
		}
		positions++
		if v, err := tables.ProbeWDL(&p); v != want || err != nil {
			t.Errorf("%s: %v, %v, want %v", fen, v, err, want)
		}
	}
	if positions < 10000 {
		t.Errorf("only %d positions", positions)
	}
}

// enPassantFENs yields FENs, many of them of impossible positions, in which
// Black's pawn has just passed White's.
func enPassantFENs(yield func(string) bool) {
	for file := range 8 {
		for _, other := range []int{file - 1, file + 1} {
			if other < 0 || other > 7 {
				continue
			}
			for kings := range 64 * 64 {
				var board [64]byte
				board[32+file], board[32+other] = 'P', 'p'
				white, black := kings/64, kings%64
				if white == black || board[white] != 0 || board[black] != 0 {
					continue
				}
				board[white], board[black] = 'K', 'k'
				if !yield(syzygy.BoardFEN(&board) + " w - " + chess.MakeSquare(other, 5).String() + " 0 1") {
					return
				}
			}
		}
	}
}

// TestRank ranks all moves as another prober sees them, and the value of a
// position is that of its best move, give or take a ply that tables round.
func TestRank(t *testing.T) {
	tables := open(t)
	for _, row := range rootRows(t) {
		p := parse(t, row.FEN)
		r, err := tables.Rank(position.NewGame(*p), true)
		if err != nil || !r.ByDTZ || len(r.Moves) != len(row.Moves) {
			t.Errorf("%s: %d moves of %d, by DTZ %v, %v", row.FEN, len(r.Moves), len(row.Moves), r.ByDTZ, err)
			continue
		}
		if len(r.Moves) == 0 {
			continue
		}
		if best := r.Moves[0]; int(best.WDL) != row.WDL || abs(best.DTZ-row.DTZ) > 1 && row.WDL >= 0 {
			t.Errorf("%s: WDL %d, DTZ %d, best move %+v", row.FEN, row.WDL, row.DTZ, best)
		}
		for _, want := range row.Moves {
			m, err := notation.ParseUCI(p, want.UCI)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(r.Moves, func(r syzygy.RootMove) bool { return r.Move == m })
			if i < 0 {
				t.Errorf("%s: %s is missing", row.FEN, want.UCI)
				continue
			}
			if got := r.Moves[i].WDL; int(got) != want.WDL {
				t.Errorf("%s %s: %d, want %d", row.FEN, want.UCI, got, want.WDL)
			}
			if got := r.Moves[i]; want.Mate && got.DTZ != 1 ||
				!want.Zeroing && !want.Mate && abs(got.DTZ) != abs(want.DTZ)+min(abs(want.DTZ), 1) {
				t.Errorf("%s %s: DTZ %d after %d", row.FEN, want.UCI, got.DTZ, want.DTZ)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

// play makes moves, written as in UCI.
func play(t *testing.T, fen string, moves ...string) *position.Game {
	t.Helper()
	g := position.NewGame(*parse(t, fen))
	for _, s := range moves {
		m, err := notation.ParseUCI(&g.Pos, s)
		if err != nil {
			t.Fatal(err)
		}
		g.Play(m)
	}
	return g
}

// TestFiftyMoves ranks with a clock that runs out.
func TestFiftyMoves(t *testing.T) {
	tables := open(t)
	const rook = "8/8/8/3k4/8/8/8/K6R w - - " // a win of 29 plies
	dtz, err := tables.ProbeDTZ(parse(t, rook+"0 1"))
	if dtz < 20 || dtz > 40 || err != nil {
		t.Fatal(dtz, err)
	}
	for clock, want := range map[string]syzygy.WDL{
		"0 1": syzygy.Win, "60 60": syzygy.Win, "99 60": syzygy.CursedWin,
		strconv.Itoa(100-dtz) + " 60": syzygy.Win, strconv.Itoa(101-dtz) + " 60": syzygy.CursedWin,
	} {
		g := play(t, rook+clock)
		r, err := tables.Rank(g, true)
		if err != nil || r.Moves[0].WDL != want {
			t.Errorf("clock %s: %+v, %v", clock, r.Moves[0], err)
		}
		// When time is short only the fastest way will do.
		shortest := slices.IndexFunc(r.Best(), func(m syzygy.RootMove) bool { return m.DTZ != r.Moves[0].DTZ }) < 0
		if shortest != (clock != "0 1") {
			t.Errorf("clock %s: best moves %+v", clock, r.Best())
		}
		if r, err = tables.Rank(g, false); err != nil || r.Moves[0].WDL != syzygy.Win {
			t.Errorf("clock %s without the rule: %+v, %v", clock, r.Moves[0], err)
		}
	}
	// A mate wins, whatever the clock, and so does a move that resets it.
	for fen, want := range map[string]string{
		"7k/8/5K2/8/8/8/8/6Q1 w - - 100 80":  "g1g7",
		"8/2K1P1k1/8/8/8/8/8/8 w - - 100 80": "e7e8q",
	} {
		r, err := tables.Rank(play(t, fen), true)
		if m := r.Moves[0]; err != nil || !r.ByDTZ || m.Move.String() != want || m.WDL != syzygy.Win {
			t.Errorf("%s: %+v, %v", fen, m, err)
		}
	}
	// A repetition asks for progress, too.
	once, err := tables.Rank(play(t, rook+"0 1", "h1h2", "d5d4", "h2h1", "d4d5"), true)
	if err != nil || len(once.Best()) > 4 || once.Moves[0].WDL != syzygy.Win {
		t.Errorf("after a repetition: %+v, %v", once.Best(), err)
	}
	for _, m := range once.Moves {
		if m.Move.String() == "h1h2" && m.WDL != syzygy.Win {
			t.Errorf("the second time: %+v", m)
		}
	}
	g := play(t, rook+"0 1", "h1h2", "d5d4", "h2h1", "d4d5", "h1h2", "d5d4", "h2h1", "d4d5")
	r, err := tables.Rank(g, true)
	if err != nil || len(r.Best()) > 4 || r.Moves[0].WDL != syzygy.Win {
		t.Errorf("after repetitions: %+v, %v", r.Best(), err)
	}
	for _, m := range r.Moves {
		if m.Move.String() == "h1h2" && m.WDL != syzygy.Draw {
			t.Errorf("the third time: %+v", m)
		}
	}
	// The loser's best move is one that draws by the rule, or comes nearest to it.
	const loser = "8/8/8/3k4/8/8/8/K6R b - - "
	if dtz, err = tables.ProbeDTZ(parse(t, loser+"0 1")); err != nil {
		t.Fatal(err)
	}
	for clock, want := range map[int]syzygy.WDL{
		90: syzygy.BlessedLoss, 101 + dtz: syzygy.BlessedLoss, 100 + dtz: syzygy.Loss,
	} {
		r, err := tables.Rank(play(t, loser+strconv.Itoa(clock)+" 60"), true)
		if err != nil || r.Moves[0].WDL != want || r.Moves[0].DTZ != dtz {
			t.Errorf("clock %d: %+v, %v, want %v in %d", clock, r.Moves[0], err, want, dtz)
		}
	}
}

// TestResistance ranks the moves of the losing side by distance when the fifty-move draw is
// in sight, the longest first.
func TestResistance(t *testing.T) {
	r, err := open(t).Rank(play(t, "8/8/8/3k4/8/8/8/K6R b - - 76 80"), true)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range r.Moves[1:] {
		before := r.Moves[i]
		if before.WDL == m.WDL && (before.DTZ > m.DTZ || before.DTZ != m.DTZ && before.Rank == m.Rank) {
			t.Errorf("%+v before %+v", before, m)
		}
	}
	if last := r.Moves[len(r.Moves)-1]; r.Moves[0].DTZ == last.DTZ {
		t.Errorf("all moves lose in %d", last.DTZ)
	}
}

// TestMateByMoves has a mate that the table does not have: it has Black to move.
func TestMateByMoves(t *testing.T) {
	tables := open(t)
	if dtz, err := tables.ProbeDTZ(parse(t, "k7/8/1K6/8/8/8/7R/1b6 w - - 0 1")); dtz != 1 || err != nil {
		t.Errorf("DTZ %d, %v, want 1", dtz, err)
	}
}

// TestRankUntil stops before the last move, with and without tables of distances.
func TestRankUntil(t *testing.T) {
	g := play(t, "8/4P3/8/8/8/2k5/8/K7 w - - 0 1")
	dir := syzygy.CopyFiles(t, "KQvK.rtbw", "KRvK.rtbw", "KBvK.rtbw", "KNvK.rtbw", "KPvK.rtbw")
	byWDL := syzygy.Open(dir, nil)
	defer byWDL.Close()
	for _, tables := range []*syzygy.Tables{open(t), byWDL} {
		left := len(movegen.Legal(&g.Pos)) - 1
		r, err := tables.RankUntil(g, true, func() bool { left--; return left < 0 })
		if !errors.Is(err, syzygy.ErrStopped) || len(r.Moves) != 0 {
			t.Errorf("%+v, error %v", r, err)
		}
	}
}

// TestRankByWDL has no tables of distances.
func TestRankByWDL(t *testing.T) {
	dir := syzygy.CopyFiles(t, "KQvK.rtbw", "KRvK.rtbw", "KBvK.rtbw", "KNvK.rtbw", "KPvK.rtbw")
	tables := syzygy.Open(dir, nil)
	defer tables.Close()
	const rook = "8/8/8/3k4/8/8/8/K6R w - - "
	for fen, want := range map[string]syzygy.WDL{
		rook + "99 60":                      syzygy.CursedWin,
		"8/8/8/3k4/8/8/8/K6R b - - 99 60":   syzygy.BlessedLoss,
		"7k/8/5K2/8/8/8/8/6Q1 w - - 100 80": syzygy.Win, // a mate
	} {
		if late, err := tables.Rank(play(t, fen), true); err != nil || late.ByDTZ || late.Moves[0].WDL != want {
			t.Errorf("%s, before the fifty-move draw: %+v, %v", fen, late, err)
		}
	}
	again, err := tables.Rank(play(t, rook+"0 1", "h1h2", "d5d4", "h2h1", "d4d5", "h1h2", "d5d4", "h2h1", "d4d5"), true)
	if err != nil || again.Moves[0].WDL != syzygy.Win {
		t.Errorf("after repetitions: %+v, %v", again, err)
	}
	for _, m := range again.Moves {
		if m.Move.String() == "h1h2" && m.WDL != syzygy.Draw {
			t.Errorf("the third time: %+v", m)
		}
	}
	r, err := tables.Rank(play(t, "8/4P3/8/8/8/2k5/8/K7 w - - 0 1"), true)
	if err != nil || r.ByDTZ || len(r.Best()) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, m := range r.Moves {
		if m.Rank != int(m.WDL) || m.DTZ != 0 {
			t.Errorf("%+v", m)
		}
	}
	last := r.Moves[len(r.Moves)-1]
	if r.Moves[0].WDL != syzygy.Win || last.WDL != syzygy.Draw {
		t.Errorf("from %+v to %+v", r.Moves[0], last)
	}
}
