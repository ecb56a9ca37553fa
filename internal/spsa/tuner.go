// Package spsa tunes parameters of the search by games: simultaneous perturbation
// stochastic approximation, in many processes, with files that keep a run.
package spsa

import (
	"math"
	"math/rand/v2"
)

// Exponents and the share of iterations by which the first are held back.
const (
	alpha     = 0.602
	gamma     = 0.101
	holdShare = 0.1
)

// Tuner tunes parameters by simultaneous perturbation stochastic approximation:
// an iteration changes all at once, each up or down by chance, and moves them
// towards the side that wins.
//
// Source: J. C. Spall, "Implementation of the Simultaneous Perturbation
// Algorithm for Stochastic Optimization", 1998.
type Tuner struct {
	Parameters []Parameter
	Iterations int
	Seed       uint64

	Done   int       // iterations
	Values []float64 // of the parameters
	Wins   int64     // of games, by the values that were changed one way
	Draws  int64
	Losses int64
}

// NewTuner returns a tuner at the start of its first iteration.
func NewTuner(parameters []Parameter, iterations int, seed uint64) *Tuner {
	t := &Tuner{Parameters: parameters, Iterations: iterations, Seed: seed}
	for _, p := range parameters {
		t.Values = append(t.Values, float64(p.Start))
	}
	return t
}

// flips returns for each parameter which way the next iteration changes it: 1 or
// -1. It depends on the seed and the iteration alone.
func (t *Tuner) flips() []float64 {
	r := rand.New(rand.NewPCG(t.Seed, uint64(t.Done)))
	list := make([]float64, len(t.Parameters))
	for i := range list {
		list[i] = float64(2*r.IntN(2) - 1)
	}
	return list
}

// gains returns the change that the next iteration tries for p, and the factor by
// which the outcome moves it.
func (t *Tuner) gains(p *Parameter) (change, rate float64) {
	k, n := float64(t.Done+1), float64(t.Iterations)
	hold := holdShare * n
	change = p.CEnd * math.Pow(n/k, gamma)
	step := p.REnd * p.CEnd * p.CEnd * math.Pow((hold+n)/(hold+k), alpha)
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

// learn ends the iteration with the games that the first side has won, drawn and
// lost.
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

// Tuned returns the parameters with the values found so far as their start.
func (t *Tuner) Tuned() []Parameter {
	list := make([]Parameter, len(t.Parameters))
	for i, p := range t.Parameters {
		p.Start = int(math.Round(t.Values[i]))
		list[i] = p
	}
	return list
}
