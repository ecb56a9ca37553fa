package web

import (
	"math/rand/v2"
	"strings"
)

// startPositions is the number of start positions of Chess960.
const startPositions = 960

// chess960Number returns n, or the number of a random start position if n is negative.
func chess960Number(n int) (int, error) {
	if n < 0 {
		return rand.IntN(startPositions), nil
	}
	return n, between("number", n, 0, startPositions-1)
}

// chess960FEN returns the start position with a number from 0 to 959, in the usual
// numbering. Source: R. Scharnagl, "Fischer-Random-Schach (FRC/Chess960)", 2004.
func chess960FEN(n int) string {
	var rank [8]byte
	// place puts a piece on the empty square with a number.
	place := func(piece byte, number int) {
		for file := range rank {
			if rank[file] != 0 {
				continue
			}
			if number == 0 {
				rank[file] = piece
				return
			}
			number--
		}
	}
	rank[2*(n%4)+1] = 'b' // on a light square
	n /= 4
	rank[2*(n%4)] = 'b'
	n /= 4
	place('q', n%6)
	n /= 6
	knights := [10][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}[n]
	place('n', knights[1]) // the farther one first, so that the other keeps its number
	place('n', knights[0])
	for _, piece := range []byte("rkr") {
		place(piece, 0)
	}
	black := string(rank[:])
	return black + "/pppppppp/8/8/8/8/PPPPPPPP/" + strings.ToUpper(black) + " w KQkq - 0 1"
}
