package position

import "skein/chess"

// cycleTable maps a difference of keys to the reversible move that causes it:
// every move, in either direction, of a piece other than a pawn between two
// squares of an empty board, in one of two slots (cuckoo hashing).
// Source: M. van Kervinck, "The Design and Implementation of the Rookie 2.0
// Chess Playing Program", 2002.
var cycleTable struct {
	differences [8192]chess.Key // apart, because most look-ups find nothing
	moves       [8192]chess.Move
}

func cycleHash1(k chess.Key) int { return int(k & 8191) }
func cycleHash2(k chess.Key) int { return int(k >> 16 & 8191) }

// fillCycles fills the table. The random numbers of the keys must be initialized.
func fillCycles() {
	for _, c := range []chess.Color{chess.White, chess.Black} {
		for t := chess.Knight; t <= chess.King; t++ {
			piece := chess.MakePiece(c, t)
			for from := chess.A1; from <= chess.H8; from++ {
				for targets := chess.Attacks(t, from, 0); targets != 0; {
					if to := targets.Pop(); to > from {
						addCycle(piece, from, to)
					}
				}
			}
		}
	}
}

// addCycle inserts a move; a displaced move is moved to its other slot.
func addCycle(piece chess.Piece, from, to chess.Square) {
	difference := zobrist.pieces[piece][from] ^ zobrist.pieces[piece][to] ^ zobrist.black
	move := chess.NewMove(from, to)
	for at := cycleHash1(difference); ; {
		t := &cycleTable
		t.differences[at], difference = difference, t.differences[at]
		t.moves[at], move = move, t.moves[at]
		if move == chess.NoMove {
			return
		}
		// The other slot of the displaced move.
		at ^= cycleHash1(difference) ^ cycleHash2(difference)
	}
}

// SideKey returns the difference of the keys of two positions that differ only in the
// side to move.
func SideKey() chess.Key { return zobrist.black }

// ReversibleMove returns the squares of the one move, in either direction,
// between two positions whose keys differ by difference and whose sides to move
// differ. The caller must check that the path is free.
func ReversibleMove(difference chess.Key) (a, b chess.Square, ok bool) {
	at := cycleHash1(difference)
	if cycleTable.differences[at] != difference {
		if at = cycleHash2(difference); cycleTable.differences[at] != difference {
			return 0, 0, false
		}
	}
	move := cycleTable.moves[at]
	return move.From(), move.To(), move != chess.NoMove
}
