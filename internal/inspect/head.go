package inspect

import (
	"fmt"
	"strings"

	"skein/nnue"
)

// headActivity counts the activity of the layers of a head in positions.
type headActivity struct {
	p         *nnue.Parameters
	positions int
	products  int   // nonzero products
	blocks    int   // blocks with a nonzero product
	clipped   int   // clipped squares of the first layer
	seen      []int // positions of each output bucket
	layers    [2]layerActivity
}

// layerActivity has counts for each neuron, ordered by output bucket.
type layerActivity struct {
	active  []int // positions in which it is above zero
	clipped []int // positions in which it is clipped
}

// productBlock is the number of products that kernels skip together if all are zero.
const productBlock = 4

// newHeadActivity returns counts of zero for a network with a head.
func newHeadActivity(p *nnue.Parameters) *headActivity {
	h := &headActivity{p: p, seen: make([]int, p.OutputBuckets)}
	for i := range h.layers {
		n := p.OutputBuckets * p.Layers[i]
		h.layers[i] = layerActivity{make([]int, n), make([]int, n)}
	}
	return h
}

// add counts a position with the given accumulators, that of the side to move
// first. It returns the output in units of 1/(QH*QO).
func (h *headActivity) add(acc [2][]int16, bucket int) int {
	p := h.p
	first, second := p.Layers[0], p.Layers[1]
	h.positions++
	h.seen[bucket]++
	products := h.multiply(acc)
	inputs := make([]int, 2*first)
	for j := range first {
		neuron := bucket*first + j
		sum := int(p.FirstBias[neuron])
		for i, w := range p.FirstWeights[neuron*p.Width:][:p.Width] {
			sum += int(w) * products[i]
		}
		h.layers[0].count(neuron, sum, nnue.QH)
		if abs(sum) >= nnue.QH {
			h.clipped++
		}
		sum = min(max(sum, -nnue.QH), nnue.QH)
		inputs[j], inputs[first+j] = max(sum, 0), sum*sum>>13
	}
	output := int(p.OutputBias[bucket])
	for k := range second {
		neuron := bucket*second + k
		sum := int(p.SecondBias[neuron])
		for j, w := range p.SecondWeights[neuron*2*first:][:2*first] {
			sum += int(w) * inputs[j]
		}
		h.layers[1].count(neuron, sum, nnue.QH*nnue.QO)
		output += int(p.OutputWeights[neuron]) * (min(max(sum, 0), nnue.QH*nnue.QO) / nnue.QO)
	}
	return output
}

// multiply counts and returns the products of the accumulators.
func (h *headActivity) multiply(acc [2][]int16) []int {
	half := h.p.Width / 2
	products := make([]int, 0, h.p.Width)
	for _, v := range acc {
		for i := range half {
			products = append(products, clip(v[i])*clip(v[half+i])>>9)
		}
	}
	for i := 0; i < len(products); i += productBlock {
		n := 0
		for _, x := range products[i:][:productBlock] {
			n += min(x, 1)
		}
		h.products += n
		h.blocks += min(n, 1)
	}
	return products
}

func clip(x int16) int { return int(min(max(x, 0), nnue.QA)) }

// count counts a neuron with the given sum, which is clipped at limit.
func (l *layerActivity) count(neuron, sum, limit int) {
	if sum > 0 {
		l.active[neuron]++
	}
	if sum >= limit {
		l.clipped[neuron]++
	}
}

// write prints the shares of nonzero products and of active and clipped neurons.
func (h *headActivity) write(b *strings.Builder) {
	share := func(n, per int) float64 { return 100 * float64(n) / float64(h.positions*per) }
	fmt.Fprintf(b, "nonzero products: %.1f %%, with one %.1f %% of the blocks of %d\n",
		share(h.products, h.p.Width), share(h.blocks, h.p.Width/productBlock), productBlock)
	for i, name := range [2]string{"first", "second"} {
		l, n := &h.layers[i], h.p.Layers[i]
		active, clipped, never, always := 0, 0, 0, 0
		for neuron, count := range l.active {
			seen := h.seen[neuron/n]
			active, clipped = active+count, clipped+l.clipped[neuron]
			if seen > 0 && count == 0 {
				never++
			}
			if seen > 0 && l.clipped[neuron] == seen {
				always++
			}
		}
		fmt.Fprintf(b, "%s layer: active %.1f %%, clipped %.1f %%", name, share(active, n), share(clipped, n))
		if i == 0 {
			fmt.Fprintf(b, ", squares %.1f %%", share(h.clipped, n))
		}
		fmt.Fprintf(b, "; of %d neurons %d never active, %d always clipped\n", len(l.active), never, always)
	}
}
