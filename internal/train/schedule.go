package train

import (
	"fmt"
	"math"
)

// Kind is the shape of a learning-rate schedule.
type Kind string

// The kinds.
const (
	Constant Kind = "constant" // Start throughout
	Step     Kind = "step"     // Start, times Gamma every Every superbatches
	Cosine   Kind = "cosine"   // from Start to End along half a cosine
)

// Schedule is the learning rate over a run.
type Schedule struct {
	Kind       Kind
	Start, End float64
	Gamma      float64 // of Step
	Every      int     // of Step: in superbatches
	Warmup     int64   // batches at the start in which the rate rises linearly from zero; at most a tenth of the run
}

func (s *Schedule) validate() error {
	switch {
	case s.Kind != Constant && s.Kind != Step && s.Kind != Cosine:
		return fmt.Errorf("learning-rate schedule %q is not one of constant, step, cosine", s.Kind)
	case !(s.Start > 0 && s.Start <= 1):
		return fmt.Errorf("learning rate %g is not above 0 and up to 1", s.Start)
	case s.Kind == Cosine && !(s.End >= 0 && s.End <= 1):
		return fmt.Errorf("last learning rate %g is not 0 to 1", s.End)
	case s.Kind == Step && !(s.Gamma > 0 && s.Gamma <= 1):
		return fmt.Errorf("the factor %g of the learning rate is not above 0 and up to 1", s.Gamma)
	case s.Kind == Step && s.Every < 1:
		return fmt.Errorf("a step every %d superbatches: their number must be positive", s.Every)
	case s.Warmup < 0:
		return fmt.Errorf("a warm-up of %d batches is negative", s.Warmup)
	}
	return nil
}

// highest returns the highest learning rate of a run.
func (s *Schedule) highest() float64 {
	if s.Kind == Cosine {
		return max(s.Start, s.End)
	}
	return s.Start
}

// at returns the learning rate in a batch, from 0, of a run of total batches,
// with perStep batches per superbatch.
func (s *Schedule) at(batch, perStep, total int64) float64 {
	rate := s.Start
	switch s.Kind {
	case Step:
		rate *= math.Pow(s.Gamma, float64(batch/perStep/int64(s.Every)))
	case Cosine:
		rate = s.End + (s.Start-s.End)*(1+math.Cos(math.Pi*float64(batch)/float64(total)))/2
	}
	if warmup := min(s.Warmup, total/10); batch < warmup {
		rate *= float64(batch+1) / float64(warmup)
	}
	return rate
}
