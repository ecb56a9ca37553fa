package train

import (
	"fmt"
	"math"

	"skein/internal/record"
	"skein/nnue"
)

// objective is the training target of outputs.
type objective struct {
	slope       float64 // exponent of expected points per output of 1
	scoreScale  float64 // score units per exponent of 1
	resultShare float64
	limit       float64 // of the difference from the target in gradients
}

func (c *Config) objective(resultShare float64) objective {
	o := objective{float64(c.Architecture.Scale) / c.ScoreScale, c.ScoreScale, resultShare, c.Huber}
	if o.limit == 0 {
		o.limit = 1
	}
	return o
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// targets returns the expected points by the score, and the target blended from
// score and result.
func (o *objective) targets(s *sample) (score, blended float64) {
	score = sigmoid(s.score / o.scoreScale)
	return score, score + o.resultShare*(s.points-score)
}

// Loss is the mean squared error of expected points.
type Loss struct {
	Score   float64 // against the score alone
	Blended float64 // against the blended target of score and result
}

// add adds the squared errors of the expected points of a position.
func (l *Loss) add(points, score, blended float64) {
	l.Score += (points - score) * (points - score)
	l.Blended += (points - blended) * (points - blended)
}

// worker is the memory of one training thread.
type worker struct {
	sample      sample
	activations *activations
	gradients   []float32
	order       [][]int // indices of records, by bucket
	loss        Loss    // sums over samples
	fault       int     // index of the record with the error
	err         error
}

func newWorker(m *model) *worker {
	return &worker{
		activations: newActivations(&m.Architecture),
		gradients:   make([]float32, m.shared),
		order:       make([][]int, m.OutputBuckets),
	}
}

// evaluate adds up the losses of records lo up to hi of a batch and, if weight
// is not zero, adds their gradients times weight.
func (w *worker) evaluate(m *model, o *objective, records []record.Packed, lo, hi int, weight float64) {
	w.loss, w.err = Loss{}, nil
	w.sort(&m.Architecture, records, lo, hi)
	for _, list := range w.order {
		for _, i := range list {
			if w.err = w.learn(m, o, &records[i], weight); w.err != nil {
				w.fault = i
				return
			}
		}
	}
}

// learn evaluates one record.
func (w *worker) learn(m *model, o *objective, record *record.Packed, weight float64) error {
	s := &w.sample
	if err := s.decode(&m.Architecture, record); err != nil {
		return err
	}
	points := sigmoid(float64(m.forward(s, w.activations)) * o.slope)
	score, target := o.targets(s)
	w.loss.add(points, score, target)
	if weight != 0 {
		difference := min(max(points-target, -o.limit), o.limit)
		g := 2 * difference * points * (1 - points) * o.slope * weight
		m.backward(s, w.activations, w.gradients, float32(g))
	}
	return nil
}

// sort sorts the indices of records lo up to hi: with a head by output bucket,
// so that the layers of that bucket stay in the cache.
func (w *worker) sort(a *nnue.Architecture, records []record.Packed, lo, hi int) {
	for i := range w.order {
		w.order[i] = w.order[i][:0]
	}
	list := &w.order[0]
	for i := lo; i < hi; i++ {
		if a.HasHead() {
			men := records[i].Occupied().Count()
			list = &w.order[a.OutputBucket(min(max(men, 2), record.MaxMen))]
		}
		*list = append(*list, i)
	}
}

// fault returns the error of the first worker that has one, with the place of
// the record.
func fault(workers []*worker, s *stream, b *batch) error {
	for _, w := range workers {
		if w.err != nil {
			return s.fault(b, w.fault, w.err)
		}
	}
	return nil
}

// total returns the sum of the losses of the workers.
func total(workers []*worker) (sum Loss) {
	for _, w := range workers {
		sum.Score += w.loss.Score
		sum.Blended += w.loss.Blended
	}
	return sum
}

// checkFinite returns an error if the loss is infinite or not a number.
func (l Loss) checkFinite() error {
	if math.IsNaN(l.Blended) || math.IsInf(l.Blended, 0) {
		return fmt.Errorf("the loss is %g: the learning rate is too high", l.Blended)
	}
	return nil
}
