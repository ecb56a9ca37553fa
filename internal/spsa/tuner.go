// Package spsa tunes parameters of the search by simultaneous perturbation
// stochastic approximation (SPSA), and measures many changes of them in the same
// games, which several processes play. A run is stored in files and can be continued.
package spsa

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Constants of the gain sequences.
const (
	alpha          = 0.602 // exponent of the step size
	gamma          = 0.101 // exponent of the perturbation
	stabilityShare = 0.1   // stability constant, as a share of the iterations
)

// Tuner is the state of SPSA: every iteration changes each parameter up or down at
// random, plays the changed values against their opposites, and moves the
// parameters toward the side that wins.
//
// Source: J. C. Spall, "Implementation of the Simultaneous Perturbation
// Algorithm for Stochastic Optimization", 1998.
type Tuner struct {
	Parameters []Parameter
	Iterations int
	Seed       uint64

	Done   int       // completed iterations
	Values []float64 // current values of the parameters
	Wins   int64     // games won by the side with the positive perturbation
	Draws  int64
	Losses int64
}

// NewTuner returns a tuner before its first iteration.
func NewTuner(parameters []Parameter, iterations int, seed uint64) *Tuner {
	t := &Tuner{Parameters: parameters, Iterations: iterations, Seed: seed}
	for _, p := range parameters {
		t.Values = append(t.Values, float64(p.Start))
	}
	return t
}

// check returns an error if the state, which comes from a file, is not one that learn
// leaves.
func (t *Tuner) check() error {
	if t.Done < 0 || t.Done > t.Iterations {
		return fmt.Errorf("%d of %d iterations are done", t.Done, t.Iterations)
	}
	if len(t.Values) != len(t.Parameters) {
		return fmt.Errorf("%d values of %d parameters", len(t.Values), len(t.Parameters))
	}
	for i, v := range t.Values {
		if p := &t.Parameters[i]; !(v >= float64(p.Min) && v <= float64(p.Max)) {
			return fmt.Errorf("%s is %d to %d, not %g", p.Name, p.Min, p.Max, v)
		}
	}
	return nil
}

// flips returns the directions in which the next iteration changes the parameters,
// 1 or -1. They depend only on the seed and the number of the iteration.
func (t *Tuner) flips() []float64 {
	r := rand.New(rand.NewPCG(t.Seed, uint64(t.Done)))
	list := make([]float64, len(t.Parameters))
	for i := range list {
		list[i] = float64(2*r.IntN(2) - 1)
	}
	return list
}

// gains returns the perturbation of p in the next iteration, and the change of its
// value for each win more than losses.
func (t *Tuner) gains(p *Parameter) (change, rate float64) {
	k, n := float64(t.Done+1), float64(t.Iterations)
	stability := stabilityShare * n
	change = p.CEnd * math.Pow(n/k, gamma)
	step := p.REnd * p.CEnd * p.CEnd * math.Pow((stability+n)/(stability+k), alpha)
	return change, step / change
}

// sides returns the values of both sides in the next iteration.
func (t *Tuner) sides() (plus, minus []int) {
	flips := t.flips()
	for i := range t.Parameters {
		p := &t.Parameters[i]
		change, _ := t.gains(p)
		at := func(x float64) int { return min(max(int(math.Round(x)), p.Min), p.Max) }
		plus = append(plus, at(t.Values[i]+flips[i]*change))
		minus = append(minus, at(t.Values[i]-flips[i]*change))
	}
	return plus, minus
}

// learn completes the iteration with the numbers of games that the first side has
// won, drawn and lost.
func (t *Tuner) learn(wins, draws, losses int64) {
	flips := t.flips()
	for i := range t.Parameters {
		p := &t.Parameters[i]
		_, rate := t.gains(p)
		value := t.Values[i] + rate*float64(wins-losses)*flips[i]
		t.Values[i] = min(max(value, float64(p.Min)), float64(p.Max))
	}
	t.Wins, t.Draws, t.Losses = t.Wins+wins, t.Draws+draws, t.Losses+losses
	t.Done++
}

// Tuned returns the parameters with their current values as initial values.
func (t *Tuner) Tuned() []Parameter {
	list := make([]Parameter, len(t.Parameters))
	for i, p := range t.Parameters {
		p.Start = int(math.Round(t.Values[i]))
		list[i] = p
	}
	return list
}
