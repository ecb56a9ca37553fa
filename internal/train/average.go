package train

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"skein/nnue"
)

// Average returns the network whose weights are the rounded means of those of
// networks that should be trained from the same one: it keeps what they learned in
// common rather than what each overfitted to. An empty name is that of the first.
// It is an error if there are fewer than two, if shapes or scales differ, or if
// they have a head, whose neurons are sorted when it is written, so that those of
// two networks do not correspond.
//
// Source: M. Wortsman et al., "Model soups: averaging weights of multiple
// fine-tuned models improves accuracy without increasing inference time", 2022.
func Average(networks []*nnue.Network, name string) (*nnue.Network, error) {
	if len(networks) < 2 {
		return nil, errors.New("an average needs at least two networks")
	}
	first := networks[0]
	a := first.Architecture()
	if a.HasHead() {
		return nil, fmt.Errorf("%s: networks with a head cannot be averaged", first.Name())
	}
	var names []string
	for _, n := range networks {
		shape := n.Architecture()
		shape.Scale = a.Scale
		switch {
		case shape != a:
			return nil, fmt.Errorf("%s, %s, and %s, %s, differ in shape", n.Name(), shape, first.Name(), a)
		case n.Architecture() != a:
			return nil, fmt.Errorf("%s has scale %d, and %s has %d: average networks before `tune normalise`",
				n.Name(), n.Architecture().Scale, first.Name(), a.Scale)
		}
		names = append(names, n.Name()+" "+n.Hash())
	}
	p := nnue.NewParameters(a)
	p.Name = cmp.Or(name, first.Name())
	p.Description = fmt.Sprintf("%s\nMeans of the weights of %s, by `tune average`.\n",
		strings.TrimRight(first.Description(), "\n"), strings.Join(names, ", "))
	mean(p.FeatureWeights, networks, func(p *nnue.Parameters) []int16 { return p.FeatureWeights })
	mean(p.FeatureBias, networks, func(p *nnue.Parameters) []int16 { return p.FeatureBias })
	mean(p.OutputWeights, networks, func(p *nnue.Parameters) []int16 { return p.OutputWeights })
	mean(p.OutputBias, networks, func(p *nnue.Parameters) []int32 { return p.OutputBias })
	return nnue.New(p)
}

// mean sets dst to the means of a part of the networks, rounded, halves to even: away from
// zero, as many as there are of two networks, they would make weights larger on average.
func mean[T int16 | int32](dst []T, networks []*nnue.Network, part func(*nnue.Parameters) []T) {
	sums := make([]float64, len(dst))
	for _, n := range networks {
		for i, w := range part(n.Parameters()) {
			sums[i] += float64(w)
		}
	}
	for i, sum := range sums {
		dst[i] = T(math.RoundToEven(sum / float64(len(networks))))
	}
}
