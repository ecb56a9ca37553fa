package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestReport checks which failures count.
func TestReport(t *testing.T) {
	const cleanup = "    testing.go:1: TempDir RemoveAll cleanup: unlinkat C:\\x: Invalid function.\n"
	test := func(name, result string, output ...string) []event {
		events := []event{{Action: "run", Package: "p", Test: name}}
		for _, line := range append([]string{"=== RUN   " + name + "\n"}, output...) {
			events = append(events, event{Action: "output", Package: "p", Test: name, Output: line})
		}
		if result != "" {
			events = append(events, event{Action: result, Package: "p", Test: name})
		}
		return events
	}
	for _, tt := range []struct {
		name   string
		events [][]event
		result string // of the package
		want   int
		words  string
	}{
		{"passes", [][]event{test("A", "pass"), test("B", "skip", "    why\n")}, "pass", 0, "p: 0 failed, 0 could"},
		{"cleanup", [][]event{test("A", "fail", cleanup, "--- FAIL: A (0.01s)\n")}, "fail", 0, "0 failed, 1 could"},
		{"subtest", [][]event{test("A/b", "fail", cleanup), test("A", "fail", "--- FAIL: A\n")}, "fail", 0, "2 could"},
		{"fault", [][]event{test("A", "fail", cleanup), test("B", "fail", "    x_test.go:1: wrong\n")}, "fail", 1,
			"x_test.go:1: wrong\np: 1 failed, 1 could"},
		{"silent fault", [][]event{test("A", "fail", "--- FAIL: A (0.01s)\n")}, "fail", 1, "p: 1 failed, 0 could"},
		{"both in one", [][]event{test("A", "fail", cleanup, "    x_test.go:1: wrong\n")}, "fail", 1, "wrong"},
		{"crash", [][]event{test("A", "fail", cleanup), test("B", "", "fatal\n")}, "fail", 1, "fatal\nthe end\n"},
		{"no test failed", [][]event{test("A", "pass")}, "fail", 1, "the end\n"},
	} {
		var input strings.Builder
		events := []event{{Action: "start", Package: "p"}}
		for _, e := range tt.events {
			events = append(events, e...)
		}
		events = append(events, event{Action: "output", Package: "p", Output: "the end\n"},
			event{Action: tt.result, Package: "p"})
		for _, e := range events {
			line, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&input, "%s\n", line)
		}
		results, err := read(strings.NewReader(input.String()))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if got := results.report(&out); got != tt.want || !strings.Contains(out.String(), tt.words) {
			t.Errorf("%s: %d failures, output\n%s", tt.name, got, &out)
		}
	}
	if _, err := read(strings.NewReader("# package\n")); err == nil {
		t.Error("a line that is no event is accepted")
	}
}
