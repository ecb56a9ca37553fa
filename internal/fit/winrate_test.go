package fit

import (
	"math"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
)

// TestModel fits counts computed from a known model.
func TestModel(t *testing.T) {
	center := func(m float64) float64 { return 150 + 100*(1-m) }
	slope := func(m float64) float64 { return 60 + 40*(1-m) }
	for name, byMaterial := range map[string]bool{"constant": false, "by material": true} {
		var w WinRate
		for row := range w {
			m := 0.3
			if byMaterial {
				m = (float64(row) + 0.5) / materialRows
			}
			for column := range w[row] {
				x := float64(column*scoreStep - scoreLimit)
				win := 1 / (1 + math.Exp((center(m)-x)/slope(m)))
				loss := 1 / (1 + math.Exp((center(m)+x)/slope(m)))
				w[row][column] = [3]int64{int64(loss * 1e6), int64((1 - win - loss) * 1e6), int64(win * 1e6)}
			}
		}
		c, _, err := logistic(w.observations(byMaterial))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []float64{0, 0.3, 1} {
			gotCenter, gotSlope := model(c, m)
			wantCenter, wantSlope := center(0.3), slope(0.3)
			if byMaterial {
				wantCenter, wantSlope = center(m), slope(m)
			}
			// What depends on material is linear in the inputs only nearly so.
			tolerance := map[bool]float64{false: 0.001, true: 0.1}[byMaterial]
			if math.Abs(gotCenter/wantCenter-1) > tolerance || math.Abs(gotSlope/wantSlope-1) > tolerance {
				t.Errorf("%s, material %g: center %g slope %g instead of %g %g",
					name, m, gotCenter, gotSlope, wantCenter, wantSlope)
			}
		}
		var b strings.Builder
		if err := w.Report(&b); err != nil || !strings.Contains(b.String(), "center = ") {
			t.Error(b.String(), err)
		}
	}
}

// TestNoDraws fits games without draws, of which a score of 0 wins half: no scale of the
// network makes that score a pawn.
func TestNoDraws(t *testing.T) {
	var w WinRate
	for i, result := range []rules.Result{rules.WhiteWins, rules.WhiteWins, rules.BlackWins} {
		w.add(&record.Entry{Position: position.Start(), Score: chess.Score(100 + i), Result: result})
		w.add(&record.Entry{Position: position.Start(), Score: chess.Score(300 + i), Result: rules.WhiteWins})
	}
	var b strings.Builder
	if err := w.Report(&b); err != nil || !strings.Contains(b.String(), "slope  = ") ||
		strings.Contains(b.String(), "normalise") {
		t.Error(b.String(), err)
	}
}

func TestLogisticFails(t *testing.T) {
	for name, list := range map[string][]observation{
		"nothing":       nil,
		"only wins":     {{[]float64{1, 0}, 5, 5}, {[]float64{1, 1}, 5, 5}},
		"a clear edge":  {{[]float64{1, -1}, 5, 0}, {[]float64{1, 1}, 5, 5}},
		"no difference": {{[]float64{1, 1}, 5, 2}},
		"many losses":   {{[]float64{1, -1}, 1e5, 0}, {[]float64{1, 0}, 1e5, 0}, {[]float64{1, 1}, 1e5, 0}},
		"an even edge":  {{[]float64{1, -1}, 1e5, 0}, {[]float64{1, 0}, 1e5, 4e4}, {[]float64{1, 1}, 1e5, 1e5}},
	} {
		if c, loss, err := logistic(list); err == nil {
			t.Errorf("%s: %v, loss %g", name, c, loss)
		}
	}
}

func TestWinRateCounts(t *testing.T) {
	var w WinRate
	w.add(&record.Entry{Position: position.Start(), Score: 120, Result: rules.WhiteWins})
	w.add(&record.Entry{Position: position.Start(), Score: -9999, Result: rules.BlackWins})
	w.add(&record.Entry{Position: position.Start(), Score: record.MateBound, Result: rules.WhiteWins})
	row, sum := materialRows-1, int64(0)
	for i := range w {
		for j := range w[i] {
			sum += w[i][j][0] + w[i][j][1] + w[i][j][2]
		}
	}
	middle := scoreLimit / scoreStep
	loss, win := [3]int64{0: 1}, [3]int64{2: 1}
	// With all men the search reports 120 as 135.
	if w[row][middle+7] != win || w[row][middle-7] != loss ||
		w[row][0] != loss || w[row][scoreColumns-1] != win || sum != 4 {
		t.Errorf("%d counts: %v %v", sum, w[row][middle-7:middle+8], w[row][0])
	}
}

// TestCalibration counts positions with a score of zero, which both sides have, as often as others.
func TestCalibration(t *testing.T) {
	var w WinRate
	for _, score := range []chess.Score{0, 0, 150, -150} {
		w.add(&record.Entry{Position: position.Start(), Score: score, Result: rules.WhiteWins})
	}
	var b strings.Builder
	w.calibration(&b, 256, 200)
	if want := "     0-399            4     50.0 %"; !strings.Contains(b.String(), want) {
		t.Errorf("%s lacks %q", b.String(), want)
	}
}
