package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/internal/dataset"
	"skein/internal/record"
	"skein/internal/status"
	"skein/nets"
	"skein/nnue"
)

// labelled is a small file: piece values from White's view are 256, -1280, 0 and
// 832 units.
const labelled = `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 120 | 1.0
4k1r1/8/8/8/8/8/8/4K3 w - - 0 1 | -800 | 0.0
4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1 | 10 | 0.5
4k3/8/8/8/8/8/8/4KN2 b - - 0 1 | 0 | 0.5
`

func TestEval(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(file, []byte(labelled), 0o666); err != nil {
		t.Fatal(err)
	}
	seed := filepath.Join(t.TempDir(), "seed.nnue")
	if err := program.Run(t.Context(), []string{"seed", "-o", seed}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	net, err := nets.Load(seed)
	if err != nil {
		t.Fatal(err)
	}
	table := tableOf(t, net, file)
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x/200)) }
	var scoreLoss, wdlLoss, blended float64
	scores, points := []float64{120, -800, 10, 0}, []float64{1, 0, 0.5, 0.5}
	for i, value := range seedValues(t, net) {
		a, b := sigmoid(value)-sigmoid(scores[i]), sigmoid(value)-points[i]
		scoreLoss += a * a / 4
		wdlLoss += b * b / 4
		mix := sigmoid(value) - 0.7*sigmoid(scores[i]) - 0.3*points[i]
		blended += mix * mix / 4
	}
	var sum evalSums
	for i := range table.rows {
		sum.merge(&table.rows[i])
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	if sum.scored != 4 || !near(sum.scoreLoss/4, scoreLoss) || !near(sum.wdlLoss/4, wdlLoss) || !near(sum.blended(0.3), blended) {
		t.Errorf("%v: %g %g %g instead of %g %g %g", sum.scored, sum.scoreLoss/4, sum.wdlLoss/4, sum.blended(0.3), scoreLoss, wdlLoss, blended)
	}
	if table.rows[0].scored != 4 {
		t.Error("positions of 3 and 4 men are in the wrong row")
	}

	var out strings.Builder
	if err := program.Run(t.Context(), []string{"eval", "-k", "200", seed, "--data", file, "-workers", "1"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if want := known("%.6f", wdlLoss); !strings.Contains(out.String(), want) || !strings.Contains(out.String(), "gen0") {
		t.Errorf("no %s in\n%s", want, out.String())
	}
}

// tableOf compares a network with the labels of a file.
func tableOf(t *testing.T, net *nnue.Network, file string) *evalTable {
	t.Helper()
	c := &evalConfig{nets: []*nnue.Network{net}, filter: new(record.Filter), scale: evalScale{200, 600}, scoreScale: 80}
	judges := make([]*judge, 2)
	for i := range judges {
		var err error
		if judges[i], err = newJudge(c); err != nil {
			t.Fatal(err)
		}
	}
	r, err := evaluateFile(t.Context(), c, judges, file, status.New(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	return &r.tables[0]
}

// seedValues are the values of the labelled positions from White's view.
func seedValues(t *testing.T, net *nnue.Network) (values []float64) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSpace(labelled), "\n") {
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
			t.Errorf("%s: %g instead of about %g", line, value, want)
		}
		values = append(values, value)
	}
	return values
}

func TestCorrelation(t *testing.T) {
	var sums evalSums
	for _, x := range []float64{-300, -100, 50, 100, 400} {
		sums.add(&dataset.Entry{Entry: record.Entry{Score: int16(-x / 2), Result: record.Draw}}, x, evalScale{400, 1000})
	}
	if r := correlation(sums.scored, sums.v, sums.s, sums.vv, sums.ss, sums.vs); math.Abs(r+1) > 1e-12 {
		t.Error("opposite scores correlate by", r)
	}
	// 1 2 3 against 1 3 2.
	if r := correlation(3, 6, 6, 14, 14, 13); math.Abs(r-0.5) > 1e-12 {
		t.Error("correlation", r)
	}
}

func TestEvalErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.txt")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "expected"},
		{[]string{""}, "expected"},
		{[]string{missing, "x.txt"}, missing},
		{[]string{"", missing}, missing},
		{[]string{"", missing, "-k", "0"}, "k"},
		{[]string{"", missing, "-wdl", "2"}, "wdl"},
		{[]string{"", missing, "-sample", "-1"}, "sample"},
		{[]string{"", missing, "-score-scale", "0"}, "score-scale"},
		{[]string{"", missing, "-nodes", "100,0"}, `"0" is no number of nodes`},
		{[]string{"", missing, "-nodes", "100", "-hash", "0"}, "hash"},
		{[]string{"", missing, "-sample", "5"}, missing},
		{[]string{"", "missing.nnue", missing}, "missing.nnue"},
	} {
		if err := program.Run(t.Context(), append([]string{"eval"}, test.args...), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("eval %q: error %v does not say %s", test.args, err, test.want)
		}
	}
}
