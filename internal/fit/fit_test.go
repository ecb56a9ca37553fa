package fit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"skein/chess"
	"skein/internal/record"
	"skein/internal/status"
	"skein/internal/train"
	"skein/nets"
	"skein/nnue"
	"skein/position"
	"skein/search"
)

// synthetic returns a curve whose scores and results are predicted exactly by
// sigmoids with the given scales.
func synthetic(scoreScale, resultScale float64) curve {
	c := newCurve(1000)
	for i := range c {
		v, n := float64(i-1000), float64(1+i%7)
		p := record.ExpectedPoints(v, scoreScale)
		c[i] = curveCell{n, n * p, n * p * p, n, n * record.ExpectedPoints(v, resultScale)}
	}
	return c
}

func TestFitScale(t *testing.T) {
	for _, want := range []float64{7, 80, 123.4, 1000} {
		c := synthetic(want, 2*want)
		k, least := fitScale(c.squaredError)
		if math.Abs(k/want-1) > 1e-4 || least > 1e-9 {
			t.Errorf("scores: k %g, want %g, error %g", k, want, least)
		}
		if k, _ := fitScale(c.logLoss); math.Abs(k/(2*want)-1) > 1e-4 {
			t.Errorf("results: k %g, want %g", k, 2*want)
		}
	}
}

// TestFitByHand fits three wins and a loss at the value 100, and the opposite at
// -100: the sigmoid must be 3/4 at 100.
func TestFitByHand(t *testing.T) {
	c := newCurve(100)
	for i := range 4 {
		points := min(float64(i), 1)
		c.add(100, labels{points: points}, 0.5)
		c.add(-400, labels{points: 1 - points}, 0.5)
	}
	k, loss := fitScale(c.logLoss)
	if want := 100 / math.Log(3); math.Abs(k-want) > 1e-3 {
		t.Errorf("k %g, want %g", k, want)
	}
	if want := -0.75*math.Log(0.75) - 0.25*math.Log(0.25); math.Abs(loss-want) > 1e-9 {
		t.Errorf("loss %g, want %g", loss, want)
	}
	if got := c.squaredError(100 / math.Log(3)); math.Abs(got-1.0/16) > 1e-12 {
		t.Error("squared error", got)
	}
	draw := newCurve(10)
	draw.add(0, labels{points: 0.5}, 0.75)
	draw.add(5, labels{points: 1, noResult: true, noScore: true}, 1)
	if got := draw.logLoss(30); math.Abs(got-math.Ln2) > 1e-12 {
		t.Error("log loss of a draw", got)
	}
	if got := draw.squaredError(30); math.Abs(got-1.0/16) > 1e-12 {
		t.Error("squared error of a draw", got)
	}
}

// TestFitNothing fits labels for which no scale is best.
func TestFitNothing(t *testing.T) {
	empty, constant, certain, opposite := newCurve(9), newCurve(9), newCurve(9), newCurve(9)
	constant.add(0, labels{points: 1}, 1)
	for _, v := range []int{-5, 5} {
		certain.add(v, labels{points: float64(v+5) / 10}, float64(v+5)/10)
		opposite.add(-v, labels{points: float64(v+5) / 10}, float64(v+5)/10)
	}
	for name, c := range map[string]curve{
		"empty": empty, "constant": constant, "certain": certain, "opposite": opposite,
	} {
		for _, loss := range []func(float64) float64{c.logLoss, c.squaredError} {
			if k, least := fitScale(loss); !math.IsNaN(k) || math.IsNaN(least) != (name == "empty") {
				t.Errorf("%s: k %g, loss %g", name, k, least)
			}
		}
	}
}

// lines returns n different positions with labels: White has a pawn, a knight or a
// bishop, Black up to four pawns. The side with more material usually wins.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		rank := strings.Trim(fmt.Sprintf("%d%c%d", i%8, "PNB"[i%3], 7-i%8), "0")
		score := []int{100, 300, 320}[i%3] - 90*(i%5) + i
		result := "0.5"
		switch {
		case i%4 == 0:
		case score > 50 != (i%11 == 0):
			result = "1.0"
		default:
			result = "0.0"
		}
		fmt.Fprintf(&b, "4k3/%s%d/8/8/8/%s/8/4K3 w - - 0 %d | %d | %s | an engine\n",
			strings.Repeat("p", i%5), 8-i%5, rank, i+1, score, result)
	}
	return b.String()
}

// labeledFile writes a file of n positions.
func labeledFile(t *testing.T, n int) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(file, []byte(lines(n)), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// moveNumbers samples a file of lines and returns the move numbers of the
// positions, which identify them.
func moveNumbers(t *testing.T, file string, n int, seed uint64, workers int) (numbers []int) {
	t.Helper()
	c := &Config{Sample: n, Seed: seed, Workers: workers}
	drawn, err := sample(t.Context(), c, file, status.New(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	for i := range drawn {
		fen := drawn[i].Position.FEN()
		number, err := strconv.Atoi(fen[strings.LastIndex(fen, " ")+1:])
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, number)
	}
	return numbers
}

func TestSample(t *testing.T) {
	file := labeledFile(t, 100)
	ten, twenty := moveNumbers(t, file, 10, 5, 1), moveNumbers(t, file, 20, 5, 2)
	if again := moveNumbers(t, file, 10, 5, 3); len(ten) != 10 || !slices.Equal(ten, again) {
		t.Errorf("%v and %v with the same seed", ten, again)
	}
	for _, n := range ten {
		if !slices.Contains(twenty, n) {
			t.Errorf("%d is in the smaller sample only", n)
		}
	}
	if !slices.IsSorted(twenty) || len(slices.Compact(twenty)) != 20 {
		t.Error("not in the order of the file:", twenty)
	}
	if other := moveNumbers(t, file, 10, 6, 1); slices.Equal(ten, other) {
		t.Error("another seed draws the same positions")
	}
	if all := moveNumbers(t, file, 1000, 5, 1); len(all) != 100 {
		t.Error(len(all), "of 100 positions")
	}
	var drawn [101]int
	for seed := range uint64(200) {
		for _, n := range moveNumbers(t, file, 10, seed, 1) {
			drawn[n]++
		}
	}
	for n, times := range drawn[1:] {
		if times < 5 || times > 40 { // 20 are expected, with a deviation of 4.2
			t.Errorf("position %d is drawn %d times of 200", n+1, times)
		}
	}
}

// bruteForce returns the least error and log loss of a network's values over a fine
// grid of scales.
func bruteForce(t *testing.T, net *nnue.Network, text string, scoreScale float64) (leastSquares, leastLoss float64) {
	t.Helper()
	leastSquares, leastLoss = math.Inf(1), math.Inf(1)
	stack := nnue.NewStack(net, 0)
	for k := 100.0; k < 5000; k *= 1.005 {
		squares, loss, n := 0.0, 0.0, 0.0
		for line := range strings.Lines(text) {
			e, err := record.ParseEntry(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			stack.Reset(&e.Position)
			p := record.ExpectedPoints(float64(stack.Evaluate(&e.Position)), k)
			points := float64(e.Result.HalfPoints()) / 2
			d := p - record.ExpectedPoints(float64(e.Score), scoreScale)
			squares += d * d
			loss -= points*math.Log(p) + (1-points)*math.Log(1-p)
			n++
		}
		leastSquares, leastLoss = min(leastSquares, squares/n), min(leastLoss, loss/n)
	}
	return leastSquares, leastLoss
}

// TestEvaluator searches positions with mates in one, whose scores are clipped.
func TestEvaluator(t *testing.T) {
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	c := &Config{Nets: []*nnue.Network{net}, Nodes: []uint64{2000}, Hash: 1, Clip: 500}
	v, err := newEvaluator(c)
	if err != nil {
		t.Fatal(err)
	}
	defer v.close()
	for fen, sign := range map[string]int{
		"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1": 1,
		"r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1": -1,
	} {
		p, err := position.Parse(fen, true)
		if err != nil {
			t.Fatal(err)
		}
		values := v.appendValues(t.Context(), nil, &p)
		if len(values) != 2 || sign*values[0] <= 0 || sign*values[1] != 31999 {
			t.Errorf("%s: %v", fen, values)
		}
		if black := p.SideToMove() == chess.Black; black != (sign < 0) {
			t.Error(fen)
		}
		curve := newCurve(c.Clip)
		curve.add(values[1], labels{}, 0)
		if at := (len(curve) - 1) * (sign + 1) / 2; curve[at].scored != 1 {
			t.Errorf("%s: the score of the mate is not clipped", fen)
		}
	}
}

// TestScaled compares scaled values and scores with those that are not.
func TestScaled(t *testing.T) {
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	p, err := position.Parse("r1bqkbnr/pppppppp/2n5/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 30 30", true)
	if err != nil {
		t.Fatal(err)
	}
	values := func(scaled bool) []int {
		v, err := newEvaluator(&Config{Nets: []*nnue.Network{net}, Scaled: scaled, Nodes: []uint64{500}, Hash: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer v.close()
		return v.appendValues(t.Context(), nil, &p)
	}
	plain, scaled := values(false), values(true)
	if want := -int(search.Scaled(chess.Score(-plain[0]), &p)); scaled[0] != want || want == plain[0] {
		t.Errorf("a value of %d is %d scaled, want %d", plain[0], scaled[0], want)
	}
	if want := -int(search.Unscaled(chess.Score(-scaled[1]), &p)); plain[1] != want {
		t.Errorf("a score of %d is %d unscaled, want %d", scaled[1], plain[1], want)
	}
}

// evaluated returns the output of an evaluation of a file.
func evaluated(t *testing.T, c Config, file string) string {
	t.Helper()
	e, err := NewEvaluation(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, err := e.File(t.Context(), file, status.New(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// seedNet returns the network of generation zero.
func seedNet(t *testing.T) *nnue.Network {
	t.Helper()
	net, err := train.Seed()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// testConfig returns settings to evaluate generation zero.
func testConfig(t *testing.T) Config {
	return Config{Nets: []*nnue.Network{seedNet(t)}, K: 200, Clip: 8000, ScoreScale: 200, Hash: 2, Workers: 2}
}

// TestEvaluation evaluates two networks and their searches, and compares the first
// with a fit by brute force.
func TestEvaluation(t *testing.T) {
	file, c := labeledFile(t, 96), testConfig(t)
	out := evaluated(t, c, file)
	squared, loss := bruteForce(t, c.Nets[0], lines(96), 200)
	want := fmt.Sprintf(`static +%.4f +\d+\.\d +%.4f +\d+\.\d\n`, squared, loss)
	if !regexp.MustCompile(want).MatchString(out) {
		t.Errorf("no %s in\n%s", want, out)
	}

	embedded, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	c.Nets, c.Nodes, c.Sample, c.Seed, c.Workers = append(c.Nets, embedded), []uint64{60, 300}, 40, 3, 1
	out = evaluated(t, c, file)
	c.Workers = 3
	if again := evaluated(t, c, file); again != out {
		t.Errorf("three workers print\n%sinstead of\n%s", again, out)
	}
	row := regexp.MustCompile(`(?m)^  gen\S+ \S+ +(static|60|300) +0\.\d{4} +\S+ +0\.\d{4} +\S+$`)
	rows := row.FindAllString(out, -1)
	if len(rows) != 6 || !strings.Contains(out, "fit to 40 positions") || !strings.Contains(out, "  scores ") {
		t.Errorf("%d rows in\n%s", len(rows), out)
	}
	c.Soft = true
	if soft := evaluated(t, c, file); soft == out || !strings.Contains(soft, " soft 300 ") {
		t.Error("soft limits make no difference")
	}
}

// TestEvaluationInterrupted cancels a search that would take years.
func TestEvaluationInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	c := testConfig(t)
	c.Nodes, c.Workers = []uint64{1e12}, 1
	e, err := NewEvaluation(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.File(ctx, labeledFile(t, 2), status.New(io.Discard)); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestConfig checks the errors of settings out of range.
func TestConfig(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"no network":          func(c *Config) { c.Nets = nil },
		"k NaN":               func(c *Config) { c.K = math.NaN() },
		"score scale -1":      func(c *Config) { c.ScoreScale = -1 },
		"clip 0":              func(c *Config) { c.Clip = 0 },
		"hash of 0 MiB":       func(c *Config) { c.Hash = 0 },
		"0 workers":           func(c *Config) { c.Workers = 0 },
		"share of the result": func(c *Config) { c.ResultShare = 1.1 },
		"sample of -1":        func(c *Config) { c.Sample = -1 },
	} {
		c := testConfig(t)
		change(&c)
		if _, err := NewEvaluation(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestSettings expects the share of the result and the filter to matter, and k not to change
// the fit.
func TestSettings(t *testing.T) {
	file, c := labeledFile(t, 40), testConfig(t)
	table, fitted, _ := strings.Cut(evaluated(t, c, file), "fit to")
	c.ResultShare = 0.5
	if other, _, _ := strings.Cut(evaluated(t, c, file), "fit to"); other == table {
		t.Error("the share of the result has no effect")
	}
	c.ResultShare, c.K = 0, 400
	if _, other, _ := strings.Cut(evaluated(t, c, file), "fit to"); other != fitted {
		t.Errorf("fit to%s\nwith another k\n%s", fitted, other)
	}
	games := filepath.Join(t.TempDir(), "x.pgn")
	if err := os.WriteFile(games, []byte("1. e4 {+0.30/8} e5 {+0.10/8} 1-0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c.Filter.MinMove = 2
	for sample := range 2 {
		c.Sample = sample
		e, err := NewEvaluation(c)
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.File(t.Context(), games, status.New(io.Discard))
		e.Close()
		if err == nil || !strings.Contains(err.Error(), "no positions") {
			t.Errorf("sample %d: %v", sample, err)
		}
	}
}
