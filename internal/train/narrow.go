package train

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"skein/chess"
	"skein/nnue"
	"skein/position"
)

// Narrowing measures how much each neuron of a network without a head contributes to
// its values in positions, to remove those that contribute least.
//
// Source: M. Mozer and P. Smolensky, "Skeletonization: a technique for trimming the fat
// from a network via relevance assessment", 1988.
type Narrowing struct {
	net     *nnue.Network
	shape   nnue.Architecture // of the narrower network
	stack   *nnue.Stack
	outputs []contributions // by output bucket
}

// contributions are sums over positions of what each neuron adds to the output, for both
// sides together, and of its square. The unit of the former is that of output biases.
type contributions struct {
	positions    float64
	sum, squares []float64 // [Width]
}

// NewNarrowing returns a Narrowing of a network to width neurons, an error if that is
// impossible or the network has a head.
func NewNarrowing(net *nnue.Network, width int) (*Narrowing, error) {
	a := net.Architecture()
	if a.HasHead() {
		return nil, fmt.Errorf("%s: networks with a head cannot be narrowed", net.Name())
	}
	shape := a
	shape.Width = width
	if err := shape.Validate(); err != nil {
		return nil, err
	}
	if width > a.Width {
		return nil, fmt.Errorf("the network has only %d neurons, fewer than %d", a.Width, width)
	}
	n := &Narrowing{net, shape, nnue.NewStack(net, 0), make([]contributions, a.OutputBuckets)}
	for i := range n.outputs {
		n.outputs[i] = contributions{sum: make([]float64, a.Width), squares: make([]float64, a.Width)}
	}
	return n, nil
}

// Add measures a position, unless its value is beyond four pawns.
func (n *Narrowing) Add(p *position.Position) {
	n.stack.Reset(p)
	if value := n.stack.Evaluate(p); max(value, -value) > 4*chess.UnitsPerPawn {
		return
	}
	net := n.net.Parameters()
	bucket := net.OutputBucket(p.Occupied().Count())
	us := p.SideToMove()
	own, their := n.stack.Accumulator(us), n.stack.Accumulator(us.Other())
	weights := net.OutputWeights[2*bucket*net.Width:][:2*net.Width]
	c := &n.outputs[bucket]
	c.positions++
	for i := range net.Width {
		x := square(own[i])*float64(weights[i]) + square(their[i])*float64(weights[net.Width+i])
		c.sum[i] += x
		c.squares[i] += x * x
	}
}

// square returns the squared clipped ReLU of an element of an accumulator, in its unit.
func square(x int16) float64 {
	clipped := float64(min(max(x, 0), nnue.QA))
	return clipped * clipped / nnue.QA
}

// mean returns what neuron i adds to the output on average, zero without positions.
func (c *contributions) mean(i int) float64 { return c.sum[i] / max(c.positions, 1) }

// Network returns a network of the neurons whose contributions vary most, in their order.
// To the output biases it adds the means of the others. An empty name is that of the wider
// network.
func (n *Narrowing) Network(name string) (*nnue.Network, error) {
	wide, width := n.net.Parameters(), n.shape.Width
	variation, positions := make([]float64, wide.Width), 0.0
	for _, c := range n.outputs {
		positions += c.positions
		for i := range variation {
			variation[i] += c.squares[i] - c.sum[i]*c.mean(i)
		}
	}
	if positions == 0 {
		return nil, errors.New("no positions with values up to four pawns")
	}
	order := make([]int, wide.Width)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(variation[j], variation[i]) })
	kept, removed := order[:width], order[width:]
	slices.Sort(kept)

	p := nnue.NewParameters(n.shape)
	p.Name = cmp.Or(name, wide.Name)
	p.Description = fmt.Sprintf(
		"%s\nNarrowed by `tune narrow` from %d neurons to the %d that vary most in %.0f positions.\n",
		strings.TrimRight(wide.Description, "\n"), wide.Width, width, positions)
	keep(p.FeatureWeights, wide.FeatureWeights, kept, wide.Width)
	keep(p.FeatureBias, wide.FeatureBias, kept, wide.Width)
	keep(p.OutputWeights, wide.OutputWeights, kept, wide.Width)
	for bucket, bias := range wide.OutputBias {
		mean := 0.0
		for _, i := range removed {
			mean += n.outputs[bucket].mean(i)
		}
		p.OutputBias[bucket] = bias + int32(math.Round(mean))
	}
	return nnue.New(p)
}

// keep copies the elements kept of rows of the given width.
func keep(to, from []int16, kept []int, width int) {
	for row := range slices.Chunk(from, width) {
		for i, neuron := range kept {
			to[i] = row[neuron]
		}
		to = to[len(kept):]
	}
}
