package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"

	"skein/internal/atomicfile"
	"skein/internal/plot"
	"skein/internal/status"
)

// tuningRun is a run and the files that keep it: NAME.json, from which it goes on
// exactly, NAME.csv with the values after every iteration, and NAME.svg.
type tuningRun struct {
	Contest contest
	Pairs   int // of an iteration
	Tuner   *tuner

	name    string
	history [][]float64 // values after each iteration
}

// open goes on with the run that the files keep, if there is one. It must be of
// the same settings.
func (r *tuningRun) open() error {
	data, err := os.ReadFile(r.name + ".json")
	if errors.Is(err, os.ErrNotExist) {
		return r.writeHistory()
	} else if err != nil {
		return err
	}
	old := tuningRun{name: r.name}
	if err := json.Unmarshal(data, &old); err != nil || old.Tuner == nil {
		return fmt.Errorf("%s.json: not the state of a run: %w", r.name, err)
	}
	same := *old.Tuner
	same.Done, same.Values, same.Wins, same.Draws, same.Losses = 0, r.Tuner.Values, 0, 0, 0
	if old.Pairs != r.Pairs || !reflect.DeepEqual(old.Contest, r.Contest) || !reflect.DeepEqual(&same, r.Tuner) {
		return fmt.Errorf("%s.json was begun with other settings; use another name or the same settings", r.name)
	}
	if len(old.Tuner.Values) != len(r.Tuner.Parameters) {
		return fmt.Errorf("%s.json: %d values of %d parameters", r.name, len(old.Tuner.Values), len(r.Tuner.Parameters))
	}
	r.Tuner = old.Tuner
	if err := r.readHistory(); err != nil {
		return err
	}
	return r.writeHistory() // without what is newer than the state
}

// readHistory reads the rows up to the last iteration.
func (r *tuningRun) readHistory() error {
	f, err := os.Open(r.name + ".csv")
	if err != nil {
		return err
	}
	defer f.Close()
	in := csv.NewReader(f)
	in.FieldsPerRecord = -1
	for row := 0; len(r.history) < r.Tuner.Done; row++ {
		fields, err := in.Read()
		if err != nil {
			return fmt.Errorf("%s.csv: row %d of %d: %w", r.name, row, r.Tuner.Done, err)
		}
		if row == 0 {
			continue
		}
		if len(fields) != 1+len(r.Tuner.Values) {
			return fmt.Errorf("%s.csv: row %d has %d fields", r.name, row, len(fields))
		}
		values := make([]float64, len(r.Tuner.Values))
		for i := range values {
			if values[i], err = strconv.ParseFloat(fields[i+1], 64); err != nil {
				return fmt.Errorf("%s.csv: row %d: %w", r.name, row, err)
			}
		}
		r.history = append(r.history, values)
	}
	return nil
}

// writeHistory writes the history anew.
func (r *tuningRun) writeHistory() error {
	header := []string{"iteration"}
	for _, p := range r.Tuner.Parameters {
		header = append(header, p.Name)
	}
	return atomicfile.Replace(r.name+".csv", func(w io.Writer) error {
		out := csv.NewWriter(w)
		out.Write(header)
		for i, values := range r.history {
			out.Write(historyRow(i+1, values))
		}
		out.Flush()
		return out.Error()
	})
}

func historyRow(iteration int, values []float64) []string {
	row := []string{strconv.Itoa(iteration)}
	for _, v := range values {
		row = append(row, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return row
}

// save keeps an iteration: the row first, which the state then makes valid.
func (r *tuningRun) save() error {
	values := slices.Clone(r.Tuner.Values)
	r.history = append(r.history, values)
	f, err := os.OpenFile(r.name+".csv", os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	out := csv.NewWriter(f)
	out.Write(historyRow(r.Tuner.Done, values))
	out.Flush()
	if err := errors.Join(out.Error(), f.Close()); err != nil {
		return err
	}
	return atomicfile.Replace(r.name+".json", func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(r)
	})
}

// plotted is the number of parameters in the picture: those that moved most.
const plotted = 6

// draw writes the picture of the history.
func (r *tuningRun) draw() error {
	moved := func(i int) float64 {
		p := &r.Tuner.Parameters[i]
		return math.Abs(r.Tuner.Values[i]-float64(p.Start)) / p.CEnd
	}
	order := make([]int, len(r.Tuner.Parameters))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if moved(a) > moved(b) {
			return -1
		} else if moved(a) < moved(b) {
			return 1
		}
		return 0
	})
	chart := plot.Chart{Title: "parameters that moved most", XLabel: "iteration", YLabel: "distance from the start in C_end"}
	for _, i := range order[:min(plotted, len(order))] {
		p := &r.Tuner.Parameters[i]
		s := plot.Series{Name: p.Name, X: []float64{0}, Y: []float64{0}}
		for k, values := range r.history {
			s.X = append(s.X, float64(k+1))
			s.Y = append(s.Y, (values[i]-float64(p.Start))/p.CEnd)
		}
		chart.Series = append(chart.Series, s)
	}
	return atomicfile.WriteFile(r.name+".svg", chart.SVG())
}

// pictureInterval is the time between two pictures.
const pictureInterval = 10 * time.Second

// run carries the iterations out with the workers. It ends early with ctx.
func (r *tuningRun) run(ctx context.Context, workers []*process, stderr io.Writer) error {
	line, start, first, drawn := status.New(stderr), time.Now(), r.Tuner.Done, time.Now()
	defer line.End()
	for r.Tuner.Done < r.Tuner.Iterations {
		sum, err := r.iterate(workers)
		if ctx.Err() != nil {
			return r.draw() // the state is that of the last whole iteration
		}
		if err != nil {
			return err
		}
		r.Tuner.learn(sum.Wins, sum.Draws, sum.Losses)
		if err := r.save(); err != nil {
			return err
		}
		line.Update(func() string {
			elapsed, done := time.Since(start), r.Tuner.Done-first
			return fmt.Sprintf("iteration %d of %d, games +%d =%d -%d, %.2f games/s, %v to go", r.Tuner.Done, r.Tuner.Iterations, r.Tuner.Wins, r.Tuner.Draws, r.Tuner.Losses,
				float64(2*r.Pairs*done)/elapsed.Seconds(), status.Left(elapsed, int64(done), int64(r.Tuner.Iterations-r.Tuner.Done)))
		})
		if time.Since(drawn) > pictureInterval {
			drawn = time.Now()
			if err := r.draw(); err != nil {
				return err
			}
		}
	}
	return r.draw()
}

// iterate plays the pairs of an iteration.
func (r *tuningRun) iterate(workers []*process) (sum reply, err error) {
	plus, minus := r.Tuner.sides()
	numbers := make(chan uint64, r.Pairs)
	for i := range r.Pairs {
		numbers <- uint64(r.Tuner.Done)*uint64(r.Pairs) + uint64(i)
	}
	close(numbers)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, p := range workers {
		wg.Go(func() {
			for number := range numbers {
				one, playErr := p.play(&request{number, [2][]int{plus, minus}})
				mu.Lock()
				sum.Wins, sum.Draws, sum.Losses = sum.Wins+one.Wins, sum.Draws+one.Draws, sum.Losses+one.Losses
				if err == nil {
					err = playErr
				}
				mu.Unlock()
				if playErr != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	return sum, err
}
