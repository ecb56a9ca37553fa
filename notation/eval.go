package notation

import (
	"math"
	"strconv"
	"strings"

	"skein/chess"
)

// ParseEval returns the score of the first command %eval of a comment, such as
// [%eval 0.35] or [%eval #-3,20], where a depth follows, and whether there is a valid
// one. The score is from White's view, of whole centipawns. Side is the side to move
// after the move, which is the one that is mated by #0.
func ParseEval(comment string, side chess.Color) (s chess.Score, ok bool) {
	_, text, found := strings.Cut(comment, "[%eval")
	text, _, closed := strings.Cut(text, "]")
	if !found || !closed || strings.TrimLeft(text, " \t") == text {
		return 0, false
	}
	text = strings.TrimSpace(text)
	if end := strings.IndexAny(text, ", \t"); end >= 0 {
		text = text[:end]
	}
	s, ok = ParseScore(text)
	if moves, mate := s.Mate(); mate && moves == 0 {
		if s = chess.MatedIn(0); side == chess.Black {
			s = -s
		}
	}
	return s, ok
}

// ParseScore parses a score as comments have it: pawns, such as +0.35, or moves to mate
// behind #, such as #3, and #-3 or -#3 for the side that is mated. What is beyond
// chess.MaxEval becomes that; mates of more than chess.MaxPly plies are not valid.
func ParseScore(text string) (s chess.Score, ok bool) {
	text = strings.TrimPrefix(text, "+")
	if moves, mate := strings.CutPrefix(strings.Replace(text, "-#", "#-", 1), "#"); mate {
		n, err := strconv.Atoi(moves)
		switch {
		case err != nil || max(n, -n) > chess.MaxPly/2:
			return 0, false
		case strings.HasPrefix(moves, "-"):
			return chess.MatedIn(-2 * n), true
		}
		return chess.MateIn(max(2*n-1, 0)), true
	}
	pawns, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(pawns) {
		return 0, false
	}
	const most = 1000 // pawns
	return chess.Centipawns(math.Round(100 * min(max(pawns, -most), most))).Score(), true
}
