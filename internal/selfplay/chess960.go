package selfplay

import (
	"strings"

	"skein/position"
)

// numArrays is the number of initial arrays of Chess960.
const numArrays = 960

// array returns the pieces of Chess960 array n, 0-959, from file a to h. 518 is
// that of standard chess.
//
// Source: R. Scharnagl's numbering.
func array(n int) string {
	var files [8]byte
	files[n%4*2+1] = 'B' // on a light square
	n /= 4
	files[n%4*2] = 'B'
	n /= 4
	place := func(piece byte, skip int) {
		for f := range files {
			if files[f] != 0 {
				continue
			}
			if skip == 0 {
				files[f] = piece
				return
			}
			skip--
		}
	}
	place('Q', n%6)
	// The ways to place two knights on five squares.
	knights := [10][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}[n/6]
	place('N', knights[0])
	place('N', knights[1]-1) // one of the squares before it is occupied now
	place('R', 0)
	place('K', 0)
	place('R', 0)
	return string(files[:])
}

// fischerRandom returns the initial position with the given arrays: Chess960 if
// they are the same, double Fischer random in general.
func fischerRandom(white, black int) position.Position {
	w, b := array(white), strings.ToLower(array(black))
	rights := rookFiles(w, 'R', 'A') + rookFiles(b, 'r', 'a')
	p, err := position.Parse(b+"/pppppppp/8/8/8/8/PPPPPPPP/"+w+" w "+rights+" - 0 1", true)
	if err != nil {
		panic(err) // all 960*960 are valid
	}
	return p
}

// rookFiles returns the files of the rooks as letters, where a is that of the
// first file.
func rookFiles(pieces string, rook, a byte) string {
	first, last := strings.IndexByte(pieces, rook), strings.LastIndexByte(pieces, rook)
	return string([]byte{a + byte(last), a + byte(first)})
}
