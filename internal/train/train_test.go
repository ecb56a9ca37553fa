package train

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"skein/chess"
	"skein/internal/record"
	"skein/movegen"
	"skein/nnue"
	"skein/position"
	"skein/rules"
)

// kingMap has four buckets.
var kingMap = [32]uint8{
	0, 0, 1, 1,
	2, 2, 2, 2,
	3, 3, 3, 3,
	3, 3, 3, 3,
	3, 3, 3, 3,
	3, 3, 3, 3,
	3, 3, 3, 3,
	3, 3, 3, 3,
}

var shapes = []nnue.Architecture{
	{Width: 16, KingBuckets: 1, OutputBuckets: 1, Scale: 400},
	{Width: 48, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 8, Scale: 400},
	{Width: 32, KingBuckets: 1, OutputBuckets: 5, Scale: 250},
	{Width: 128, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 1, Scale: 400},
	{Width: 32, KingBuckets: 1, Threats: true, OutputBuckets: 8, Scale: 400},
	{Width: 32, KingBuckets: 1, Threats: true, Dangers: true, OutputBuckets: 8, Scale: 400},
}

// headShapes are architectures with a head.
var headShapes = []nnue.Architecture{
	{Width: 64, KingBuckets: 1, OutputBuckets: 1, Scale: 400, Layers: [2]int{16, 32}},
	{Width: 128, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 8, Scale: 400, Layers: [2]int{16, 32}},
}

// entries returns n positions of random games, with the material balance as
// score and a random result.
func entries(t testing.TB, seed uint64, n int) []record.Entry {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	start, err := position.Parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true)
	if err != nil {
		t.Fatal(err)
	}
	var out []record.Entry
	p := start
	for len(out) < n {
		moves := movegen.Legal(&p)
		if len(moves) == 0 || p.Halfmoves() > 90 || p.Fullmoves() > 150 {
			p = start
			continue
		}
		var next position.Position
		var d position.Delta
		p.Do(moves[r.IntN(len(moves))], &next, &d)
		p = next
		e := record.Entry{Position: p, Result: rules.BlackWins + rules.Result(r.IntN(3))}
		for k, value := range pieceValues {
			kind := chess.PieceType(k)
			balance := p.PiecesOf(chess.White, kind).Count() - p.PiecesOf(chess.Black, kind).Count()
			e.Score += chess.Score(value * balance)
		}
		out = append(out, e)
	}
	return out
}

// pack returns the packed entries.
func pack(entries []record.Entry) []record.Packed {
	out := make([]record.Packed, len(entries))
	for i := range entries {
		out[i] = entries[i].Pack()
	}
	return out
}

// write writes a file of the entries and returns its name.
func write(t testing.TB, name string, entries []record.Entry) string {
	t.Helper()
	var data []byte
	for _, b := range pack(entries) {
		data = append(data, b[:]...)
	}
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// randomModel returns a model with random weights; in each layer some neurons
// are clipped at 0 and some at 1.
func randomModel(a nnue.Architecture, factorizers bool) *model {
	r := rand.New(rand.NewPCG(uint64(a.Width), 2))
	m := newModel(a, factorizers)
	for i := range m.parameters {
		m.parameters[i] = float32(0.5 * (2*r.Float64() - 1))
	}
	for i := range a.Width {
		m.parameters[i] += 0.5
	}
	for i := range m.parameters[m.shared:] {
		m.parameters[m.shared+i] *= 0.3 // of the largest sums, one table of another network can have all
	}
	for i := range m.parameters[m.dangers:m.first] {
		m.parameters[m.dangers+i] *= 2 * maxDanger
	}
	for i := range m.parameters[m.first:m.firstBias] {
		m.parameters[m.first+i] *= 8 / float32(math.Sqrt(float64(a.Width)))
	}
	m.foldAll()
	return m
}

// clip is the activation of neurons.
func clip(x float64) float64 { return math.Min(math.Max(x, 0), 1) }

// referenceLoss is a reference implementation of the loss that is minimized: the mean over the entries. It shares only
// the order of the parameters with the trainer.
func referenceLoss(c *Config, parameters []float64, entries []record.Entry, resultShare float64) float64 {
	a := &c.Architecture
	behind := parameters[a.Width+a.Rows()*a.Width:]
	var loss float64
	for i := range entries {
		p := &entries[i].Position
		bucket := a.OutputBucket(p.Occupied().Count())
		us, them := p.SideToMove(), p.SideToMove().Other()
		accumulators := slices.Concat(
			referenceAccumulator(c, parameters, p, us), referenceAccumulator(c, parameters, p, them))
		out := 0.0
		if a.Layers[0] > 0 {
			out = referenceHead(a, behind, accumulators, bucket)
		} else {
			out = behind[a.OutputBuckets*2*a.Width+bucket]
			for n, v := range accumulators {
				out += clip(v) * clip(v) * behind[2*bucket*a.Width+n]
			}
		}
		points := func(x float64) float64 { return 1 / (1 + math.Exp(-x/c.ScoreScale)) }
		score, result := float64(entries[i].Score), float64(entries[i].Result.HalfPoints())/2
		if us == chess.Black {
			score, result = -score, 1-result
		}
		target := resultShare*result + (1-resultShare)*points(score)
		d := math.Abs(points(out*float64(a.Scale)) - target)
		if c.Huber > 0 && d > c.Huber {
			loss += c.Huber * (2*d - c.Huber)
		} else {
			loss += d * d
		}
	}
	return loss / float64(len(entries))
}

// referenceAccumulator is the reference of an accumulator.
func referenceAccumulator(c *Config, parameters []float64, p *position.Position, color chess.Color) []float64 {
	a := &c.Architecture
	w := a.Width
	v := append([]float64{}, parameters[:w]...)
	tables := parameters[w:]
	shared := parameters[len(parameters)-referenceShared(c)*w:]
	king := p.King(color)
	threatened := a.Threatened(p)
	for s := chess.A1; s <= chess.H8; s++ {
		if p.At(s) == chess.NoPiece {
			continue
		}
		feature := nnue.FeatureIndex(color, king, p.At(s), s)
		table := a.KingBucket(color, king)
		if a.Threats {
			table *= 3
		}
		if threatened.Hanging.Has(s) {
			table++
		} else if threatened.ByLesser.Has(s) {
			table += 2
		}
		for n := range w {
			v[n] += tables[(768*table+feature)*w+n]
			for _, row := range referenceRelatives(c, table, feature) {
				v[n] += shared[row*w+n]
			}
		}
	}
	for row := range a.RowsOfDangers(color, threatened.Dangers) {
		for n := range w {
			v[n] += tables[row*w+n]
		}
	}
	return v
}

// referenceShared returns the number of rows of the factorizers.
func referenceShared(c *Config) int {
	rows := 0
	if c.Architecture.Tables() > 1 {
		rows = 768
	}
	if c.Factorizers {
		rows += c.Architecture.Tables() * 12 * (1 + 8 + 8)
	}
	return rows
}

// referenceRelatives returns the rows of the factorizers that are added to that of a feature.
func referenceRelatives(c *Config, table, feature int) []int {
	var rows []int
	start, tables := 0, c.Architecture.Tables()
	if tables > 1 {
		rows, start = append(rows, feature), 768
	}
	if !c.Factorizers {
		return rows
	}
	pieces := 12 * tables
	piece, square := 12*table+feature/64, chess.Square(feature%64)
	return append(rows, start+piece, start+pieces+8*piece+square.Rank(), start+9*pieces+8*piece+square.File())
}

// referenceHead is the reference of a head. parameters are those after the
// tables.
func referenceHead(a *nnue.Architecture, parameters, accumulators []float64, bucket int) float64 {
	take := func(n int) []float64 { // the part of the bucket in the next n for each bucket
		part := parameters[bucket*n:][:n]
		parameters = parameters[a.OutputBuckets*n:]
		return part
	}
	first, firstBias, second, secondBias, output := take(16*a.Width), take(16), take(32*32), take(32), take(32)
	out := parameters[bucket]
	half := a.Width / 2
	var inputs [32]float64
	for j := range 16 {
		sum := firstBias[j]
		for side := range 2 {
			for i := range half {
				n := side*a.Width + i
				sum += clip(accumulators[n]) * clip(accumulators[n+half]) * first[(side*half+i)*16+j]
			}
		}
		inputs[j], inputs[16+j] = clip(sum), math.Min(sum*sum, 1)*8128/8192
	}
	for k := range 32 {
		sum := secondBias[k]
		for j, x := range inputs {
			sum += x * second[j*32+k]
		}
		out += clip(sum) * output[k]
	}
	return out
}

// TestGradients compares the loss, if it is squared throughout, and the gradients
// of some parameters of every part with those of the reference.
func TestGradients(t *testing.T) {
	for i, a := range slices.Concat(shapes, headShapes) {
		c := Config{Architecture: a, ScoreScale: 350, Huber: float64(i%2) * 0.2, Factorizers: i%3 == 0}
		m := randomModel(a, c.Factorizers)
		positions := entries(t, 3, 20)
		const resultShare = 0.3
		parameters := make([]float64, len(m.parameters))
		for i, x := range m.parameters {
			parameters[i] = float64(x)
		}

		w, o := newWorker(m), c.objective(resultShare)
		w.evaluate(m, &o, pack(positions), 0, len(positions), 1/float64(len(positions)))
		if w.err != nil {
			t.Fatal(w.err)
		}
		want := referenceLoss(&c, parameters, positions, resultShare)
		if got := w.loss.Blended / float64(len(positions)); c.Huber == 0 && math.Abs(got-want) > 1e-5*want {
			t.Errorf("%v: loss %g instead of %g", a, got, want)
		}

		type group struct {
			name   string
			lo, hi int
		}
		groups := []group{
			{"bias", 0, m.tables}, {"tables", m.tables, m.dangers}, {"dangers", m.dangers, m.first},
			{"first", m.first, m.firstBias}, {"first bias", m.firstBias, m.second},
			{"second", m.second, m.secondBias}, {"second bias", m.secondBias, m.outputs},
			{"outputs", m.outputs, m.biases},
			{"output bias", m.biases, m.biases + a.OutputBuckets},
		}
		for i, f := range m.factorizers {
			groups = append(groups, group{fmt.Sprint("factorizer ", i), f.start, f.start + len(f.members)*m.Width})
		}
		gradients := slices.Concat(w.gradients, sharedGradients(m, w.gradients))
		for _, group := range groups {
			checkGradients(t, group.name, m, gradients, group.lo, group.hi, func(i int) float64 {
				const h = 1e-6
				old := parameters[i]
				parameters[i] = old + h
				above := referenceLoss(&c, parameters, positions, resultShare)
				parameters[i] = old - h
				below := referenceLoss(&c, parameters, positions, resultShare)
				parameters[i] = old
				return (above - below) / (2 * h)
			})
		}
	}
}

// sharedGradients returns the gradients of the factorizers that two workers compute, each of which found half of the
// gradients: after the first step, the first moments are in proportion to them.
func sharedGradients(m *model, gradients []float32) []float32 {
	o := newOptimizer(m)
	step := o.step(0, 0)
	half := make([]float32, len(gradients))
	for i, x := range gradients {
		half[i] = x / 2
	}
	for i := range 2 {
		o.updateFactorizers(m, [][]float32{half, half}, &step, i, 2)
	}
	out := make([]float32, len(m.parameters)-m.shared)
	for i, x := range o.first[m.shared:] {
		out[i] = x / (1 - beta1)
	}
	return out
}

// checkGradients compares gradients from lo to hi with slope: those that are
// not zero, and some that are.
func checkGradients(t *testing.T, name string, m *model, gradients []float32, lo, hi int, slope func(int) float64) {
	t.Helper()
	largest := 0.0
	for i := lo; i < hi; i++ {
		largest = max(largest, math.Abs(float64(gradients[i])))
	}
	if lo < hi && largest == 0 {
		t.Errorf("%v: %s: no gradients", m.Architecture, name)
		return
	}
	r := rand.New(rand.NewPCG(uint64(lo), 3))
	for zeros, others := 0, 0; lo < hi && (zeros < 3 || others < 12) && zeros+others < min(hi-lo, 100000); {
		i := lo + r.IntN(hi-lo)
		got := float64(gradients[i])
		if got == 0 {
			if zeros++; zeros > 3 {
				continue
			}
		} else if others++; others > 12 {
			continue
		}
		if want := slope(i); math.Abs(got-want) > 1e-3*largest {
			t.Errorf("%v: %s %d: gradient %g, finite difference %g", m.Architecture, name, i-lo, got, want)
		}
	}
}

// TestEngineAgrees expects the same values from integers and from the engine.
func TestEngineAgrees(t *testing.T) {
	positions := entries(t, 4, 4000)
	for _, a := range slices.Concat(shapes, headShapes) {
		p := randomModel(a, true).quantize()
		net, err := nnue.New(p)
		if err != nil {
			t.Fatal(err)
		}
		stack := nnue.NewStack(net, 0)
		integers := newIntegers(p)
		var s sample
		different := map[chess.Score]bool{}
		for i := range positions {
			b := positions[i].Pack()
			if err := s.decode(&a, &b); err != nil {
				t.Fatal(err)
			}
			stack.Reset(&positions[i].Position)
			value := integers.output(&s) * int64(p.Scale) / integers.unit()
			got := chess.Score(min(max(value, -int64(chess.MaxEval)), int64(chess.MaxEval)))
			want := stack.Evaluate(&positions[i].Position)
			if got != want {
				t.Fatalf("%v: %s: %d, the engine says %d", a, positions[i].Position.FEN(), got, want)
			}
			different[got] = true
		}
		if len(different) < 500 {
			t.Errorf("%v: only %d different values", a, len(different))
		}
	}
}

// testConfig returns the settings of a small run.
func testConfig(t testing.TB, a nnue.Architecture) Config {
	c := DefaultConfig()
	c.Name, c.Architecture = "test", a
	c.Data = []string{write(t, "a.bin", entries(t, 5, 9000)), write(t, "b.bin", entries(t, 6, 4001))}
	c.Validation = write(t, "validation.bin", entries(t, 7, 1000))
	c.Threads, c.Batch, c.Superbatch, c.Superbatches = 2, 256, 2500, 6
	c.ResultStart, c.ResultEnd = 0, 0.2
	c.Rate.Warmup = 5
	return c
}

func newTrainer(t testing.TB, c Config) *Trainer {
	t.Helper()
	trainer, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(trainer.Close)
	return trainer
}

func quiet(Progress) error { return nil }

// learnAll trains to the end of the run.
func learnAll(t testing.TB, trainer *Trainer) {
	t.Helper()
	for !trainer.Done() {
		if _, err := trainer.Learn(t.Context(), quiet); err != nil {
			t.Fatal(err)
		}
	}
}

// same compares the states of two trainers.
func same(t *testing.T, got, want *Trainer) {
	t.Helper()
	vectors := append(got.floats(), got.model.sums)
	for i, v := range append(want.floats(), want.model.sums) {
		for j, x := range v {
			if vectors[i][j] != x {
				t.Fatalf("vector %d, element %d: %g instead of %g", i, j, vectors[i][j], x)
			}
		}
	}
	if len(got.history) != len(want.history) {
		t.Fatalf("%d reports instead of %d", len(got.history), len(want.history))
	}
	for i, r := range want.history {
		mine := got.history[i]
		mine.PerSecond, r.PerSecond = 0, 0
		if mine != r {
			t.Errorf("report %+v instead of %+v", mine, r)
		}
	}
}

// TestStep checks the corrections of the moments, which start at zero: after n updates
// 1 / (1 - beta^n).
func TestStep(t *testing.T) {
	o := newOptimizer(newModel(shapes[0], false))
	for n, want := range [][2]float64{{10, 1000}, {1 / 0.19, 1 / 0.001999}} {
		step := o.step(0.1, 0)
		if math.Abs(float64(step.Correct1)-want[0]) > 1e-3 || math.Abs(float64(step.Correct2)-want[1]) > 1e-3 {
			t.Errorf("update %d: corrections %g and %g, want %g", n, step.Correct1, step.Correct2, want)
		}
	}
}

// TestValidationPositions validates by the first positions of a file.
func TestValidationPositions(t *testing.T) {
	for limit, want := range map[int64]int64{0: 1000, 300: 300, 2000: 1000} {
		c := testConfig(t, shapes[0])
		c.ValidationPositions = limit
		if _, rounding, err := newTrainer(t, c).Quantize(t.Context()); err != nil || rounding.Positions != want {
			t.Errorf("%d: %d positions, want %d, error %v", limit, rounding.Positions, want, err)
		}
	}
}

// TestBounds trains so fast that weights of almost every part reach their bounds, and
// expects them not to exceed these.
func TestBounds(t *testing.T) {
	endangered := shapes[0]
	endangered.Threats, endangered.Dangers = true, true
	for _, a := range []nnue.Architecture{shapes[1], headShapes[0], endangered} {
		c := testConfig(t, a)
		c.Superbatches, c.Factorizers, c.Rate = 1, true, Schedule{Kind: Constant, Start: 1}
		trainer := newTrainer(t, c)
		learnAll(t, trainer)
		m := trainer.model
		parts := append(m.bounds(), bounded{m.tables, m.dangers, maxFeature}, bounded{m.dangers, m.first, maxDanger})
		for _, f := range m.factorizers {
			parts = append(parts, bounded{f.start, f.start + len(f.members)*m.Width, f.limit})
		}
		for _, part := range parts {
			largest := 0.0
			for _, x := range m.parameters[part.lo:part.hi] {
				largest = max(largest, math.Abs(float64(x)))
			}
			if largest > part.limit+1e-6 {
				t.Errorf("%v: the largest weight of %+v is %g", a, part, largest)
			}
		}
	}
}

// TestResume interrupts a run at every third batch, resumes it from a
// checkpoint in a new Trainer each time, and expects identical results.
func TestResume(t *testing.T) {
	c := testConfig(t, shapes[1])
	c.Factorizers = true
	testResume(t, c)
	c = testConfig(t, headShapes[1])
	c.Superbatches = 4
	testResume(t, c)
	c = testConfig(t, shapes[5])
	c.Superbatches = 4
	testResume(t, c)
}

func testResume(t *testing.T, c Config) {
	whole := newTrainer(t, c)
	learnAll(t, whole)

	name := filepath.Join(t.TempDir(), "run.checkpoint")
	runs := 0
	for done := false; !done; runs++ {
		trainer := newTrainer(t, c)
		if runs > 0 {
			if err := trainer.Resume(name); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		batches := 0
		for !trainer.Done() && ctx.Err() == nil {
			_, err := trainer.Learn(ctx, func(Progress) error {
				if batches++; batches == 3 {
					cancel()
					return trainer.Save(name)
				}
				return nil
			})
			if err != nil && ctx.Err() == nil {
				t.Fatal(err)
			}
		}
		cancel()
		if done = trainer.Done(); done {
			same(t, trainer, whole)
		}
	}
	if runs < 10 {
		t.Errorf("only %d runs", runs)
	}
}

// TestLearns trains a small network to count material.
func TestLearns(t *testing.T) {
	for i, a := range slices.Concat(shapes[:2], headShapes) {
		c := testConfig(t, a)
		c.Factorizers = i%2 == 1
		c.ResultEnd = 0
		c.Data = []string{write(t, "many.bin", entries(t, 8, 50000))}
		c.Superbatch = 25000
		c.Rate.Start = 0.003
		trainer := newTrainer(t, c)
		// The loss of a network that gives every position the same points.
		var sum, squares float64
		positions := entries(t, 7, 1000)
		o := c.objective(0)
		for i := range positions {
			var s sample
			b := positions[i].Pack()
			if err := s.decode(&c.Architecture, &b); err != nil {
				t.Fatal(err)
			}
			score, _ := o.targets(&s)
			sum += score / float64(len(positions))
			squares += score * score / float64(len(positions))
		}
		baseline := squares - sum*sum
		learnAll(t, trainer)
		last := trainer.History()[c.Superbatches-1]
		if last.Validation.Score > baseline/4 || last.Training.Score > baseline/4 {
			t.Errorf("%v: loss %g in training, %g in validation; a constant gives %g",
				a, last.Training.Score, last.Validation.Score, baseline)
		}
		_, rounding, err := trainer.Quantize(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if rounding.Positions != 1000 || rounding.Mean > 10 ||
			math.Abs(rounding.After.Score-rounding.Before.Score) > baseline/50 {
			t.Errorf("%v: rounding %+v", a, rounding)
		}
		if math.Abs(rounding.Before.Score-last.Validation.Score) > 1e-12 {
			t.Errorf("%v: loss before rounding %g, validation said %g", a, rounding.Before.Score, last.Validation.Score)
		}
	}
}

// TestResultEnd expects the last share of the result to change the weights.
func TestResultEnd(t *testing.T) {
	weights := func(end float64) []float32 {
		c := testConfig(t, shapes[0])
		c.Superbatches, c.ResultEnd = 1, end
		trainer := newTrainer(t, c)
		learnAll(t, trainer)
		return trainer.model.parameters
	}
	if slices.Equal(weights(0), weights(1)) {
		t.Error("the share of the result has no effect")
	}
}
