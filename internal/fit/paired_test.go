package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"skein/internal/record"
)

// TestPaired compares values that differ from the first by a scale in each row, which
// changes no loss, and values that know less.
func TestPaired(t *testing.T) {
	c := &Config{Clip: 8000, ScoreScale: 300}
	r := rand.New(rand.NewPCG(1, 1))
	var p paired
	for i := range 4000 {
		score := r.IntN(801) - 400
		points := math.Round(record.ExpectedPoints(float64(score+r.IntN(401)-200), 150)*2) / 2
		l := labels{score: score, points: points, noScore: i%10 == 0, noResult: i%7 == 0}
		value := score + r.IntN(201) - 100
		row := i % 2
		values := []int{value, (2 + row) * value, value + r.IntN(401) - 200}
		p.add(&part{labels: []labels{l}, rows: []int8{int8(row)}, values: values}, len(values))
	}
	for j, m := range measures {
		first := p.losses(c, m, p.values[0])
		for i, x := range first {
			if lacks := []bool{p.labels[i].noScore, p.labels[i].noResult}[j]; math.IsNaN(x) != lacks {
				t.Fatalf("position %d: loss %g", i, x)
			}
		}
		if mean, margin := difference(p.losses(c, m, p.values[1]), first); math.Abs(mean) > 1e-6 || margin > 1e-5 {
			t.Errorf("measure %d, another scale: %g ± %g", j, mean, margin)
		}
	}
	squared := measures[0]
	mean, margin := difference(p.losses(c, squared, p.values[2]), p.losses(c, squared, p.values[0]))
	if mean < 2*margin || margin <= 0 {
		t.Errorf("values that know less: %g ± %g", mean, margin)
	}
}

func TestDifference(t *testing.T) {
	mean, margin := difference([]float64{3, 5, 7, math.NaN(), 1}, []float64{2, 3, 4, 1, math.NaN()})
	if want := 1.96 * math.Sqrt(2.0/9); mean != 2 || math.Abs(margin-want) > 1e-12 {
		t.Errorf("%g ± %g, want 2 ± %g", mean, margin, want)
	}
}
