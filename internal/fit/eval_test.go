package fit

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/internal/status"
	"skein/nnue"
	"skein/rules"
)

// labeled has four positions, whose piece values from White's point of view are
// 256, -1280, 0 and 832 units.
const labeled = `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 120 | 1.0
4k1r1/8/8/8/8/8/8/4K3 w - - 0 1 | -800 | 0.0
4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1 | 10 | 0.5
4k3/8/8/8/8/8/8/4KN2 b - - 0 1 | 0 | 0.5
`

// TestTable compares the losses of generation zero with those of direct formulas.
func TestTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(file, []byte(labeled), 0o666); err != nil {
		t.Fatal(err)
	}
	c := testConfig(t)
	e, err := NewEvaluation(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, err := e.File(t.Context(), file, status.New(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	var scoreLoss, wdlLoss, blended float64
	scores, points := []float64{120, -800, 10, 0}, []float64{1, 0, 0.5, 0.5}
	for i, value := range seedValues(t, c.Nets[0]) {
		expected := 1 / (1 + math.Exp(-value/200))
		scored := 1 / (1 + math.Exp(-scores[i]/200))
		a, b, mix := expected-scored, expected-points[i], expected-0.7*scored-0.3*points[i]
		scoreLoss, wdlLoss, blended = scoreLoss+a*a/4, wdlLoss+b*b/4, blended+mix*mix/4
	}
	var sum sums
	for i := range r.tables[0].rows {
		sum.merge(&r.tables[0].rows[i])
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	if sum.scored != 4 || !near(sum.scoreLoss/4, scoreLoss) || !near(sum.wdlLoss/4, wdlLoss) ||
		!near(sum.blended(0.3), blended) {
		t.Errorf("%v positions: %g %g %g, want %g %g %g", sum.scored,
			sum.scoreLoss/4, sum.wdlLoss/4, sum.blended(0.3), scoreLoss, wdlLoss, blended)
	}
	if unscored := (sums{decided: 2, wdlLoss: 1}); unscored.blended(1) != 0.5 {
		t.Errorf("with the results alone, %g", unscored.blended(1))
	}
	if undecided := (sums{scored: 2, scoreLoss: 1}); undecided.blended(0) != 0.5 {
		t.Errorf("with the scores alone, %g", undecided.blended(0))
	}
	if r.tables[0].rows[0].scored != 4 {
		t.Error("positions of 3 and 4 pieces are in the wrong row")
	}
	if want := known("%.6f", wdlLoss); !strings.Contains(evaluated(t, c, file), want) {
		t.Errorf("the loss %s is not printed", want)
	}
}

// TestBlended compares the blended loss, where some positions have only a score or only a
// result, with that of the position that has both.
func TestBlended(t *testing.T) {
	var all, one sums
	for _, e := range []dataset.Entry{
		{Entry: record.Entry{Score: 600, Result: rules.BlackWins}},
		{Entry: record.Entry{Score: 10, Result: rules.Draw}, NoResult: true},
		{Entry: record.Entry{Result: rules.Draw}, NoScore: true},
	} {
		all.add(&e, 20, scale{300, 1000})
		if !e.NoScore && !e.NoResult {
			one.add(&e, 20, scale{300, 1000})
		}
	}
	mix := record.ExpectedPoints(20, 300) - record.ExpectedPoints(600, 300)/2
	for _, s := range []sums{one, all} {
		if got := s.blended(0.5); math.Abs(got-mix*mix) > 1e-12 {
			t.Errorf("%g of %g positions, want %g", got, max(s.scored, s.decided), mix*mix)
		}
	}
}

// TestLabeled counts positions of which one has a score, one a result, one both and one neither.
func TestLabeled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.epd")
	text := ""
	for _, labels := range []string{"ce 100;", `c0 "1-0";`, `ce 50; c0 "1/2-1/2";`, ""} {
		text += "4k3/8/8/8/8/8/4P3/4K3 w - - " + labels + "\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := evaluated(t, testConfig(t), file); !strings.Contains(out, "  all              3 ") {
		t.Error(out)
	}
}

// TestTableOfDraws evaluates a position with a score of 0, to which no slope belongs.
func TestTableOfDraws(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(file, []byte("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 0 | 0.5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := evaluated(t, testConfig(t), file); !strings.Contains(out, "of 100 corresponds to a value of -\n") {
		t.Error(out)
	}
}

// seedValues returns the values of the labeled positions from White's point of view.
func seedValues(t *testing.T, net *nnue.Network) (values []float64) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSpace(labeled), "\n") {
		e, err := record.ParseEntry(line)
		if err != nil {
			t.Fatal(err)
		}
		s := nnue.NewStack(net, 0)
		s.Reset(&e.Position)
		value := float64(s.Evaluate(&e.Position))
		if e.Position.SideToMove() != 0 {
			value = -value
		}
		if want := []float64{256, -1280, 0, 832}[i]; math.Abs(value-want) > 30 {
			t.Errorf("%s: %g, want about %g", line, value, want)
		}
		values = append(values, value)
	}
	return values
}

func TestCorrelation(t *testing.T) {
	var sum sums
	for _, x := range []float64{-300, -100, 50, 100, 400} {
		e := dataset.Entry{Entry: record.Entry{Score: chess.Score(-x / 2), Result: rules.Draw}}
		sum.add(&e, x, scale{400, 1000})
	}
	if r := correlation(sum.scored, sum.v, sum.s, sum.vv, sum.ss, sum.vs); math.Abs(r+1) > 1e-12 {
		t.Error("correlation of opposite scores", r)
	}
	// The pairs (1, 1), (2, 3) and (3, 2).
	if r := correlation(3, 6, 6, 14, 14, 13); math.Abs(r-0.5) > 1e-12 {
		t.Error("correlation", r)
	}
}
