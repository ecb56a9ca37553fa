//go:build debug

package nnue

import (
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/invariant"
	"skein/position"
)

// wantViolation expects f to violate an invariant with a message that contains
// want.
func wantViolation(t *testing.T, name string, f func(), want string) {
	t.Helper()
	if v := invariant.Catch(f); v == nil || !strings.Contains(v.Message, want) {
		t.Errorf("%s: violation %v, want %q", name, v, want)
	}
}

// TestFaultyEvaluate evaluates with damaged accumulators, moves and king maps,
// and with a value that is too large.
func TestFaultyEvaluate(t *testing.T) {
	for _, head := range []bool{false, true} {
		for _, fault := range accumulatorFaults {
			s, p := line(t, smallNetwork(t, head))
			fault.damage(s)
			wantViolation(t, fault.name, func() { s.Evaluate(p) }, fault.want)
		}
	}
	p := position.Start()
	for _, value := range []chess.Score{chess.MaxEval + 1, -chess.MaxEval - 1} {
		wantViolation(t, "value", func() { invariant.NoError(validateValue(&p, value)) }, p.FEN()+": value ")
	}
	if err := validateValue(&p, -chess.MaxEval); err != nil {
		t.Error(err)
	}
}

// TestFaultyPop calls Pop more often than Push.
func TestFaultyPop(t *testing.T) {
	s, _ := line(t, smallNetwork(t, false))
	s.Pop()
	s.Pop()
	wantViolation(t, "third Pop", s.Pop, "Pop at the start")
}
