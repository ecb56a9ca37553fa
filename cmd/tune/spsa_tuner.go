package main

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// parameter is a whole number to tune.
type parameter struct {
	Name     string
	Start    int
	Min, Max int
	CEnd     float64 // change to try in the last iteration
	REnd     float64 // learning rate of the last iteration
}

// String returns the parameter as OpenBench reads it: name, type, value, minimum,
// maximum, C_end, R_end.
func (p *parameter) String() string {
	return fmt.Sprintf("%s, int, %d, %d, %d, %g, %g", p.Name, p.Start, p.Min, p.Max, p.CEnd, p.REnd)
}

// Exponents and the share of iterations by which the first are held back.
const (
	spsaAlpha     = 0.602
	spsaGamma     = 0.101
	spsaHoldShare = 0.1
)

// tuner tunes parameters by simultaneous perturbation stochastic approximation:
// an iteration changes all at once, each up or down by chance, and moves them
// towards the side that wins.
//
// Source: J. C. Spall, "Implementation of the Simultaneous Perturbation
// Algorithm for Stochastic Optimization", 1998.
type tuner struct {
	Parameters []parameter
	Iterations int
	Seed       uint64

	Done   int       // iterations
	Values []float64 // of the parameters
	Wins   int64     // of games, by the values that were changed one way
	Draws  int64
	Losses int64
}

func newTuner(parameters []parameter, iterations int, seed uint64) *tuner {
	t := &tuner{Parameters: parameters, Iterations: iterations, Seed: seed}
	for _, p := range parameters {
		t.Values = append(t.Values, float64(p.Start))
	}
	return t
}

// flips returns for each parameter which way the next iteration changes it: 1 or
// -1. It depends on the seed and the iteration alone.
func (t *tuner) flips() []float64 {
	r := rand.New(rand.NewPCG(t.Seed, uint64(t.Done)))
	list := make([]float64, len(t.Parameters))
	for i := range list {
		list[i] = float64(2*r.IntN(2) - 1)
	}
	return list
}

// gains returns the change that the next iteration tries for p, and the factor by
// which the outcome moves it.
func (t *tuner) gains(p *parameter) (change, rate float64) {
	k, n := float64(t.Done+1), float64(t.Iterations)
	hold := spsaHoldShare * n
	change = p.CEnd * math.Pow(n/k, spsaGamma)
	step := p.REnd * p.CEnd * p.CEnd * math.Pow((hold+n)/(hold+k), spsaAlpha)
	return change, step / change
}

// sides returns the values of both sides in the next iteration.
func (t *tuner) sides() (plus, minus []int) {
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
func (t *tuner) learn(wins, draws, losses int64) {
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

// tuned returns the parameters with the values found so far as their start.
func (t *tuner) tuned() []parameter {
	list := make([]parameter, len(t.Parameters))
	for i, p := range t.Parameters {
		p.Start = int(math.Round(t.Values[i]))
		list[i] = p
	}
	return list
}
