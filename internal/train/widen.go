package train

import (
	"fmt"
	"strings"

	"skein/nnue"
)

// Widen returns a network of p with neurons of zero weight behind its own. Its
// values are the same.
func Widen(p *nnue.Parameters, width int) (*nnue.Network, error) {
	if width < p.Width {
		return nil, fmt.Errorf("the network is wider than %d already: %d", width, p.Width)
	}
	a := p.Architecture
	a.Width = width
	if err := a.Validate(); err != nil {
		return nil, err
	}
	wide := nnue.NewParameters(a)
	wide.Name = fmt.Sprintf("%s-%d", p.Name, width)
	wide.Description = fmt.Sprintf("%s\nWidened by `tune widen` from %d neurons.\n",
		strings.TrimRight(p.Description, "\n"), p.Width)
	from, to := p.Width, width
	if p.HasHead() {
		from, to = from/2, to/2 // pairs stay pairs
	}
	spread(wide.FeatureWeights, p.FeatureWeights, from, to)
	spread(wide.FeatureBias, p.FeatureBias, from, to)
	if p.HasHead() {
		spread(wide.FirstWeights, p.FirstWeights, from, to)
		copy(wide.FirstBias, p.FirstBias)
		copy(wide.SecondWeights, p.SecondWeights)
		copy(wide.SecondBias, p.SecondBias)
		copy(wide.OutputWeights, p.OutputWeights)
	} else {
		spread(wide.OutputWeights, p.OutputWeights, from, to)
	}
	copy(wide.OutputBias, p.OutputBias)
	return nnue.New(wide)
}

// spread copies rows of n weights to rows of more.
func spread[T int8 | int16](to, from []T, n, more int) {
	for i := range len(from) / n {
		copy(to[i*more:], from[i*n:][:n])
	}
}
