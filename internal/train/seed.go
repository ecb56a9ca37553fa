// Package train produces networks: generation zero from piece values, and
// networks trained on positions with scores and results.
package train

import (
	"skein/chess"
	"skein/nnue"
)

// pieceValues are the piece values of the seed network in centipawns, by
// PieceType.
var pieceValues = [5]int{100, 325, 335, 500, 975}

const (
	seedWidth = 64
	seedScale = 400 // in centipawns

	// middle is the bias of the seed's neurons: half of the clip, so that both
	// neurons of a pair have the largest range.
	middle = 128
)

// Seed returns generation zero: a network whose values are sums of piece
// values.
//
// Squared clipped neurons are made linear in pairs: with inputs c+x and c-x,
// weighted alike with opposite signs, the output is (c+x)² - (c-x)² = 4cx. The
// x of a pair counts one piece type, own minus enemy, in steps small enough
// that no legal count is clipped; output weights are bounded, too, so valuable
// pieces need several pairs.
func Seed() (*nnue.Network, error) {
	p := nnue.NewParameters(nnue.Architecture{
		Width: seedWidth, KingBuckets: 1, OutputBuckets: 1, Scale: seedScale * chess.UnitsPerPawn / 100,
	})
	p.Name = "gen0"
	p.Description = "Piece values alone: pawn 100, knight 325, bishop 335, rook 500, queen 975 hundredths of a pawn. " +
		"Written by `tune seed`."

	neuron := 0
	for t := chess.Pawn; t <= chess.Queen; t++ {
		most := 8 // maximum number of pieces of this type of one side
		switch t {
		case chess.Knight, chess.Bishop, chess.Rook:
			most = 10
		case chess.Queen:
			most = 9
		}
		step := (nnue.QA - middle) / most
		// One piece adds step to x of both perspectives, with opposite sign,
		// and each perspective's pair gives 4*middle*x, in units of 1/QA² for
		// the activation and 1/QB for the weight.
		perWeight := int64(2 * 4 * middle * step * seedScale)
		total := (int64(pieceValues[t])*nnue.QA*nnue.QA*nnue.QB + perWeight/2) / perWeight
		for ; total > 0; neuron += 2 {
			weight := min(total, nnue.MaxOutputWeight)
			total -= weight
			setPair(p, neuron, t, int16(step), int16(weight))
		}
	}
	return nnue.New(p)
}

// setPair sets the weights of neurons n and n+1 to count pieces of type t.
func setPair(p *nnue.Parameters, n int, t chess.PieceType, step, weight int16) {
	p.FeatureBias[n], p.FeatureBias[n+1] = middle, middle
	for _, c := range []chess.Color{chess.White, chess.Black} {
		for s := chess.A1; s <= chess.H8; s++ {
			feature := nnue.FeatureIndex(chess.White, chess.A1, chess.MakePiece(c, t), s)
			x := step
			if c == chess.Black {
				x = -step
			}
			p.FeatureWeights[feature*p.Width+n] = x
			p.FeatureWeights[feature*p.Width+n+1] = -x
		}
	}
	us, them := p.OutputWeights[:p.Width], p.OutputWeights[p.Width:]
	us[n], us[n+1] = weight, -weight
	them[n], them[n+1] = -weight, weight
}
