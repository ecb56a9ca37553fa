package train

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"skein/internal/simd"
	"skein/nnue"
)

// warmStart replaces the weights by those of a network file, as take does, makes
// them what weight decay leads to, and returns the hash of the network and the number
// of weights that were clipped.
func (m *model) warmStart(name string) (hash string, clipped int, err error) {
	net, err := nnue.LoadFile(name)
	if err != nil {
		return "", 0, err
	}
	drawn := slices.Clone(m.parameters)
	if clipped, err = m.take(net.Parameters()); err != nil {
		return "", 0, fmt.Errorf("%s: %w", name, err)
	}
	m.origin = make([]float32, len(m.parameters))
	for i, x := range m.parameters {
		if x != drawn[i] {
			m.origin[i] = x
		}
	}
	return net.Hash(), clipped, nil
}

// take replaces the weights by those of p. If m has a head and p does not, only feature weights and biases are
// replaced; p may then have half the width, and each neuron is used twice, since the product of two equal neurons is
// the squared activation. A single feature table becomes that which several have in common. It returns the number of
// weights that training bounds more narrowly, and which were clipped.
func (m *model) take(p *nnue.Parameters) (clipped int, err error) {
	if m.HasHead() && !p.HasHead() && m.Width == 2*p.Width {
		p = doubled(p)
	}
	if err := m.agrees(&p.Architecture); err != nil {
		return 0, err
	}
	clipped = dequantize(m.parameters[:m.tables], p.FeatureBias, nnue.QA, maxFeature) + m.takeTables(p)
	if m.HasHead() != p.HasHead() {
		return clipped, nil
	}
	outputs, biases := m.parameters[m.outputs:m.biases], m.parameters[m.biases:m.biases+m.OutputBuckets]
	if !m.HasHead() {
		scale := float64(m.Scale) / float64(p.Scale) // with another scale, the same values need other weights
		for _, w := range p.OutputWeights {
			if math.Abs(float64(w)) > math.Ceil(maxOutput*nnue.QB*scale) {
				return 0, fmt.Errorf("the output weights are too large for scale %d; theirs is %d", m.Scale, p.Scale)
			}
		}
		clipped += dequantize(outputs, p.OutputWeights, nnue.QB*scale, maxOutput)
		clipped += dequantize(biases, p.OutputBias, nnue.QA*nnue.QB*scale, maxOutput)
		return clipped, nil
	}
	clipped += m.takeHead(p)
	clipped += dequantize(outputs, p.OutputWeights, nnue.QO, headLimit)
	clipped += dequantize(biases, p.OutputBias, nnue.QH*nnue.QO, headLimit)
	return clipped, nil
}

// agrees returns an error if the weights of a network of the given shape cannot
// be used.
func (m *model) agrees(from *nnue.Architecture) error {
	switch {
	case from.Width != m.Width:
		return fmt.Errorf("weights of width %d do not fit width %d", from.Width, m.Width)
	case from.Tables() != 1 && from.KingBuckets != m.KingBuckets:
		return fmt.Errorf("weights of %d king buckets do not fit %d", from.KingBuckets, m.KingBuckets)
	case from.Tables() != 1 && from.Threats != m.Threats:
		return errors.New("weights with and without features of threatened pieces do not fit each other")
	case from.Dangers && !m.Dangers:
		return errors.New("weights with features of dangers do not fit a network without")
	case from.Tables() != 1 && from.KingMap != m.KingMap:
		return fmt.Errorf("weights of another king map, %d, do not fit %d", from.KingMap, m.KingMap)
	case from.OutputBuckets != m.OutputBuckets:
		return fmt.Errorf("weights of %d output buckets do not fit %d", from.OutputBuckets, m.OutputBuckets)
	case from.HasHead() && from.Layers != m.Layers:
		return fmt.Errorf("weights of layers %d do not fit layers %d", from.Layers, m.Layers)
	case from.HasHead() && from.Scale != m.Scale:
		return fmt.Errorf("weights of scale %d do not fit scale %d", from.Scale, m.Scale)
	}
	return nil
}

// doubled returns p with every neuron twice. The weights of the copies differ randomly by up to two units, because
// equal neurons would stay equal during training.
func doubled(p *nnue.Parameters) *nnue.Parameters {
	a := p.Architecture
	a.Width *= 2
	d := nnue.NewParameters(a)
	r := rand.New(rand.NewPCG(1, 0))
	double := func(to, from []int16) {
		for i := range len(from) / p.Width {
			row := from[i*p.Width:][:p.Width]
			copy(to[i*a.Width:], row)
			for j, w := range row {
				to[i*a.Width+p.Width+j] = w + int16(r.IntN(5)) - 2
			}
		}
	}
	double(d.FeatureWeights, p.FeatureWeights)
	double(d.FeatureBias, p.FeatureBias)
	return d
}

// takeTables replaces the feature tables and, where p has them, the rows of dangers. If there are several tables, what
// they have in common becomes the mean of the tables, and the tables the differences from it. The other factorizers
// become zero. It returns the number of weights that were clipped.
func (m *model) takeTables(p *nnue.Parameters) (clipped int) {
	tables, size := m.parameters[m.tables:m.dangers], m.tableSize()
	from, dangers := p.FeatureWeights[:p.Tables()*size], p.FeatureWeights[p.Tables()*size:]
	clear(m.parameters[m.shared:])
	dequantize(tables, from, nnue.QA, 2*maxFeature)
	if m.Tables() > 1 {
		common := m.common()
		row := make([]int32, 1)
		for table := 0; table < len(from); table += size {
			simd.AddToRowsFloat(common, tables[table:][:size], row)
		}
		for i, sum := range common {
			mean := sum * float32(size) / float32(len(from))
			common[i] = min(max(mean, -maxFeature), maxFeature)
		}
		for at := len(from); at < len(tables); at += len(from) { // copies of a single table
			copy(tables[at:], tables[:len(from)])
		}
		for i := range tables {
			tables[i] -= common[i%size]
		}
	}
	for i, x := range tables {
		tables[i] = min(max(x, -maxFeature), maxFeature)
	}
	clipped = dequantize(m.parameters[m.dangers:m.first], dangers, nnue.QA, maxDanger)
	m.foldAll()
	for i, sum := range m.sums[:len(tables)] {
		if math.Abs(float64(sum)*nnue.QA-float64(from[i%len(from)])) > 0.5 {
			clipped++
		}
	}
	return clipped
}

// takeHead replaces the layers of the head. It returns the number of weights that were clipped.
func (m *model) takeHead(p *nnue.Parameters) (clipped int) {
	first, second := m.Layers[0], m.Layers[1]
	for bucket := range m.OutputBuckets {
		l := m.layers(m.parameters, bucket)
		rows := make([]float32, len(l.first))
		clipped += dequantize(rows, p.FirstWeights[bucket*first*m.Width:], nnue.QB, firstLimit)
		copy(l.first, transposed(rows, m.Width))
		clipped += dequantize(l.firstBias, p.FirstBias[bucket*first:], firstUnit, firstLimit)
		rows = rows[:len(l.second)]
		clipped += dequantize(rows, p.SecondWeights[bucket*2*first*second:], nnue.QO, secondLimit)
		copy(l.second, transposed(rows, 2*first))
		clipped += dequantize(l.secondBias, p.SecondBias[bucket*second:], nnue.QH*nnue.QO, secondLimit)
	}
	return clipped
}

// dequantize is the inverse of roundTo, clipped to ±limit, for the elements of
// from. It returns the number of those that exceed the limit after rounding, too.
func dequantize[T int8 | int16 | int32](to []float32, from []T, unit, limit float64) (clipped int) {
	for i := range to[:min(len(to), len(from))] {
		x := float64(from[i])
		to[i] = float32(min(max(x/unit, -limit), limit))
		if math.Abs(x) > math.Round(limit*unit) {
			clipped++
		}
	}
	return clipped
}
