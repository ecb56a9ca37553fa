package review

import (
	"math"

	"skein/chess"
)

// accuracy returns the accuracy of a move, 0 to 100, by the player's chances to win
// before and after it, 0 to 1.
func accuracy(before, after float64) float64 {
	if after >= before {
		return 100
	}
	// The last term makes up for searches that are not exact.
	raw := 103.1668100711649*math.Exp(-0.04354415386753951*100*(before-after)) - 3.166924740191411 + 1
	return min(max(raw, 0), 100)
}

// gameAccuracy returns the accuracy of both players in a game, 0 to 100, by White's
// chances to win before the first move and after each, 0 to 1. First is the side
// that made the first move. It is 0 for a player who made no move.
//
// It is the mean of two means of the accuracy of moves: the harmonic one, and one
// weighted by how much the chances vary around the move.
func gameAccuracy(chances []float64, first chess.Color) (players [2]float64) {
	weights := volatility(chances)
	var moves, sum, weight, reciprocals [2]float64
	for i, w := range weights {
		side := first
		if i%2 == 1 {
			side = first.Other()
		}
		before, after := chances[i], chances[i+1]
		if side == chess.Black {
			before, after = 1-before, 1-after
		}
		a := accuracy(before, after)
		moves[side]++
		sum[side] += w * a
		weight[side] += w
		reciprocals[side] += 1 / max(a, 1)
	}
	for side := range players {
		if moves[side] > 0 {
			players[side] = (sum[side]/weight[side] + moves[side]/reciprocals[side]) / 2
		}
	}
	return players
}

// volatility returns the weight of each move: the standard deviation, in percent
// and within bounds, of the chances in a window of positions. At the beginning of
// a game several moves share the first window.
func volatility(chances []float64) []float64 {
	const least, most = 0.5, 12
	moves := len(chances) - 1
	if moves < 1 {
		return nil
	}
	size := min(max(moves/10, 2), 8)
	weights := make([]float64, moves)
	for i := range weights {
		from := max(i-(size-2), 0)
		weights[i] = min(max(100*deviation(chances[from:from+size]), least), most)
	}
	return weights
}

// deviation returns the standard deviation of values that are all there are.
func deviation(values []float64) float64 {
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / float64(len(values)))
}
