//go:build linux

package main

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// history returns n samples, all alike, but for one metric, which is base and grows by
// step from one to the next.
func history(n, metric int, base, step float64) []sample {
	samples := make([]sample, n)
	for i := range samples {
		samples[i].seconds = float64(30 * i)
		for range metrics {
			samples[i].values = append(samples[i].values, 100<<20)
		}
		samples[i].values[metric] = uint64(base + step*float64(i))
	}
	return samples
}

// TestJudge plants a leak in each metric, and checks that noise and what fills in the
// beginning are not taken for one.
func TestJudge(t *testing.T) {
	for i, m := range metrics {
		if err := judge(history(200, i, 1000*m.scale, 0), t.Output()); err != nil {
			t.Errorf("%s is constant: %v", m.name, err)
		}
		leak := history(200, i, 1000*m.scale, (1+m.slack)*m.scale/50)
		if err := judge(leak, t.Output()); err == nil || !strings.HasPrefix(err.Error(), m.name+" grew from 10") {
			t.Errorf("%s grows: %v", m.name, err)
		}
		noise := history(200, i, 1000*m.scale, 0)
		for n := range noise {
			if n < 30 {
				noise[n].values[i] /= 2
			} else if n%5 == 0 {
				noise[n].values[i] *= 2
			}
		}
		if err := judge(noise, t.Output()); err != nil {
			t.Errorf("%s varies: %v", m.name, err)
		}
		if err := judge(leak[:minSamples-1], t.Output()); err != nil {
			t.Errorf("too few samples: %v", err)
		}
	}
}

// TestRounds plays each kind of round, and samples the process at rest.
func TestRounds(t *testing.T) {
	p, err := newPlayer(rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	for _, k := range kinds {
		for range 3 {
			if err := k.play(p); err != nil {
				t.Fatalf("%s: %v", k.name, err)
			}
		}
	}
	if err := p.rest(); err != nil {
		t.Fatal(err)
	}
	s, err := takeSample()
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range s.values {
		if v == 0 {
			t.Errorf("%s is 0", metrics[i].name)
		}
	}
	if columns := strings.Count(header(), ","); strings.Count(s.String(), ",") != columns {
		t.Errorf("%v does not have the columns %s", s, header())
	}
	if err := p.end(true); err != nil || p.faults > 0 {
		t.Errorf("%d faults, error %v", p.faults, err)
	}
}

// TestFault checks that a line which must not be written is reported.
func TestFault(t *testing.T) {
	var fault error
	s, err := startSession(func(err error) { fault = err })
	if err != nil {
		t.Fatal(err)
	}
	s.Write([]byte("bestmove e2e4\n"))
	if fault == nil || !strings.Contains(fault.Error(), "no search is running") {
		t.Errorf("fault %v", fault)
	}
	if err := s.end(false); err != nil {
		t.Error(err)
	}
}
