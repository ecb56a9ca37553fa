package spsa

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skein/internal/selfplay"
)

// open opens a run with one parameter.
func open(name string, iterations, pairs int) (*Run, error) {
	c := Contest{Config: selfplay.DefaultConfig(), Names: []string{"a"}}
	return Open(name, c, pairs, NewTuner([]Parameter{{"a", 5, 0, 10, 1, 0.002}}, iterations, 1))
}

// TestOpen continues a run from its files.
func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run")
	r, err := open(name, 10, 2)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		r.Tuner.learn(3, 0, 1)
		if r.save(); r.stateErr != nil {
			t.Fatal(r.stateErr)
		}
	}
	if err := appendRow(name+".csv", historyRow(4, []float64{7})); err != nil { // which the state lacks
		t.Fatal(err)
	}
	again, err := open(name, 10, 2)
	if err != nil {
		t.Fatal(err)
	}
	if again.Tuner.Done != 3 || !slices.Equal(again.Tuner.Values, r.Tuner.Values) || len(again.history) != 3 {
		t.Errorf("%+v was continued as %+v", r.Tuner, again.Tuner)
	}
	if err := os.Remove(name + ".csv"); err != nil {
		t.Fatal(err)
	}
	if again, err := open(name, 10, 2); err != nil || again.Tuner.Done != 3 || len(again.history) != 3 {
		t.Errorf("without the table: %v", err)
	} else if err := again.draw(); err != nil {
		t.Error(err)
	}
	for _, numbers := range [][2]int{{10, 3}, {11, 2}} {
		_, err := open(name, numbers[0], numbers[1])
		if err == nil || !strings.Contains(err.Error(), "other settings") {
			t.Errorf("%d iterations of %d pairs: %v", numbers[0], numbers[1], err)
		}
	}
	if _, err := open(name, 0, 2); err == nil || !strings.Contains(err.Error(), "0 iterations") {
		t.Error("no iterations:", err)
	}

	state, err := os.ReadFile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	for what, hash := range map[string]string{"Net": r.Contest.Hashes.Net, "Program": r.Contest.Hashes.Program} {
		other := bytes.Replace(state, []byte(hash), []byte("0000"), 1)
		if err := os.WriteFile(name+".json", other, 0o666); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("other settings, Contest.Hashes.%s was 0000 and is %s", what, hash)
		if _, err := open(name, 10, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if err := os.Remove(name + ".json"); err != nil {
		t.Fatal(err)
	}
	if _, err := open(name, 10, 2); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Error("without the state:", err)
	}
	if err := os.WriteFile(name+".csv", []byte("superbatch,loss\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := open(name, 10, 2); err == nil || !strings.Contains(err.Error(), "run.csv exists") {
		t.Error("the table of something else:", err)
	}

	// A run that ended before its first state has left the header and perhaps a row.
	if err := os.WriteFile(name+".csv", []byte("iteration,a\n1,5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := open(name, 10, 2); err == nil || !strings.Contains(err.Error(), "run.svg exists") {
		t.Error("the chart of something else:", err)
	}
	if err := os.Remove(name + ".svg"); err != nil {
		t.Fatal(err)
	}
	if again, err := open(name, 10, 2); err != nil || len(again.history) != 0 {
		t.Error("no state yet:", err)
	}
}

// TestChart draws those of eight parameters that changed most, and no row that is missing.
func TestChart(t *testing.T) {
	r := &Run{name: filepath.Join(t.TempDir(), "run"), Tuner: &Tuner{Done: 2}}
	for i, name := range strings.Split("anna berta carla doris emma frida greta heidi", " ") {
		r.Tuner.Parameters = append(r.Tuner.Parameters, Parameter{Name: name, CEnd: 1})
		r.Tuner.Values = append(r.Tuner.Values, float64(i))
	}
	r.history = [][]float64{slices.Repeat([]float64{math.NaN()}, 8), r.Tuner.Values}
	if err := r.draw(); err != nil {
		t.Fatal(err)
	}
	svg, err := os.ReadFile(r.name + ".svg")
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range r.Tuner.Parameters {
		if bytes.Contains(svg, []byte(p.Name)) != (i >= 2) {
			t.Errorf("%s, which changed by %d, is in the chart: %t", p.Name, i, i < 2)
		}
	}
	if bytes.Contains(svg, []byte("NaN")) {
		t.Error("a missing row is in the chart")
	}
}

// TestDamagedState checks that the error names the file and what is wrong with it.
func TestDamagedState(t *testing.T) {
	for text, want := range map[string]string{
		"{":               "unexpected end of JSON",
		"{}":              "no tuner",
		`{"Tuner": null}`: "no tuner",
		`{"Tuner": 7}`:    "cannot unmarshal number",
	} {
		name := filepath.Join(t.TempDir(), "run")
		if err := os.WriteFile(name+".json", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := open(name, 10, 2)
		if err == nil || !strings.Contains(err.Error(), name+".json: not the state of a run: ") ||
			!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "nil") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestImpossibleState expects an error that names the file for a state that no run has.
func TestImpossibleState(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run")
	r, err := open(name, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		done   int
		values []float64
		want   string // "" if it is possible
	}{
		{0, []float64{5}, ""},
		{3, []float64{10}, ""},
		{3, []float64{0}, ""},
		{-1, []float64{5}, "-1 of 3 iterations are done"},
		{4, []float64{5}, "4 of 3 iterations are done"},
		{1, []float64{10.01}, "a is 0 to 10, not 10.01"},
		{1, []float64{-1e300}, "a is 0 to 10, not -1e+300"},
		{1, nil, "0 values of 1 parameters"},
	} {
		r.Tuner.Done, r.Tuner.Values = test.done, test.values
		if err := writeJSON(name+".json", r); err != nil {
			t.Fatal(err)
		}
		_, err := open(name, 3, 2)
		if (err == nil) != (test.want == "") || err != nil && err.Error() != name+".json: "+test.want {
			t.Errorf("%d iterations, values %v: error %v, want %q", test.done, test.values, err, test.want)
		}
	}
}

// TestFilesLater completes iterations while the table and the state cannot be written,
// which does not end the run, and later has all of them.
func TestFilesLater(t *testing.T) {
	r := &Run{name: filepath.Join(t.TempDir(), "run"), Tuner: &Tuner{
		Parameters: []Parameter{{Name: "a", Start: 5, CEnd: 1}}, Iterations: 3, Values: []float64{5},
	}}
	table, state := r.name+".csv", r.name+".json"
	for _, name := range []string{table, state} {
		if err := os.MkdirAll(filepath.Join(name, "full"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for r.Tuner.Done < 2 {
		r.Tuner.Done++
		r.save()
	}
	err := r.finish()
	for _, name := range []string{table, state} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want one about %s", err, name)
		}
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
	r.Tuner.Done++
	r.save()
	if err := r.finish(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(table)
	if err != nil || string(text) != "iteration,a\n1,5\n2,5\n3,5\n" {
		t.Errorf("table %q, error %v", text, err)
	}
	if text, err := os.ReadFile(state); err != nil || !strings.Contains(string(text), `"Done": 3`) {
		t.Errorf("state %s, error %v", text, err)
	}
}

// TestRunLearns has a worker for which larger values win.
func TestRunLearns(t *testing.T) {
	r, err := open(filepath.Join(t.TempDir(), "run"), 10, 2)
	if err != nil {
		t.Fatal(err)
	}
	in, requests := io.Pipe()
	out, replies := io.Pipe()
	numbers := make(chan uint64, 20)
	go func() {
		from, to := json.NewDecoder(in), json.NewEncoder(replies)
		for {
			var q request
			if from.Decode(&q) != nil {
				return
			}
			numbers <- q.Number
			var s reply
			if s.Losses = 2; q.Values[0][0] > q.Values[1][0] {
				s.Wins, s.Losses = 2, 0
			}
			if to.Encode(&s) != nil {
				return
			}
		}
	}()
	defer requests.Close()
	p := &process{requests: json.NewEncoder(requests), replies: json.NewDecoder(out)}
	if err := r.run(t.Context(), crew{p}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if v := r.Tuner.Values[0]; v <= 5 {
		t.Errorf("5 became %g", v)
	}
	for want := range uint64(20) {
		if got := <-numbers; got != want {
			t.Errorf("pair %d instead of %d", got, want)
		}
	}
}
