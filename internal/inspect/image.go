package inspect

import (
	"image"
	"image/color"
	"math"
	"slices"

	"skein/nnue"
)

// Sizes of the image in pixels.
const (
	pixel      = 2 // side of a square of a board
	boardSize  = 8*pixel + 1
	tileGap    = 4
	tileWidth  = 6*boardSize + tileGap
	tileHeight = 2*boardSize + tileGap
)

// DrawInputs draws the weights of one feature table: a tile for each neuron, in
// the order of decreasing output weights. A tile has a board for every type of
// piece, pawn to king from left to right, own pieces above those of the opponent;
// a8 is at the upper left. Red is positive, blue negative, and the saturation is
// relative to the largest absolute weight of the neuron in the table.
func DrawInputs(p *nnue.Parameters, table int) *image.NRGBA {
	columns := int(math.Ceil(math.Sqrt(float64(p.Width) * tileHeight / tileWidth)))
	rows := (p.Width + columns - 1) / columns
	img := image.NewNRGBA(image.Rect(0, 0, columns*tileWidth+tileGap, rows*tileHeight+tileGap))
	for i := range img.Pix {
		img.Pix[i] = 0xff
		if i%4 < 3 {
			img.Pix[i] = 0x30
		}
	}
	order := make([]int, p.Width)
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return outputStrength(p, b) - outputStrength(p, a) })
	for i, n := range order {
		drawNeuron(img, p, table, n, image.Pt(tileGap+i%columns*tileWidth, tileGap+i/columns*tileHeight))
	}
	return img
}

// drawNeuron draws the tile of neuron n with its upper left corner at the point at.
func drawNeuron(img *image.NRGBA, p *nnue.Parameters, table, n int, at image.Point) {
	weight := func(feature int) int {
		return int(p.FeatureWeights[(table*nnue.Features+feature)*p.Width+n])
	}
	most := 1
	for f := range nnue.Features {
		most = max(most, weight(f), -weight(f))
	}
	for f := range nnue.Features {
		board, square := f/64, f%64
		x := at.X + board%6*boardSize + square%8*pixel
		y := at.Y + board/6*boardSize + (7-square/8)*pixel
		c := shade(float64(weight(f)) / float64(most))
		for i := range pixel * pixel {
			img.SetNRGBA(x+i%pixel, y+i/pixel, c)
		}
	}
}

// shade returns a color from blue at -1 over white at 0 to red at 1.
func shade(x float64) color.NRGBA {
	fade := func(full float64) uint8 { return uint8(math.Round(255 + (full-255)*math.Abs(x))) }
	if x < 0 {
		return color.NRGBA{fade(5), fade(113), fade(176), 255}
	}
	return color.NRGBA{fade(202), fade(0), fade(32), 255}
}
