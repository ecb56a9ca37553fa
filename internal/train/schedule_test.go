package train

import (
	"math"
	"strings"
	"testing"
)

func TestSchedule(t *testing.T) {
	for _, test := range []struct {
		s     Schedule
		batch int64
		want  float64
	}{
		{Schedule{Kind: Constant, Start: 0.5}, 999, 0.5},
		{Schedule{Kind: Constant, Start: 0.5, Warmup: 10}, 0, 0.05},
		{Schedule{Kind: Constant, Start: 0.5, Warmup: 10}, 8, 0.45},
		{Schedule{Kind: Constant, Start: 0.5, Warmup: 10}, 9, 0.5},
		{Schedule{Kind: Constant, Start: 0.5, Warmup: 10}, 10, 0.5},
		{Schedule{Kind: Constant, Start: 0.5, Warmup: 1000}, 49, 0.25}, // no more than a tenth of the run
		{Schedule{Kind: Constant, Start: 0.5, Warmup: 1000}, 99, 0.5},
		{Schedule{Kind: Step, Start: 1, Gamma: 0.5, Every: 2}, 199, 1},
		{Schedule{Kind: Step, Start: 1, Gamma: 0.5, Every: 2}, 200, 0.5},
		{Schedule{Kind: Step, Start: 1, Gamma: 0.5, Every: 2}, 999, 0.0625},
		{Schedule{Kind: Cosine, Start: 1, End: 0.2}, 0, 1},
		{Schedule{Kind: Cosine, Start: 1, End: 0.2}, 500, 0.6},
		{Schedule{Kind: Cosine, Start: 1, End: 0.2}, 250, 0.6 + 0.4*math.Sqrt2/2},
		{Schedule{Kind: Cosine, Start: 1, End: 0.2}, 1000, 0.2},
	} {
		if got := test.s.at(test.batch, 100, 1000); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%+v in batch %d: %g instead of %g", test.s, test.batch, got, test.want)
		}
	}
}

func TestResultShare(t *testing.T) {
	c := Config{Batch: 10, Superbatch: 95, Superbatches: 4, ResultStart: 0.1, ResultEnd: 0.49}
	if c.batches() != 10 || c.total() != 40 {
		t.Errorf("%d batches of %d", c.batches(), c.total())
	}
	for batch, want := range map[int64]float64{0: 0.1, 13: 0.23, 39: 0.49} {
		if got := c.resultShare(batch); math.Abs(got-want) > 1e-9 {
			t.Errorf("batch %d: %g instead of %g", batch, got, want)
		}
	}
}

func TestDefaultSizes(t *testing.T) {
	for positions, want := range map[int64][2]int64{
		0: {4096, 4096}, 19_999_999: {4096, 19_999_999}, 20e6: {16384, 20e6}, 200e6: {16384, 100e6},
	} {
		if batch, superbatch := DefaultSizes(positions); [2]int64{int64(batch), superbatch} != want {
			t.Errorf("%d positions: batch %d, superbatch %d, want %d", positions, batch, superbatch, want)
		}
	}
}

func TestValidate(t *testing.T) {
	good := DefaultConfig()
	good.Data = []string{"a.bin"}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	constant := good
	constant.Rate = Schedule{Kind: Constant, Start: 0.001, End: 0.5} // the end does not apply
	constant.Decay = 10
	if err := constant.Validate(); err != nil {
		t.Error(err)
	}
	nan := math.NaN()
	for want, change := range map[string]func(*Config){
		"width 17":                 func(c *Config) { c.Architecture.Width = 17 },
		"bucket 1 of 1":            func(c *Config) { c.Architecture.KingMap[3] = 1 },
		"no training data":         func(c *Config) { c.Data = nil },
		`"M\xfc.bin" is not UTF-8`: func(c *Config) { c.Data = []string{"M\xfc.bin"} },
		"a name of 65536 bytes":    func(c *Config) { c.Name = strings.Repeat("n", 1<<16) },
		"0 threads":                func(c *Config) { c.Threads = 0 },
		"a batch of 0":             func(c *Config) { c.Batch = 0 },
		"0 superbatches":           func(c *Config) { c.Superbatches = 0 },
		"more than 1000000000000":  func(c *Config) { c.Superbatches, c.Superbatch = 2, 1<<63-1 },
		"decay NaN":                func(c *Config) { c.Decay = nan },
		"decay 1001":               func(c *Config) { c.Decay = 1001 },
		"result NaN":               func(c *Config) { c.ResultStart = nan },
		"and 1.1":                  func(c *Config) { c.ResultEnd = 1.1 },
		"limit 1.1":                func(c *Config) { c.Huber = 1.1 },
		"score scale 0":            func(c *Config) { c.ScoreScale = 0 },
		"positions, -1, is neg":    func(c *Config) { c.ValidationPositions = -1 },
		`schedule "sine"`:          func(c *Config) { c.Rate.Kind = "sine" },
		"rate NaN":                 func(c *Config) { c.Rate.Start = nan },
		"last learning":            func(c *Config) { c.Rate.End = -1 },
		"step every 0 superbatc":   func(c *Config) { c.Rate = Schedule{Kind: Step, Start: 0.1, Gamma: 0.5} },
		"factor 1.5":               func(c *Config) { c.Rate = Schedule{Kind: Step, Start: 0.1, Gamma: 1.5, Every: 1} },
		"-1 batches is negative":   func(c *Config) { c.Rate.Warmup = -1 },
		"too much for the ":        func(c *Config) { c.Decay = 251 },
		"rate 0.5":                 func(c *Config) { c.Decay, c.Rate.End = 10, 0.5 },
	} {
		c := good
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %s", err, want)
		}
	}
}
