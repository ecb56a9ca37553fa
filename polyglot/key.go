package polyglot

import (
	"skein/chess"
	"skein/position"
)

// Offsets of the parts of a key in the table of random numbers.
const (
	offsetCastling  = 768 // white short, white long, black short, black long
	offsetEnPassant = 772 // by file
	offsetWhite     = 780 // White is to move
	numbers         = 781
)

// random are the random numbers of the keys: the output of ISAAC-64 with a state
// of zeros.
var random = isaac64(numbers)

// DoubleStep returns the square that m, legal in p, skips if it is the double step of a
// pawn, NoSquare if it is not: what [Key] needs to know of the last move.
func DoubleStep(p *position.Position, m chess.Move) chess.Square {
	from, to := m.From(), m.To()
	if p.At(from).Type() == chess.Pawn && from^to == 16 {
		return (from + to) / 2
	}
	return chess.NoSquare
}

// Key returns the key of p in PolyGlot books. DoubleStep is the square skipped by
// a double step of a pawn in the last move, or NoSquare. It is part of the key if
// an enemy pawn is next to that pawn, even if the capture is illegal and p has no
// en-passant square; for a position without history p.EnPassant() comes closest. A
// Chess960 castling right counts as that of the side of the king on which the rook
// is.
//
// Source: M. Van den Bergh, "Polyglot book format".
func Key(p *position.Position, doubleStep chess.Square) uint64 {
	var key uint64
	for occupied := p.Occupied(); occupied != 0; {
		s := occupied.Pop()
		key ^= random[64*kind(p.At(s))+int(s)]
	}
	for _, c := range []chess.Color{chess.White, chess.Black} {
		for rooks := p.CastlingRooks(c); rooks != 0; {
			i := offsetCastling + 2*int(c)
			if rooks.Pop() < p.King(c) {
				i++
			}
			key ^= random[i]
		}
	}
	us := p.SideToMove()
	if doubleStep != chess.NoSquare && chess.PawnAttacks(us.Other(), doubleStep)&p.PiecesOf(us, chess.Pawn) != 0 {
		key ^= random[offsetEnPassant+doubleStep.File()]
	}
	if us == chess.White {
		key ^= random[offsetWhite]
	}
	return key
}

// kind numbers the pieces: black pawn, white pawn, black knight, ...
func kind(piece chess.Piece) int {
	n := 2 * int(piece.Type())
	if piece.Color() == chess.White {
		n++
	}
	return n
}

// isaac64 returns the first n numbers of the generator, seeded with zeros.
//
// Source: R. Jenkins, "ISAAC-64", 1996.
func isaac64(n int) []uint64 {
	const size = 256
	var state, results [size]uint64
	mix := func(v *[8]uint64) {
		for i, shift := range []uint{9, 9, 23, 15, 14, 20, 17, 14} {
			a, e, f, h := &v[i], v[(i+4)%8], &v[(i+5)%8], &v[(i+7)%8]
			*a -= e
			if i%2 == 0 {
				*f ^= *h >> shift
			} else {
				*f ^= *h << shift
			}
			*h += *a
		}
	}
	v := [8]uint64{}
	for i := range v {
		v[i] = 0x9e3779b97f4a7c13 // the golden ratio
	}
	for range 4 {
		mix(&v)
	}
	for range 2 { // with results of zero, then with the state itself
		for i := 0; i < size; i += 8 {
			for j := range v {
				v[j] += state[i+j]
			}
			mix(&v)
			copy(state[i:], v[:])
		}
	}

	var a, b, c uint64
	out := make([]uint64, 0, n+size)
	for len(out) < n {
		c++
		b += c
		for i := range state {
			switch i % 4 {
			case 0:
				a = ^(a ^ a<<21)
			case 1:
				a ^= a >> 5
			case 2:
				a ^= a << 12
			case 3:
				a ^= a >> 33
			}
			x := state[i]
			a += state[(i+size/2)%size]
			y := state[x>>3%size] + a + b
			state[i] = y
			b = state[y>>11%size] + x
			results[i] = b
		}
		// The results of a round are taken from the last to the first.
		for i := range results {
			out = append(out, results[size-1-i])
		}
	}
	return out[:n]
}
