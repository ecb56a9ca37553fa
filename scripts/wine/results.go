package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// event is a line of the output of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// unit is a test, or, without Test, a package.
type unit struct{ Package, Test string }

// results is what tests have written, and how they ended.
type results struct {
	units   []unit // in the order in which they ended
	running map[unit]bool
	output  map[unit][]string
	failed  map[unit]bool
	excused int // tests that failed only because of Wine
}

// read reads the output of go test -json. Its error is about the reader, or a line
// that is not an event.
func read(r io.Reader) (*results, error) {
	all := &results{running: map[unit]bool{}, output: map[unit][]string{}, failed: map[unit]bool{}}
	for d := json.NewDecoder(r); ; {
		var e event
		switch err := d.Decode(&e); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("output of go test: %w", err)
		}
		u := unit{e.Package + e.ImportPath, e.Test} // the latter of a build
		switch e.Action {
		case "run", "start":
			all.running[u] = true
		case "output", "build-output":
			all.output[u] = append(all.output[u], e.Output)
		case "pass", "fail", "skip", "build-fail":
			delete(all.running, u)
			all.units = append(all.units, u)
			all.failed[u] = e.Action == "fail" || e.Action == "build-fail"
		}
	}
}

// uncleaned is how a test ends whose folder Wine could not empty.
const uncleaned = "TempDir RemoveAll cleanup: unlinkat "

// excuse reports whether a failed test says that its folder could not be emptied, or that a
// subtest failed, and nothing else.
func (r *results) excuse(u unit) bool {
	excused := false
	for _, line := range r.output[u] {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, uncleaned):
			excused = true
		case !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- FAIL: "):
			return false
		}
	}
	for other, failed := range r.failed {
		excused = excused || failed && other.Package == u.Package && strings.HasPrefix(other.Test, u.Test+"/")
	}
	return excused
}

// report writes a line for each package, and the output of what failed without an
// excuse, of which it returns the number.
func (r *results) report(w io.Writer) int {
	failures := map[string]int{}
	excused := map[string]int{}
	total := 0
	for _, u := range r.units {
		if u.Test == "" {
			continue
		}
		switch {
		case !r.failed[u]:
		case r.excuse(u):
			excused[u.Package]++
			r.excused++
		default:
			failures[u.Package]++
			total++
			fmt.Fprint(w, strings.Join(r.output[u], ""))
		}
	}
	for _, u := range r.units {
		if u.Test != "" {
			continue
		}
		broken := r.failed[u] && failures[u.Package] == 0 && excused[u.Package] == 0
		for other := range r.running {
			if other.Package == u.Package { // it crashed
				broken = true
				fmt.Fprint(w, strings.Join(r.output[other], ""))
			}
		}
		if broken {
			total++
			fmt.Fprint(w, strings.Join(r.output[u], ""))
		}
		fmt.Fprintf(w, "%s: %d failed, %d could not remove their files\n", u.Package, failures[u.Package],
			excused[u.Package])
	}
	return total
}
