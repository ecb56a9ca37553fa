package review

import (
	"encoding/json"
	"errors"
	"fmt"

	"skein/chess"
)

// Score is a [chess.Score] from White's point of view, in whole centipawns. In JSON
// it is one of
//
//	{"cp":35}                    centipawns
//	{"mate":-3,"winner":"black"} moves to mate, negative if Black mates; 0 if mated
//	{"table":true,"winner":"white"} a win by endgame tables
type Score chess.Score

// ScoreOf returns a score of the side to move from White's point of view.
func ScoreOf(s chess.Score, side chess.Color) Score {
	if !s.IsDecisive() {
		s = s.Centipawns().Score()
	}
	if side == chess.Black {
		s = -s
	}
	return Score(s)
}

// Of returns the score from the point of view of a side.
func (s Score) Of(side chess.Color) chess.Score {
	if side == chess.Black {
		return chess.Score(-s)
	}
	return chess.Score(s)
}

// mate returns the number of moves to mate, negative if Black mates and 0 if a
// side is mated already, and whether the score is a mate at all.
func (s Score) mate() (moves int, ok bool) { return chess.Score(s).Mate() }

// table reports whether the score is a win by endgame tables.
func (s Score) table() bool {
	_, mate := s.mate()
	return !mate && chess.Score(s).IsDecisive()
}

// Winner returns White or Black for a mate or a win by endgame tables, and
// whether the score is one of these.
func (s Score) Winner() (side chess.Color, ok bool) {
	if chess.Score(s).IsLoss() {
		return chess.Black, true
	}
	return chess.White, chess.Score(s).IsWin()
}

// maxCentipawns bounds centipawns.
const maxCentipawns = 1000

// centipawns returns the score in centipawns, -1000 to 1000. Mates and wins by
// endgame tables are at the ends of this range.
func (s Score) centipawns() int {
	return min(max(int(chess.Score(s).Centipawns()), -maxCentipawns), maxCentipawns)
}

// String returns pawns with two decimals, #3 or #-3 for mates, #0 if a side is mated,
// or "table win" and "table loss" for White's results by endgame tables.
func (s Score) String() string {
	if moves, ok := s.mate(); ok {
		return fmt.Sprintf("#%d", moves)
	}
	if s.table() {
		if s > 0 {
			return "table win"
		}
		return "table loss"
	}
	if cp := chess.Score(s).Centipawns(); cp != 0 {
		return fmt.Sprintf("%+.2f", float64(cp)/100)
	}
	return "0.00"
}

// Shown returns the moves to mate as mate does, or otherwise the centipawns; the other
// is nil.
func (s Score) Shown() (cp *chess.Centipawns, mate *int) {
	if moves, ok := s.mate(); ok {
		return nil, &moves
	}
	c := chess.Score(s).Centipawns()
	return &c, nil
}

// scoreJSON is a score as it is in JSON.
type scoreJSON struct {
	CP     *chess.Centipawns `json:"cp,omitempty"`
	Mate   *int              `json:"mate,omitempty"`
	Table  bool              `json:"table,omitempty"`
	Winner string            `json:"winner,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (s Score) MarshalJSON() ([]byte, error) {
	var j scoreJSON
	moves, mate := s.mate()
	winner, decisive := s.Winner()
	switch {
	case mate:
		j.Mate = &moves
	case decisive:
		j.Table = true
	default:
		cp := chess.Score(s).Centipawns()
		j.CP = &cp
	}
	if decisive {
		j.Winner = winner.String()
	}
	return json.Marshal(j)
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Score) UnmarshalJSON(data []byte) error {
	var j scoreJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	switch {
	case j.CP != nil:
		*s = Score(j.CP.Score())
		return nil
	case j.Winner != chess.White.String() && j.Winner != chess.Black.String():
		return errors.New("a score has no winner")
	case j.Mate != nil:
		*s = mateIn(max(*j.Mate, -*j.Mate))
	case j.Table:
		*s = Score(chess.TableWin)
	}
	if j.Winner == chess.Black.String() {
		*s = -*s
	}
	return nil
}

// mateIn returns the score of a mate by White in so many moves, 0 if Black is
// mated.
func mateIn(moves int) Score {
	return Score(chess.MateIn(min(max(2*moves-1, 0), chess.MaxPly)))
}
