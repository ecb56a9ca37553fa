package inspect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"skein/internal/dataset"
	"skein/internal/record"
	"skein/nnue"
	"skein/position"
)

// Activity counts how often neurons are active and clipped in positions.
type Activity struct {
	views   int   // accumulators, two for each position
	active  []int // for each neuron: accumulators in which it is above zero
	clipped []int // for each neuron: accumulators in which it is clipped
	head    *headActivity
}

var errEnough = errors.New("enough positions")

// MeasureActivity counts the activity of the neurons of net in the first positions of
// a file, at most limit. It is an error if there are none.
func MeasureActivity(ctx context.Context, net *nnue.Network, name string, limit int) (*Activity, error) {
	p := net.Parameters()
	a := &Activity{active: make([]int, p.Width), clipped: make([]int, p.Width)}
	if p.HasHead() {
		a.head = newHeadActivity(p)
	}
	stack := nnue.NewStack(net, 0)
	err := dataset.Entries(ctx, []string{name}, record.DefaultFilter(), 1, func(e *dataset.Entry) error {
		acc := accumulators(stack, &e.Position)
		a.add(acc[0])
		a.add(acc[1])
		if a.head != nil {
			a.head.add(acc, p.OutputBucket(e.Position.Occupied().Count()))
		}
		if a.views/2 >= limit {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	if err == nil && a.views == 0 {
		err = fmt.Errorf("%s: no positions", name)
	}
	return a, err
}

// accumulators returns those of both sides in p, that of the side to move first.
func accumulators(s *nnue.Stack, p *position.Position) [2][]int16 {
	s.Reset(p)
	us := p.SideToMove()
	return [2][]int16{s.Accumulator(us), s.Accumulator(us.Other())}
}

// add counts an accumulator.
func (a *Activity) add(acc []int16) {
	a.views++
	for i, x := range acc {
		if x > 0 {
			a.active[i]++
		}
		if x >= nnue.QA {
			a.clipped[i]++
		}
	}
}

// String returns lines about dead neurons and about the distribution of activity.
func (a *Activity) String() string {
	b := new(strings.Builder)
	never, always, total := 0, 0, 0
	shares := make([]float64, len(a.active))
	for i, n := range a.active {
		total += n
		shares[i] = 100 * float64(n) / float64(a.views)
		if n == 0 {
			never++
		}
		if a.clipped[i] == a.views {
			always++
		}
	}
	slices.Sort(shares)
	at := func(q float64) float64 { return shares[int(q*float64(len(shares)-1))] }
	fmt.Fprintf(b, "in %d positions: %d neurons never active, %d always clipped; active on average %.1f %%\n",
		a.views/2, never, always, 100*float64(total)/float64(a.views*len(a.active)))
	fmt.Fprintf(b, "activity of neurons: minimum %.1f %%, quartiles %.1f %%, %.1f %%, %.1f %%, maximum %.1f %%\n",
		at(0), at(0.25), at(0.5), at(0.75), at(1))
	if a.head != nil {
		a.head.write(b)
	}
	return b.String()
}
