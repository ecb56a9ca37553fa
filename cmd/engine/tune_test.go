//go:build tune

package main

import (
	"fmt"
	"strings"
	"testing"

	"skein/search"
)

// TestTunables sets a parameter as an option: it is listed with its limits,
// changes the search, and changes it back.
func TestTunables(t *testing.T) {
	session := func(lines ...string) string {
		var out, stderr strings.Builder
		if status := run(t.Context(), lines, strings.NewReader(""), &out, &stderr); status != 0 {
			t.Fatal(stderr.String(), out.String())
		}
		return out.String()
	}
	p := search.Tunables()[0]
	for _, q := range search.Tunables() {
		if q.Name == "reductionBase" {
			p = q
		}
	}
	before := *p.Value
	defer func() {
		*p.Value = before
		search.Retune()
	}()
	listed := fmt.Sprintf("option name %s type spin default %d min %d max %d\n", p.Name, before, p.Min, p.Max)
	if out := session("uci", "quit "); !strings.Contains(out, listed) {
		t.Errorf("no %q in\n%s", listed, out)
	}
	nodes := func(value int) string {
		out := session(fmt.Sprintf("setoption name %s value %d", p.Name, value), "bench 6 1 1")
		return out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:]
	}
	count := func(line string) string { return strings.Fields(line)[0] }
	a, b, again := count(nodes(before)), count(nodes(p.Max)), count(nodes(before))
	if a == b || a != again {
		t.Errorf("%s nodes, then %s, then %s", a, b, again)
	}
}

// TestSPSAInputs splits the text for OpenBench's form at line feeds, as OpenBench
// does: every part is a parameter.
func TestSPSAInputs(t *testing.T) {
	var out, stderr strings.Builder
	if status := run(t.Context(), []string{"spsa"}, strings.NewReader(""), &out, &stderr); status != 0 {
		t.Fatal(stderr.String(), out.String())
	}
	lines := strings.Split(out.String(), "\n")
	parameters := search.Tunables()
	if len(lines) != len(parameters) {
		t.Fatalf("%d lines for %d parameters:\n%s", len(lines), len(parameters), &out)
	}
	for i, p := range parameters {
		want := fmt.Sprintf("%s, int, %d, %d, %d, %g, %g", p.Name, *p.Value, p.Min, p.Max, p.Step, 0.002)
		if lines[i] != want {
			t.Errorf("%q, want %q", lines[i], want)
		}
	}
}
