package chess

// Score is what a position is worth to the side to move, in units of 1/256 of a
// pawn, a pawn being what wins half of all games of the engine with itself; or a
// forced mate, or a win by endgame tables, near the ends of its range. It is the
// unit of networks, searches and training data. What people are shown are
// Centipawns.
type Score int

// Centipawns are hundredths of a pawn, as protocols, files and people have them.
type Centipawns int

// UnitsPerPawn is a pawn in the unit of Score.
const UnitsPerPawn = 256

// MaxPly bounds the length of lines, in plies, and so the distances of mates.
const MaxPly = 240

// Bands of scores, from the side of the winner. All fit into 16 bits.
const (
	DrawScore Score = 0
	MaxEval   Score = 28000 // bounds what evaluations say
	TableWin  Score = 31000 // a win by endgame tables; one less for each ply to it
	MateScore Score = 32000 // mate on the board; one less for each ply to it
	Infinity  Score = 32500 // beyond all scores

	minTableWin = TableWin - MaxPly
	minMate     = MateScore - 2*MaxPly
)

// MateIn is the score of giving mate in so many plies.
func MateIn(plies int) Score { return MateScore - Score(plies) }

// MatedIn is the score of being mated in so many plies.
func MatedIn(plies int) Score { return Score(plies) - MateScore }

// IsWin reports whether the side to move gives mate, or wins by endgame tables.
func (s Score) IsWin() bool { return s >= minTableWin }

// IsLoss reports whether the side to move is mated, or loses by endgame tables.
func (s Score) IsLoss() bool { return s <= -minTableWin }

// IsDecisive reports whether either side wins.
func (s Score) IsDecisive() bool { return s.IsWin() || s.IsLoss() }

// Mate returns the number of moves to mate, negative if the side to move is
// mated (0 if it is already), and whether the score is a mate at all.
func (s Score) Mate() (moves int, ok bool) {
	switch {
	case s >= minMate:
		return int(MateScore-s+1) / 2, true
	case s <= -minMate:
		return -int(MateScore+s+1) / 2, true
	}
	return 0, false
}

// Centipawns returns the score as it is shown. Mates and wins by endgame tables
// keep their number.
func (s Score) Centipawns() Centipawns {
	if s > MaxEval || s < -MaxEval {
		return Centipawns(s)
	}
	return Centipawns(divideRounded(int(s)*100, UnitsPerPawn))
}

// Score returns the evaluation that is shown as c, at most MaxEval.
func (c Centipawns) Score() Score {
	limit := Centipawns(MaxEval * 100 / UnitsPerPawn)
	return min(max(Score(divideRounded(int(min(max(c, -limit-1), limit+1))*UnitsPerPawn, 100)), -MaxEval), MaxEval)
}

// divideRounded returns a/b for positive b, rounded to the nearest number, halves
// away from zero.
func divideRounded(a, b int) int {
	if a < 0 {
		return -divideRounded(-a, b)
	}
	return (a + b/2) / b
}
