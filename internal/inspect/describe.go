// Package inspect describes networks: their shape, lineage and weights, the
// activity of neurons in positions, and an image of the input weights.
package inspect

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"skein/chess"
	"skein/nnue"
)

// Describe returns several lines about the shape, lineage and weights of a network.
func Describe(net *nnue.Network) string {
	b := new(strings.Builder)
	p := net.Parameters()
	fmt.Fprintf(b, "name          %s\nhash          %s\narchitecture  %s\n", p.Name, net.Hash(), p.Architecture)
	fmt.Fprintf(b, "scale         %d units of 1/%d pawn, weights in units of 1/%d and 1/%d",
		p.Scale, chess.UnitsPerPawn, nnue.QA, nnue.QB)
	outputUnit, nextLayer := nnue.QA*nnue.QB, "in any output"
	if p.HasHead() {
		fmt.Fprintf(b, ", after the first layer 1/%d", nnue.QO)
		outputUnit, nextLayer = nnue.QH*nnue.QO, "in any first layer"
	}
	parameters := len(p.FeatureWeights) + len(p.FeatureBias) + len(p.FirstWeights) + len(p.FirstBias) +
		len(p.SecondWeights) + len(p.SecondBias) + len(p.OutputWeights) + len(p.OutputBias)
	fmt.Fprintf(b, "\nparameters    %d\n", parameters)
	if p.KingBuckets > 1 {
		b.WriteString("king map      files a-d, the own back rank at the bottom\n")
		for rank := 7; rank >= 0; rank-- {
			fmt.Fprintf(b, "              %2d\n", p.KingMap[rank*4:][:4])
		}
	}
	b.WriteString("\n" + strings.TrimSpace(p.Description) + "\n")
	weightHistogram(b, "feature weights", p.FeatureWeights)
	weightHistogram(b, "feature bias", p.FeatureBias)
	if p.HasHead() {
		weightHistogram(b, "first layer weights", p.FirstWeights)
		weightHistogram(b, "first layer bias", p.FirstBias)
		weightHistogram(b, "second layer weights", p.SecondWeights)
		weightHistogram(b, "second layer bias", p.SecondBias)
	}
	weightHistogram(b, "output weights", p.OutputWeights)
	fmt.Fprintf(b, "\noutput bias, 1/%d pawn:", chess.UnitsPerPawn)
	for _, bias := range p.OutputBias {
		fmt.Fprintf(b, " %.1f", float64(bias)*float64(p.Scale)/float64(outputUnit))
	}
	unused, never, always := deadNeurons(p)
	fmt.Fprintf(b, "\n\nneurons: %d, of which %d have no weight %s, %d can never be active, %d are always clipped\n",
		p.Width, unused, nextLayer, never, always)
	return b.String()
}

// weightHistogram prints the mean and root mean square of weights, and a histogram
// by sign and number of bits.
func weightHistogram[T int8 | int16 | int32](b *strings.Builder, title string, weights []T) {
	const zero = 32
	var counts [2*zero + 1]int64 // zero±n: weights of n bits
	sum, squares := 0.0, 0.0
	for _, w := range weights {
		x := float64(w)
		sum += x
		squares += x * x
		n := bits.Len(uint(max(int(w), -int(w))))
		if w < 0 {
			n = -n
		}
		counts[zero+n]++
	}
	n := float64(len(weights))
	fmt.Fprintf(b, "\n%s: %d, %d to %d, mean %.2f, root mean square %.2f\n", title, len(weights),
		slices.Min(weights), slices.Max(weights), sum/n, math.Sqrt(squares/n))
	most := slices.Max(counts[:])
	for i, count := range counts {
		if count > 0 {
			bar := strings.Repeat("#", int(40*count/most))
			fmt.Fprintf(b, "  %15s %9d %5.1f %%  %s\n", bitsLabel(i-zero), count, 100*float64(count)/n, bar)
		}
	}
}

// bitsLabel returns the range of the weights with that many bits, negative ones for
// a negative number.
func bitsLabel(bits int) string {
	switch {
	case bits == 0:
		return "0"
	case bits == 1 || bits == -1:
		return fmt.Sprint(bits)
	case bits < 0:
		return fmt.Sprintf("%d to %d", -(1<<-bits - 1), -(1 << (-bits - 1)))
	}
	return fmt.Sprintf("%d to %d", 1<<(bits-1), 1<<bits-1)
}

// outputStrength returns the sum of the absolute weights of neuron n in all
// outputs, or, with a head, of its products in all first layers.
func outputStrength(p *nnue.Parameters, n int) int {
	sum := 0
	if p.HasHead() {
		half := p.Width / 2
		for i := n % half; i < len(p.FirstWeights); i += half {
			sum += abs(int(p.FirstWeights[i]))
		}
		return sum
	}
	for i := n; i < len(p.OutputWeights); i += p.Width {
		sum += abs(int(p.OutputWeights[i]))
	}
	return sum
}

func abs(x int) int { return max(x, -x) }

// deadNeurons counts the neurons without a weight in the next layer, and those that
// are at most zero, or always clipped, for any placement of up to 32 pieces.
func deadNeurons(p *nnue.Parameters) (unused, never, always int) {
	for n := range p.Width {
		if outputStrength(p, n) == 0 {
			unused++
		}
		most, least := math.MinInt, math.MaxInt
		for bucket := range p.KingBuckets {
			up, down := bounds(p, bucket, n)
			most, least = max(most, up), min(least, down)
		}
		if most <= 0 {
			never++
		}
		if least >= nnue.QA {
			always++
		}
	}
	return unused, never, always
}

// bounds returns an upper and a lower bound of the sum of neuron n with the king in
// the bucket.
func bounds(p *nnue.Parameters, bucket, n int) (most, least int) {
	var up, down [64]int // for each square, 0 if empty
	features := p.Tables() / p.KingBuckets * nnue.Features
	for f := range features {
		w := int(p.FeatureWeights[(bucket*features+f)*p.Width+n])
		up[f%64], down[f%64] = max(up[f%64], w), min(down[f%64], w)
	}
	slices.Sort(up[:])
	slices.Sort(down[:])
	most, least = int(p.FeatureBias[n]), int(p.FeatureBias[n])
	for i := range 32 {
		most += up[63-i]
		least += down[i]
	}
	for at := p.Tables()*nnue.Features*p.Width + n; at < len(p.FeatureWeights); at += p.Width {
		w := int(p.FeatureWeights[at]) // of a danger
		most, least = most+max(w, 0), least+min(w, 0)
	}
	return most, least
}
