package train

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/rules"
)

// TestSieve compares the positions that pass with the definition of the filter.
func TestSieve(t *testing.T) {
	const scale = 300
	for _, f := range []Filter{
		{}, {MaxScore: 250}, {MinMove: 7},
		{MaxSurprise: 1}, {MaxSurprise: 0.001}, {MaxSurprise: 0.3}, {MaxSurprise: 0.5},
		{MaxSurprise: 0.8}, {MaxScore: 100, MaxSurprise: 0.6}, {MaxScore: 100, MaxSurprise: 0.3},
		{MaxScore: 900, MinMove: 2, MaxSurprise: 0.6},
	} {
		s := f.sieve(scale)
		passed := 0
		for score := chess.Score(-2000); score <= 2000; score++ {
			for result := rules.BlackWins; result <= rules.WhiteWins; result++ {
				b := endgame(5, score, result)
				surprise := math.Abs(float64(result.HalfPoints())/2 - 1/(1+math.Exp(-float64(score)/scale)))
				want := (f.MaxScore == 0 || max(score, -score) <= f.MaxScore) && f.MinMove <= 5 &&
					(f.MaxSurprise == 0 || surprise <= f.MaxSurprise)
				if s.keep(&b) != want {
					t.Fatalf("%+v: score %d, result %v, surprise %g: %v instead of %v",
						f, score, result, surprise, !want, want)
				}
				if want {
					passed++
				}
			}
		}
		none := f.MaxScore == 0 && f.MinMove == 0 && (f.MaxSurprise == 0 || f.MaxSurprise == 1)
		if all := 3 * 4001; (passed == all) != none {
			t.Errorf("%+v: %d of %d pass", f, passed, all)
		}
	}
	extreme, damaged := endgame(1, math.MinInt16, rules.BlackWins), endgame(1, 1000, rules.BlackWins)
	damaged[30] = 200 // no result
	s := Filter{}.sieve(scale)
	if !s.keep(&extreme) || !s.keep(&damaged) {
		t.Error("the zero filter rejects positions")
	}
	s = Filter{MaxSurprise: 0.1}.sieve(scale)
	if !s.keep(&damaged) {
		t.Error("a damaged result was rejected")
	}
}

// TestFilterSchedule expects every batch to contain exactly the next positions
// that pass its filter, wherever reading starts.
func TestFilterSchedule(t *testing.T) {
	c := testConfig(t, shapes[0])
	c.Data = []string{numbered(t, "a.bin", 0, 10000)}
	c.Batch, c.Superbatch, c.Superbatches = 50, 500, 2
	c.Filter, c.FilterEnd = Filter{MaxScore: 9000, MinMove: 1}, Filter{MaxScore: 5200, MinMove: 2}
	trainer := newTrainer(t, c)
	var reads []int64
	for n := range c.total() {
		reads = append(reads, trainer.read)
		f := c.filter(n)
		expected := chess.Score(math.Round(9000 - 3800*float64(n)/19))
		if f.MaxScore != expected || f.MinMove != 1 && n < 9 || f.MinMove != 2 && n > 10 {
			t.Fatalf("batch %d: filter %+v", n, f)
		}
		if _, err := trainer.oneBatch(t); err != nil {
			t.Fatal(err)
		}
	}
	for n := range c.total() {
		again := newTrainer(t, c)
		again.batch, again.read = n, reads[n]
		b, err := again.oneBatch(t)
		if err != nil {
			t.Fatal(err)
		}
		if n+1 < c.total() && b.end != reads[n+1] {
			t.Errorf("batch %d ends at record %d instead of %d", n, b.end, reads[n+1])
		}
		s := c.filter(n).sieve(c.ScoreScale)
		passing := 0
		for i := reads[n]; i < b.end; i++ {
			r := endgame(int(1+i%2), chess.Score(i%10000), rules.BlackWins)
			if s.keep(&r) {
				passing++
			}
		}
		if passing != c.Batch {
			t.Errorf("batch %d: %d records pass instead of %d", n, passing, c.Batch)
		}
	}
}

// oneBatch reads the next batch and counts it as trained.
func (t *Trainer) oneBatch(tb testing.TB) (*batch, error) {
	tb.Helper()
	f, err := t.feed(tb.Context())
	if err != nil {
		return nil, err
	}
	defer f.stop()
	b, err := f.next()
	if err == nil {
		t.batch, t.read = t.batch+1, b.end
	}
	return b, err
}

// TestFilterResume is TestResume with a filter that changes, interrupted after
// batches with later filters were read ahead.
func TestFilterResume(t *testing.T) {
	c := testConfig(t, shapes[0])
	c.Superbatches = 2
	c.Filter, c.FilterEnd = Filter{MaxScore: 3000, MaxSurprise: 1}, Filter{MaxScore: 300, MinMove: 9, MaxSurprise: 0.6}
	whole := newTrainer(t, c)
	learnAll(t, whole)
	constant := c
	constant.Filter = c.FilterEnd
	other := newTrainer(t, constant)
	learnAll(t, other)
	if other.history[1].Training == whole.history[1].Training {
		t.Error("the filter of the start has no effect")
	}

	name := filepath.Join(t.TempDir(), "run.checkpoint")
	enough := errors.New("enough")
	for i := range 5 {
		trainer := newTrainer(t, c)
		if i > 0 {
			if err := trainer.Resume(name); err != nil {
				t.Fatal(err)
			}
		}
		end := trainer.batch + 3
		_, err := trainer.Learn(t.Context(), func(Progress) error {
			if trainer.batch == end {
				return enough
			}
			return nil
		})
		if err != nil && !errors.Is(err, enough) {
			t.Fatal(err)
		}
		if err := trainer.Save(name); err != nil {
			t.Fatal(err)
		}
	}
	last := newTrainer(t, c)
	if err := last.Resume(name); err != nil {
		t.Fatal(err)
	}
	learnAll(t, last)
	same(t, last, whole)

	// The weights are rounded for the positions of the last filter, also where batches with
	// later ones were read ahead.
	if err := last.Save(name); err != nil {
		t.Fatal(err)
	}
	again := newTrainer(t, c)
	if err := again.Resume(name); err != nil {
		t.Fatal(err)
	}
	got, _, err := last.Quantize(t.Context())
	want, _, wantErr := again.Quantize(t.Context())
	if err := errors.Join(err, wantErr); err != nil || !slices.Equal(got.OutputWeights, want.OutputWeights) {
		t.Errorf("other weights from a checkpoint, or %v", err)
	}
}

func TestFilterErrors(t *testing.T) {
	for _, test := range []struct {
		start, end Filter
		want       string
	}{
		{Filter{MaxScore: -1}, Filter{}, "-1 is negative"},
		{Filter{}, Filter{MinMove: -2}, "-2 is not 0 to 9999"},
		{Filter{MaxSurprise: math.NaN()}, Filter{}, "NaN is not 0 to 1"},
		{Filter{}, Filter{MaxSurprise: 1.1}, "1.1 is not 0 to 1"},
		{Filter{MaxScore: 10}, Filter{}, "limit of scores"},
		{Filter{}, Filter{MaxSurprise: 0.5}, "limit of surprise"},
	} {
		c := DefaultConfig()
		c.Data = []string{"a.bin"}
		c.Filter, c.FilterEnd = test.start, test.end
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v does not say %s", err, test.want)
		}
	}
}
