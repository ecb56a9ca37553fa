package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"skein/chess"
	"skein/internal/cli"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/nnue"
	"skein/position"
)

const (
	wdlLimit     = 8000 // scores beyond count as this
	wdlStep      = 20   // of a column
	wdlColumns   = 2*wdlLimit/wdlStep + 1
	fullMaterial = 78
	wdlRowStep   = 6 // pawns of a row
	wdlRows      = fullMaterial/wdlRowStep + 1
)

// material returns the worth of all pieces in pawns: 78 in the initial position.
func material(p *position.Position) int {
	sum := 0
	for t, worth := range [...]int{chess.Pawn: 1, chess.Knight: 3, chess.Bishop: 3, chess.Rook: 5, chess.Queen: 9} {
		sum += worth * p.Pieces(chess.PieceType(t)).Count()
	}
	return sum
}

// wdlCounts counts how games ended, by material and score of their positions:
// losses, draws, wins of the side whose score it is. Every position counts for
// both sides.
type wdlCounts [wdlRows][wdlColumns][3]int64

func (w *wdlCounts) add(e *record.Entry) {
	if e.Score >= record.MateBound || e.Score <= -record.MateBound {
		return
	}
	row := min(material(&e.Position)/wdlRowStep, wdlRows-1)
	score := min(max(int(e.Score), -wdlLimit), wdlLimit)
	column := (score + wdlLimit + wdlStep/2) / wdlStep
	w[row][column][e.Result]++
	w[row][wdlColumns-1-column][2-e.Result]++
}

// observations returns the wins for a logistic fit with the inputs 1 and score in
// pawns, and if byMaterial the products of both with the material, 0 to 1.
func (w *wdlCounts) observations(byMaterial bool) (list []observation) {
	for row := range w {
		m := (float64(row) + 0.5) / wdlRows
		for column, n := range w[row] {
			trials := float64(n[0] + n[1] + n[2])
			if trials == 0 {
				continue
			}
			score := float64(column*wdlStep-wdlLimit) / 100
			x := []float64{1, score}
			if byMaterial {
				x = append(x, m, m*score)
			}
			list = append(list, observation{x, trials, float64(n[2])})
		}
	}
	return list
}

// wdl carries out the command of that name.
func wdl(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := cli.NewFlags("tune wdl", "FILE...", stderr)
	workers := flags.Int("workers", runtime.NumCPU(), "goroutines")
	minMove := flags.Int("min-move", 0, "leave out positions before this `move` of the game")
	files, err := cli.ParseMixed(flags, args)
	if err != nil {
		return err
	}
	if len(files) == 0 || *workers < 1 {
		return errors.New("wdl: expected files of games, and at least one worker")
	}
	w, err := countResults(ctx, files, record.Filter{MinMove: *minMove}, *workers)
	if err != nil {
		return err
	}
	return w.report(stdout)
}

// countResults counts the positions of the files.
func countResults(ctx context.Context, files []string, filter record.Filter, workers int) (*wdlCounts, error) {
	counts := make([]wdlCounts, workers)
	work := func(worker int, b dataset.Batch) (struct{}, error) {
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

// model returns winCenter and winSlope, in units of scores, of a logistic fit at a
// material of m, 0 to 1.
func model(c []float64, m float64) (center, slope float64) {
	shift, steepness := c[0], c[1]
	if len(c) == 4 {
		shift += c[2] * m
		steepness += c[3] * m
	}
	return -100 * shift / steepness, 100 / steepness
}

// report fits and prints.
func (w *wdlCounts) report(out io.Writer) error {
	all, loss, err := logistic(w.observations(false))
	if err != nil {
		return fmt.Errorf("wdl: %w", err)
	}
	center, slope := model(all, 0)
	var b strings.Builder
	fmt.Fprintf(&b, "winCenter = %.1f\nwinSlope  = %.1f\n", center, slope)
	fmt.Fprintf(&b, "share of wins at a score of x: 1 / (1 + exp((winCenter-x)/winSlope)), log loss %.5f\n", loss)
	fmt.Fprintf(&b, "tune normalise -center %.1f makes %d, a pawn, a share of wins of 50 %%\n", center, nnue.Pawn)
	byMaterial, materialLoss, err := logistic(w.observations(true))
	if err != nil {
		byMaterial = all
	} else {
		fmt.Fprintf(&b, "depending on material: log loss %.5f, %.1f %% less\n", materialLoss, 100*(1-materialLoss/loss))
	}
	fmt.Fprintf(&b, "\n%10s %12s %10s %10s\n", "material", "positions", "center", "slope")
	for row := range w {
		n := int64(0)
		for _, column := range w[row] {
			n += (column[0] + column[1] + column[2]) / 2
		}
		center, slope := model(byMaterial, (float64(row)+0.5)/wdlRows)
		if n > 0 {
			fmt.Fprintf(&b, "%10s %12d %10.1f %10.1f\n", fmt.Sprintf("%d-%d", row*wdlRowStep, (row+1)*wdlRowStep-1), n, center, slope)
		}
	}
	w.calibration(&b, center, slope)
	_, err = io.WriteString(out, b.String())
	return err
}

// calibration prints what the model expects beside what happened, in bands of
// scores.
func (w *wdlCounts) calibration(b *strings.Builder, center, slope float64) {
	const band, bands = 400 / wdlStep, 10 // columns, and how many
	fmt.Fprintf(b, "\n%10s %12s %10s %10s %10s %10s\n", "score", "positions", "wins", "model", "losses", "model")
	for first := range bands {
		var n [3]int64
		wins, losses := 0.0, 0.0
		for column := first * band; column < (first+1)*band; column++ {
			x := float64(column * wdlStep)
			for row := range w {
				c := &w[row][column+wdlLimit/wdlStep]
				trials := float64(c[0] + c[1] + c[2])
				wins += trials * sigmoid(x-center, slope)
				losses += trials * sigmoid(-x-center, slope)
				for r := range n {
					n[r] += c[r]
				}
			}
		}
		if total := n[0] + n[1] + n[2]; total > 0 {
			share := 100 / float64(total)
			fmt.Fprintf(b, "%10s %12d %8.1f %% %8.1f %% %8.1f %% %8.1f %%\n", fmt.Sprintf("%d-%d", first*400, first*400+399),
				total, share*float64(n[2]), share*wins, share*float64(n[0]), share*losses)
		}
	}
}
