package position

import (
	"strconv"
	"strings"
)

// Chess960Positions is the number of initial positions of Chess960.
const Chess960Positions = 960

// Chess960 returns an initial position by the numbers, 0 to 959, of the pieces of White
// and of Black: of Chess960 if they are the same, and of double Fischer random chess
// otherwise. 518 is that of standard chess. It panics if a number is out of range.
//
// Source: R. Scharnagl, "Fischer-Random-Schach (FRC/Chess960)", 2004.
func Chess960(white, black int) Position {
	w, b := chess960Rank(white), strings.ToLower(chess960Rank(black))
	rights := rookFiles(w, 'R', 'A') + rookFiles(b, 'r', 'a')
	p, err := Parse(b+"/pppppppp/8/8/8/8/PPPPPPPP/"+w+" w "+rights+" - 0 1", true)
	if err != nil {
		panic(err) // all 960*960 are valid
	}
	return p
}

// chess960Rank returns the pieces of a number from file a to h.
func chess960Rank(n int) string {
	if n < 0 || n >= Chess960Positions {
		panic("position: no initial position of Chess960 has the number " + strconv.Itoa(n))
	}
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

// rookFiles returns the files of the rooks as letters, where a is that of the
// first file.
func rookFiles(pieces string, rook, a byte) string {
	first, last := strings.IndexByte(pieces, rook), strings.LastIndexByte(pieces, rook)
	return string([]byte{a + byte(last), a + byte(first)})
}
