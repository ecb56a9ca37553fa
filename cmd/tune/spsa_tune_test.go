//go:build tune

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"skein/search"
)

// short are flags for a run of few nodes.
func short(out string, more ...string) []string {
	flags := []string{"spsa", "-o", out, "--iterations", "6", "--pairs", "3", "--nodes", "200", "--hash", "1"}
	return append(flags, more...)
}

// untimed returns the number of parameters that change games without a clock.
func untimed() (n int) {
	for _, p := range search.Tunables() {
		if !strings.HasPrefix(p.Name, "time") && !strings.HasPrefix(p.Name, "stability") &&
			!strings.HasPrefix(p.Name, "fall") && !strings.HasPrefix(p.Name, "effort") {
			n++
		}
	}
	return n
}

// TestResume kills a run twice and continues it: the result equals that of an
// uninterrupted run with another number of workers.
func TestResume(t *testing.T) {
	t.Setenv("TUNE_TEST_MAIN", "1")
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	printed := must(t, short(whole, "--workers", "2")...)
	for range 2 {
		killAfterRows(t, killed+".csv", 2, short(killed, "--workers", "1"))
	}
	if out, err := exec.Command(os.Args[0], short(killed, "--workers", "1")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, extension := range []string{".csv", ".json"} {
		if a, b := contents(t, whole+extension), contents(t, killed+extension); !bytes.Equal(a, b) {
			t.Errorf("%s differs:\n%.300s\n%.300s", extension, a, b)
		}
	}
	if rows := bytes.Count(contents(t, whole+".csv"), []byte("\n")); rows != 7 {
		t.Errorf("the table has %d rows, want 7", rows)
	}
	if svg := contents(t, whole+".svg"); !bytes.HasPrefix(svg, []byte("<svg")) {
		t.Errorf("chart %.40s", svg)
	}
	if n := strings.Count(printed, "\n"); n != untimed() {
		t.Errorf("%d parameters printed", n)
	}
	fails(t, "other settings", short(whole, "--nodes", "201")...)
	fails(t, "need --clock", short(filepath.Join(dir, "timed"), "--only", "time*")...)
	if err := os.WriteFile(whole+".json", []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	fails(t, "not the state", short(whole)...)
}

// TestNoChart plays a run whose chart cannot be written: all iterations are played,
// the parameters are printed, and the error names the chart.
func TestNoChart(t *testing.T) {
	t.Setenv("TUNE_TEST_MAIN", "1")
	name := filepath.Join(t.TempDir(), "run")
	if err := os.MkdirAll(filepath.Join(name+".svg", "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	var stdout strings.Builder
	err := program.Run(t.Context(), short(name), &stdout, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "run.svg") {
		t.Errorf("error %v, want one about run.svg", err)
	}
	if n := strings.Count(stdout.String(), "\n"); n != untimed() {
		t.Errorf("%d parameters printed", n)
	}
	if rows := bytes.Count(contents(t, name+".csv"), []byte("\n")); rows != 7 {
		t.Errorf("the table has %d rows, want 7", rows)
	}
}

// killAfterRows runs tune in a process of its own and kills it once the file has n
// more rows than before.
func killAfterRows(t *testing.T, file string, n int, args []string) {
	t.Helper()
	rows := func() int {
		text, _ := os.ReadFile(file) // there may be none yet
		return bytes.Count(text, []byte("\n"))
	}
	want := rows() + n
	cmd := exec.Command(os.Args[0], args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); rows() < want && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait() // reports the kill
}

// TestTunables checks that every parameter has a value within its range and a
// perturbation of at least 1.
func TestTunables(t *testing.T) {
	for _, p := range search.Tunables() {
		if v := *p.Value; v < p.Min || v > p.Max || p.Step < 1 || p.Step > float64(p.Max-p.Min)/4 {
			t.Errorf("%s: %d in %d to %d by steps of %g", p.Name, v, p.Min, p.Max, p.Step)
		}
	}
	text := must(t, "spsa", "--print", "--only", "reductionNoisy*", "--r-end", "0.01")
	const first = "reductionNoisyBase, int, -100, -1000, 1000, 100, 0.01\n"
	if strings.Count(text, ", 0.01\n") != 4 || !strings.HasPrefix(text, first) {
		t.Error(text)
	}
}

func TestSPSAErrors(t *testing.T) {
	dir := t.TempDir()
	missing, drawn := filepath.Join(dir, "missing"), filepath.Join(dir, "drawn")
	if err := os.WriteFile(drawn+".svg", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "-o NAME"},
		{[]string{"-o", drawn}, "drawn.svg exists, but"},
		{[]string{"-o", missing, "x"}, `"x"`},
		{[]string{"-o", missing, "--pairs", "0"}, "pairs"},
		{[]string{"-o", missing, "--net", missing}, missing},
		{[]string{"-o", missing, "--book", missing}, missing},
		{[]string{"--parameters", missing}, missing},
		{[]string{"--only", "gravity"}, `"gravity"`},
		{[]string{"--print", "--r-end", "-1"}, "-1 is not 0 to"},
		{[]string{"--print", "--r-end", "inf"}, "Inf is not 0 to"},
	} {
		fails(t, test.want, append([]string{"spsa"}, test.args...)...)
	}
}

// TestMatchOfSets plays a match between two sets of parameters, and one between
// equal sets, in which the games of each pair are the same.
func TestMatchOfSets(t *testing.T) {
	t.Setenv("TUNE_TEST_MAIN", "1")
	small := []string{"match", "--hash", "1", "--pairs", "4", "--workers", "2",
		"--clock", "50ms+10ms", "--node-time", "1us"}
	equal := must(t, append(small, "--set-a", "futilityBase=40", "--set-b", "futilityBase=40")...)
	if !strings.Contains(equal, "[0 0 4 0 0]") {
		t.Error(equal)
	}
	other := must(t, append(small, "--set-a", "razorBase=207,reverseFutilitySlope=52", "--sprt", "-300,300")...)
	want := []string{"SPRT", "a            razorBase=207 reverseFutilitySlope=52", "b            razorBase="}
	for _, part := range want {
		if !strings.Contains(other, part) {
			t.Errorf("no %q in\n%s", part, other)
		}
	}
	fails(t, "there are only 21", append(small, "--set-a", "razorBase=207", "--random-plies", "0", "--pairs", "30")...)
	fails(t, `"gravity"`, append(small, "--set-a", "gravity=1")...)
	fails(t, "same network", append(small, "--set-a", "futilityBase=40", "-a", "x.nnue")...)
	fails(t, "such as 0,5", append(small, "--sprt", "5,0")...)
	many := must(t, "match", "--hash", "1", "--nodes", "10", "--pairs", "1000000000000000000", "--sprt", "200,1000",
		"--set-a", "razorBase=207", "--set-b", "razorBase=208")
	if !strings.Contains(many, "+1000 Elo is rejected") {
		t.Error(many)
	}
	fails(t, "TIME+INCREMENT", append(small, "--clock", "fast")...)
}
