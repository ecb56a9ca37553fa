package position

import "skein/chess"

// zobrist holds the random numbers of the keys. They come from a fixed
// seed, so keys are the same in every build.
var zobrist struct {
	pieces    [16][64]chess.Key // by Piece
	castling  [64]chess.Key     // by square of a rook that may castle
	enPassant [8]chess.Key      // by file
	black     chess.Key         // Black is to move
}

func init() {
	// SplitMix64. Source: G. Steele, D. Lea, C. Flood, "Fast Splittable
	// Pseudorandom Number Generators", 2014.
	state := uint64(0x536b65696e) // "Skein"
	next := func() chess.Key {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return chess.Key(z ^ z>>31)
	}
	z := &zobrist
	for _, c := range []chess.Color{chess.White, chess.Black} {
		for t := chess.Pawn; t <= chess.King; t++ {
			for s := range 64 {
				z.pieces[chess.MakePiece(c, t)][s] = next()
			}
		}
	}
	for s := range z.castling {
		z.castling[s] = next()
	}
	for f := range z.enPassant {
		z.enPassant[f] = next()
	}
	z.black = next()
	fillCycles()
}

// Parts of Position.keys.
const (
	keyMajors = 0 // by Color: king, queens and rooks
	keyMinors = 2 // by Color: knights and bishops
	keyPawns  = 4
	keyState  = 5 // side to move, castling rights, en passant
	keyParts  = 6
)

// keyPart is the part of the key, by Piece.
var keyPart = [16]uint8{
	keyPawns, keyMinors, keyMinors, keyMajors, keyMajors, keyMajors,
	8: keyPawns, keyMinors + 1, keyMinors + 1, keyMajors + 1, keyMajors + 1, keyMajors + 1,
}

// fullKeys recomputes all keys from the board; it is the specification of the
// incremental ones.
func (p *Position) fullKeys() (keys [keyParts]chess.Key) {
	for s := chess.A1; s <= chess.H8; s++ {
		if piece := p.At(s); piece != chess.NoPiece {
			keys[keyPart[piece]] ^= zobrist.pieces[piece][s]
		}
	}
	for rooks := p.castling; rooks != 0; {
		keys[keyState] ^= zobrist.castling[rooks.Pop()]
	}
	if p.enPassant != chess.NoSquare {
		keys[keyState] ^= zobrist.enPassant[p.enPassant.File()]
	}
	if p.side == chess.Black {
		keys[keyState] ^= zobrist.black
	}
	return keys
}

// KeyAfter returns the key of the position after the legal move m, for
// prefetching. It is exact only for ordinary moves and captures that change no
// castling rights, where neither the position nor the one after the move allows an
// en-passant capture.
func (p *Position) KeyAfter(m chess.Move) chess.Key {
	from, to := m.From(), m.To()
	piece, taken := p.At(from)&15, p.At(to)&15
	return p.Key() ^ zobrist.black ^ zobrist.pieces[piece][from&63] ^ zobrist.pieces[piece][to&63] ^
		zobrist.pieces[taken][to&63]
}
