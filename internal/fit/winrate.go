package fit

import (
	"context"
	"fmt"
	"io"
	"strings"

	"skein/chess"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/position"
	"skein/search"
)

// Columns and rows of a WinRate.
const (
	scoreLimit   = 8000 // units to which scores are clipped
	scoreStep    = 20   // units per column
	scoreColumns = 2*scoreLimit/scoreStep + 1
	fullMaterial = 78 // pawns
	materialStep = 6  // pawns per row
	materialRows = fullMaterial/materialStep + 1
)

// material returns the material of both sides in pawns: 78 in the initial position.
func material(p *position.Position) int {
	sum := 0
	for t, value := range [...]int{chess.Pawn: 1, chess.Knight: 3, chess.Bishop: 3, chess.Rook: 5, chess.Queen: 9} {
		sum += value * p.Pieces(chess.PieceType(t)).Count()
	}
	return sum
}

// WinRate counts results of games by the material and the score of their positions,
// as the search reports it: losses, draws and wins of the side from whose point of view
// the score is. Every position is counted for both sides.
type WinRate [materialRows][scoreColumns][3]int64

// add counts a position, unless its score is a mate.
func (w *WinRate) add(e *record.Entry) {
	if e.Score >= record.MateBound || e.Score <= -record.MateBound {
		return
	}
	row := min(material(&e.Position)/materialStep, materialRows-1)
	reported := search.Scaled(e.Score, &e.Position)
	score := min(max(int(reported), -scoreLimit), scoreLimit)
	column := (score + scoreLimit + scoreStep/2) / scoreStep
	w[row][column][e.Result.HalfPoints()]++
	w[row][scoreColumns-1-column][2-e.Result.HalfPoints()]++
}

// observations returns the wins as observations for a logistic fit with the inputs
// 1 and score/100, and if byMaterial their products with the material, 0 to 1.
func (w *WinRate) observations(byMaterial bool) (list []observation) {
	for row := range w {
		m := (float64(row) + 0.5) / materialRows
		for column, n := range w[row] {
			trials := float64(n[0] + n[1] + n[2])
			if trials == 0 {
				continue
			}
			score := float64(column*scoreStep-scoreLimit) / 100
			x := []float64{1, score}
			if byMaterial {
				x = append(x, m, m*score)
			}
			list = append(list, observation{x, trials, float64(n[2])})
		}
	}
	return list
}

// CountResults counts the labeled positions of the files, with the given number of
// goroutines.
func CountResults(ctx context.Context, files []string, filter record.Filter, workers int) (*WinRate, error) {
	counts := make([]WinRate, workers)
	work := func(_ context.Context, worker int, b dataset.Batch) (struct{}, error) {
		return struct{}{}, b.Each(func(e *dataset.Entry) error {
			if !e.NoScore && !e.NoResult {
				counts[worker].add(&e.Entry)
			}
			return nil
		})
	}
	err := dataset.Ordered(ctx, workers, dataset.Batches(files, filter), work, func(struct{}) error { return nil })
	if err != nil {
		return nil, err
	}
	sum := &counts[0]
	for i := range counts[1:] {
		for row := range sum {
			for column := range sum[row] {
				for r := range sum[row][column] {
					sum[row][column][r] += counts[1+i][row][column][r]
				}
			}
		}
	}
	return sum, nil
}

// model returns the center and the slope, in units, of a logistic fit
// at the material m, 0 to 1.
func model(c []float64, m float64) (center, slope float64) {
	shift, steepness := c[0], c[1]
	if len(c) == 4 {
		shift += c[2] * m
		steepness += c[3] * m
	}
	return -100 * shift / steepness, 100 / steepness
}

// Report fits the win-rate model and prints its parameters, for all positions and
// by material, and the expected and observed shares of results.
func (w *WinRate) Report(out io.Writer) error {
	all, loss, err := logistic(w.observations(false))
	if err != nil {
		return err
	}
	center, slope := model(all, 0)
	var b strings.Builder
	fmt.Fprintf(&b, "center = %.1f units\nslope  = %.1f units\n", center, slope)
	fmt.Fprintf(&b, "share of wins at a score of x: 1 / (1 + exp((center-x)/slope)), log loss %.5f\n", loss)
	if center >= 0.05 { // unless there are no draws
		fmt.Fprintf(&b, "after tune normalise --center %.1f a value of %d, one pawn, wins 50 %%\n",
			center, chess.UnitsPerPawn)
	}
	byMaterial, materialLoss, err := logistic(w.observations(true))
	if err != nil {
		byMaterial = all
	} else {
		fmt.Fprintf(&b, "by material: log loss %.5f, %.1f %% less\n", materialLoss, 100*(1-materialLoss/loss))
	}
	fmt.Fprintf(&b, "\n%10s %12s %10s %10s\n", "pawns", "positions", "center", "slope")
	for row := range w {
		n := int64(0)
		for _, column := range w[row] {
			n += column[0] + column[1] + column[2]
		}
		n /= 2 // each counts for both sides
		center, slope := model(byMaterial, (float64(row)+0.5)/materialRows)
		if n > 0 {
			pawns := fmt.Sprintf("%d-%d", row*materialStep, (row+1)*materialStep-1)
			fmt.Fprintf(&b, "%10s %12d %10.1f %10.1f\n", pawns, n, center, slope)
		}
	}
	w.calibration(&b, center, slope)
	_, err = io.WriteString(out, b.String())
	return err
}

// calibration prints observed and expected shares of results in ranges of scores.
func (w *WinRate) calibration(b *strings.Builder, center, slope float64) {
	const units, ranges = 400, 10
	const columns = units / scoreStep
	fmt.Fprintf(b, "\n%10s %12s %10s %10s %10s %10s\n", "score", "positions", "wins", "model", "losses", "model")
	for i := range ranges {
		var n [3]float64
		wins, losses := 0.0, 0.0
		for column := i * columns; column < (i+1)*columns; column++ {
			x, weight := float64(column*scoreStep), 1.0
			if column == 0 {
				weight = 0.5 // a position with this score has it for both sides
			}
			for row := range w {
				c := &w[row][column+scoreLimit/scoreStep]
				trials := weight * float64(c[0]+c[1]+c[2])
				wins += trials * probability((x-center)/slope)
				losses += trials * probability((-x-center)/slope)
				for r := range n {
					n[r] += weight * float64(c[r])
				}
			}
		}
		if total := n[0] + n[1] + n[2]; total > 0 {
			share := 100 / total
			scores := fmt.Sprintf("%d-%d", i*units, (i+1)*units-1)
			fmt.Fprintf(b, "%10s %12.0f %8.1f %% %8.1f %% %8.1f %% %8.1f %%\n", scores,
				total, share*n[2], share*wins, share*n[0], share*losses)
		}
	}
}
