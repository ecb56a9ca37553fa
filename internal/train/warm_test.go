package train

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skein/nnue"
)

// netFile writes a network file and returns its name.
func netFile(t *testing.T, p *nnue.Parameters) string {
	t.Helper()
	net, err := nnue.New(p)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := net.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "from.nnue")
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// trained trains a network with the settings, and makes it that from which they start.
func trained(t *testing.T, c *Config) (*nnue.Parameters, Rounding) {
	t.Helper()
	first := newTrainer(t, *c)
	learnAll(t, first)
	p, rounding, err := first.Quantize(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.From = netFile(t, p)
	return p, rounding
}

// near reports whether no element differs by more than one.
func near[T int8 | int16 | int32](a, b []T) bool {
	for i, x := range a {
		if d := int(x) - int(b[i]); d < -1 || d > 1 {
			return false
		}
	}
	return len(a) == len(b)
}

// TestWarmStart expects a run that starts with a network to have its weights,
// and to be able to train.
func TestWarmStart(t *testing.T) {
	for _, a := range slices.Concat(shapes[:2], headShapes) {
		c := testConfig(t, a)
		c.Superbatches, c.ResultEnd = 3, 0
		p, rounding := trained(t, &c)
		trainer := newTrainer(t, c)
		got := trainer.model.quantize()
		if !slices.Equal(got.FeatureWeights, p.FeatureWeights) || !slices.Equal(got.FeatureBias, p.FeatureBias) ||
			!slices.Equal(got.FirstWeights, p.FirstWeights) || !slices.Equal(got.SecondWeights, p.SecondWeights) ||
			!slices.Equal(got.OutputWeights, p.OutputWeights) {
			t.Errorf("%v: the weights are not those of the network", a)
		}
		if !near(got.FirstBias, p.FirstBias) || !near(got.SecondBias, p.SecondBias) ||
			!near(got.OutputBias, p.OutputBias) {
			t.Errorf("%v: the biases are not those of the network", a)
		}
		loss, err := trainer.Validate(t.Context())
		if err != nil || math.Abs(loss.Score-rounding.After.Score) > 0.005*loss.Score {
			t.Errorf("%v: loss %g instead of %g, error %v", a, loss.Score, rounding.After.Score, err)
		}
		learnAll(t, trainer)
	}
}

// TestWarmFeatures expects the feature weights of networks of other shapes, and
// drawn weights for the rest.
func TestWarmFeatures(t *testing.T) {
	small := nnue.Architecture{Width: 128, KingBuckets: 1, OutputBuckets: 8, Scale: 300}
	bucketed := headShapes[1]
	bucketed.Layers = [2]int{}
	one := headShapes[1]
	one.KingBuckets, one.KingMap, one.Layers = 1, [32]uint8{}, [2]int{}
	threats, threatened := one, bucketed
	threats.Threats, threatened.Threats = true, true
	endangered := threats
	endangered.Dangers = true
	for _, test := range []struct{ from, to nnue.Architecture }{
		{small, headShapes[1]}, {bucketed, headShapes[1]}, {one, bucketed}, {one, threats}, {one, threatened},
		{threats, endangered}, {endangered, endangered},
	} {
		p := randomModel(test.from, true).quantize()
		if test.from.Tables() == 1 && test.to.Tables() > 1 {
			p.FeatureWeights[0] = int16(math.Round(1.2 * maxFeature * nnue.QA)) // with the share of all tables
		}
		c := testConfig(t, test.to)
		c.From, c.Factorizers = netFile(t, p), true
		trainer := newTrainer(t, c)
		if n := trainer.Clipped(); n != 0 {
			t.Errorf("%v to %v: %d weights were clipped", test.from, test.to, n)
		}
		m := trainer.model
		drawn := newModel(test.to, true)
		drawn.initialize(c.Seed)
		got := m.quantize()
		for table := range test.to.Tables() {
			want := p.FeatureWeights[table%test.from.Tables()*m.tableSize():][:m.tableSize()]
			if !slices.Equal(got.FeatureWeights[table*m.tableSize():][:m.tableSize()], want) {
				t.Errorf("%v to %v: table %d differs", test.from, test.to, table)
			}
		}
		dangers := make([]int16, (test.to.Rows()-test.to.Tables()*nnue.Features)*test.to.Width)
		if test.from.Dangers {
			dangers = p.FeatureWeights[test.from.Tables()*m.tableSize():]
		}
		if !slices.Equal(got.FeatureWeights[test.to.Tables()*m.tableSize():], dangers) {
			t.Errorf("%v to %v: the rows of dangers differ", test.from, test.to)
		}
		if !slices.Equal(got.FeatureBias, p.FeatureBias) {
			t.Errorf("%v to %v: the biases differ", test.from, test.to)
		}
		same := slices.Equal(m.parameters[m.first:m.shared], drawn.parameters[m.first:m.shared])
		if want := test.from.HasHead() != test.to.HasHead(); same != want {
			t.Errorf("%v to %v: the layers after the accumulators are as drawn: %t", test.from, test.to, same)
		}
		if same && slices.ContainsFunc(m.origin[m.first:m.shared], func(x float32) bool { return x != 0 }) {
			t.Errorf("%v to %v: decay leads to drawn weights", test.from, test.to)
		}
	}
}

// TestWarmRefuses expects errors that name what does not fit, and an error when
// resuming from the checkpoint of a run with other initial weights.
func TestWarmRefuses(t *testing.T) {
	base := headShapes[1]
	for want, change := range map[string]func(*nnue.Architecture){
		"width 64 do not fit width 128":      func(a *nnue.Architecture) { a.Width = 64 },
		"2 king buckets do not fit 4":        func(a *nnue.Architecture) { a.KingBuckets, a.KingMap = 2, [32]uint8{1} },
		"with and without features of":       func(a *nnue.Architecture) { a.Threats = true },
		"another king map":                   func(a *nnue.Architecture) { a.KingMap[0] = 3 },
		"4 output buckets do not fit 8":      func(a *nnue.Architecture) { a.OutputBuckets = 4 },
		"scale 300 do not fit scale 400":     func(a *nnue.Architecture) { a.Scale = 300 },
		"layers [16 32] do not fit layers [": nil,
	} {
		from, c := base, testConfig(t, base)
		if change == nil {
			c.Architecture.Layers = [2]int{}
		} else {
			change(&from)
		}
		c.From = netFile(t, nnue.NewParameters(from))
		_, err := New(c)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), c.From) {
			t.Errorf("error %v does not say %s and name the file", err, want)
		}
	}

	threats := shapes[0]
	threats.Threats = true
	c := testConfig(t, threats)
	threats.Dangers = true
	c.From = netFile(t, nnue.NewParameters(threats))
	if _, err := New(c); err == nil || !strings.Contains(err.Error(), "features of dangers do not fit") {
		t.Errorf("dangers: error %v", err)
	}

	c = testConfig(t, shapes[0])
	c.From = netFile(t, randomModel(shapes[0], true).quantize())
	trainer := newTrainer(t, c)
	if trainer.FromHash() == "" {
		t.Error("no hash of the network")
	}
	name := filepath.Join(t.TempDir(), "run.checkpoint")
	if err := trainer.Save(name); err != nil {
		t.Fatal(err)
	}
	if err := newTrainer(t, c).Resume(name); err != nil {
		t.Error(err)
	}
	other, err := os.ReadFile(netFile(t, nnue.NewParameters(shapes[0])))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.From, other, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := newTrainer(t, c).Resume(name); err == nil || !strings.Contains(err.Error(), "another run: FromHash was") {
		t.Errorf("another network: error %v", err)
	}
	c.From = filepath.Join(t.TempDir(), "none.nnue")
	if _, err := New(c); err == nil || !strings.Contains(err.Error(), "none.nnue") {
		t.Errorf("no network: error %v", err)
	}
}

// TestWarmClipped expects the number of weights beyond the bounds of training.
func TestWarmClipped(t *testing.T) {
	a := shapes[0]
	p := randomModel(a, false).quantize()
	clip := func() int {
		c := testConfig(t, a)
		c.From = netFile(t, p)
		return newTrainer(t, c).Clipped()
	}
	if n := clip(); n != 0 {
		t.Errorf("%d weights of a network within the bounds were clipped", n)
	}
	most := int16(math.Round(maxFeature * nnue.QA))
	p.FeatureWeights[3], p.FeatureWeights[7], p.FeatureBias[5] = most, -most-1, most+40
	p.OutputWeights[9] = nnue.MaxOutputWeight
	if n := clip(); n != 3 {
		t.Errorf("%d weights were clipped instead of 3", n)
	}
}

// TestWarmDoubled expects every neuron twice, with small differences.
func TestWarmDoubled(t *testing.T) {
	to := headShapes[1]
	to.KingBuckets, to.KingMap = 1, [32]uint8{}
	from := to
	from.Width, from.Layers = to.Width/2, [2]int{}
	p := randomModel(from, true).quantize()
	c := testConfig(t, to)
	c.From = netFile(t, p)
	got := newTrainer(t, c).model.quantize()
	differences := map[int16]int{}
	for i, w := range slices.Concat(p.FeatureWeights, p.FeatureBias) {
		row := slices.Concat(got.FeatureWeights, got.FeatureBias)[i/from.Width*to.Width:][:to.Width]
		if row[i%from.Width] != w {
			t.Fatalf("weight %d became %d", w, row[i%from.Width])
		}
		differences[row[from.Width+i%from.Width]-w]++
		if i > 5000 {
			break
		}
	}
	if len(differences) != 5 || differences[3]+differences[-3] > 0 {
		t.Errorf("second neurons differ by %v", differences)
	}
}

// TestWarmScale expects the same values from a network of another scale.
func TestWarmScale(t *testing.T) {
	a := shapes[0]
	c := testConfig(t, a)
	_, rounding := trained(t, &c)
	c.Architecture.Scale = a.Scale * 5 / 4
	loss, err := newTrainer(t, c).Validate(t.Context())
	if err != nil || math.Abs(loss.Score-rounding.After.Score) > 0.01*loss.Score {
		t.Errorf("loss %g instead of %g, error %v", loss.Score, rounding.After.Score, err)
	}
	c.Architecture.Scale = a.Scale / 20
	if _, err := New(c); err == nil || !strings.Contains(err.Error(), "too large for scale") {
		t.Errorf("a scale that is too small: %v", err)
	}
}

// TestWarmDecay expects weight decay to keep the weights close to those of the
// network that a run starts with.
func TestWarmDecay(t *testing.T) {
	c := testConfig(t, shapes[0])
	trained(t, &c)
	distance := func(decay float64) float64 {
		c := c
		c.Decay = decay
		trainer := newTrainer(t, c)
		start := slices.Clone(trainer.model.parameters)
		learnAll(t, trainer)
		sum := 0.0
		for i, x := range trainer.model.parameters {
			sum += math.Pow(float64(x-start[i]), 2)
		}
		return math.Sqrt(sum)
	}
	free, weak, strong := distance(0), distance(10), distance(100)
	if !(strong < weak && weak < free) || strong == 0 {
		t.Errorf("distances from the start: %g without decay, %g with 10, %g with 100", free, weak, strong)
	}
}

// TestWarmScaleBias starts from a network of another scale with a large bias of an output.
func TestWarmScaleBias(t *testing.T) {
	a := shapes[0]
	p := randomModel(a, false).quantize()
	p.OutputBias[0] = nnue.QA * nnue.QB / 2 // half of the scale
	c := testConfig(t, a)
	c.From = netFile(t, p)
	c.Architecture.Scale = a.Scale * 5 / 4
	m := newTrainer(t, c).model
	if got := float64(m.parameters[m.biases]) * float64(m.Scale); math.Abs(got-float64(a.Scale)/2) > 0.01 {
		t.Errorf("a bias of %g instead of %g", got, float64(a.Scale)/2)
	}
}
