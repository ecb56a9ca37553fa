package spsa

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"skein/internal/atomicfile"
	"skein/internal/plot"
)

// readHistory reads the rows of the table up to the last completed iteration. The
// state does not need them: rows that are missing become those of NaN.
func (r *Run) readHistory() error {
	defer func() {
		for len(r.history) < r.Tuner.Done {
			r.history = append(r.history, slices.Repeat([]float64{math.NaN()}, len(r.Tuner.Values)))
		}
	}()
	f, err := os.Open(r.name + ".csv")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	if err := r.readRows(f); err != nil {
		return fmt.Errorf("%s.csv: %w; remove the file to continue without its rows", r.name, err)
	}
	return nil
}

// readRows reads the rows of a table up to the last completed iteration. The error names
// the row.
func (r *Run) readRows(table io.Reader) error {
	in := csv.NewReader(table)
	in.FieldsPerRecord = -1
	for row := 0; len(r.history) < r.Tuner.Done; row++ {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("row %d of %d: %w", row, r.Tuner.Done, err)
		}
		if row == 0 {
			continue
		}
		if len(fields) != 1+len(r.Tuner.Values) {
			return fmt.Errorf("row %d has %d fields", row, len(fields))
		}
		values := make([]float64, len(r.Tuner.Values))
		for i := range values {
			if values[i], err = strconv.ParseFloat(fields[i+1], 64); err != nil {
				return fmt.Errorf("row %d: %w", row, err)
			}
		}
		r.history = append(r.history, values)
	}
	return nil
}

// header returns the first row of the table.
func (r *Run) header() []string {
	header := []string{"iteration"}
	for _, p := range r.Tuner.Parameters {
		header = append(header, p.Name)
	}
	return header
}

// unused returns an error if a new run with this name would overwrite the table of
// another: if there is one, except for what a run leaves that ended before its first
// state, the header and at most so many lines with it.
func unused(name string, header []string, lines int) error {
	data, err := os.ReadFile(name + ".csv")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	first, err := csv.NewReader(bytes.NewReader(data)).Read()
	if err == nil && slices.Equal(first, header) && bytes.Count(data, []byte("\n")) <= lines {
		return nil
	}
	return fmt.Errorf("%s.csv exists, but %s.json is missing", name, name)
}

// writeHistory writes the whole table.
func (r *Run) writeHistory() error {
	rows := [][]string{r.header()}
	for i, values := range r.history {
		rows = append(rows, historyRow(i+1, values))
	}
	return writeTable(r.name+".csv", rows)
}

// writeTable writes a table, whose first row is the header.
func writeTable(name string, rows [][]string) error {
	return atomicfile.Replace(name, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

// appendRow adds a row to a table.
func appendRow(name string, row []string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(csv.NewWriter(f).WriteAll([][]string{row}), f.Sync(), f.Close())
}

// writeJSON writes a value as indented JSON.
func writeJSON(name string, v any) error {
	return atomicfile.Replace(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(v)
	})
}

// historyRow returns the row of an iteration.
func historyRow(iteration int, values []float64) []string {
	row := []string{strconv.Itoa(iteration)}
	for _, v := range values {
		row = append(row, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return row
}

// save stores a completed iteration. It appends the row to the table first, because
// rows beyond the iterations of the state are ignored when a run is continued. While a
// file cannot be written, as when another program has it open, the run goes on, and the
// next iteration writes all of it.
func (r *Run) save() {
	values := slices.Clone(r.Tuner.Values)
	r.history = append(r.history, values)
	if r.tableErr == nil {
		r.tableErr = appendRow(r.name+".csv", historyRow(r.Tuner.Done, values))
	} else {
		r.tableErr = r.writeHistory()
	}
	r.stateErr = writeJSON(r.name+".json", r)
}

// plotted is the number of parameters in the chart.
const plotted = 6

// finish writes what could not be written before, and the chart, which exists only
// beside a state.
func (r *Run) finish() error {
	if r.tableErr != nil {
		r.tableErr = r.writeHistory()
	}
	if r.stateErr != nil {
		r.stateErr = writeJSON(r.name+".json", r)
	}
	if r.Tuner.Done == 0 {
		return r.tableErr
	}
	return errors.Join(r.tableErr, r.stateErr, r.draw())
}

// draw writes a chart of the parameters that changed most.
func (r *Run) draw() error {
	change := func(i int) float64 {
		p := &r.Tuner.Parameters[i]
		return math.Abs(r.Tuner.Values[i]-float64(p.Start)) / p.CEnd
	}
	order := make([]int, len(r.Tuner.Parameters))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(change(b), change(a)) })
	chart := plot.Chart{
		Title: "parameters that changed most", XLabel: "iteration", YLabel: "change in units of C_end",
	}
	for _, i := range order[:min(plotted, len(order))] {
		p := &r.Tuner.Parameters[i]
		s := plot.Series{Name: p.Name, X: []float64{0}, Y: []float64{0}}
		for k, values := range r.history {
			if math.IsNaN(values[i]) {
				continue
			}
			s.X = append(s.X, float64(k+1))
			s.Y = append(s.Y, (values[i]-float64(p.Start))/p.CEnd)
		}
		chart.Series = append(chart.Series, s)
	}
	return atomicfile.WriteFile(r.name+".svg", chart.SVG())
}
