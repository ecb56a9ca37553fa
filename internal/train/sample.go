package train

import (
	"fmt"

	"skein/chess"
	"skein/internal/record"
	"skein/nnue"
)

// sample is a position as input and target of the network.
type sample struct {
	// rows are the offsets of the features' weights in the feature tables,
	// those of the side to move first: of the men, then of dangers.
	rows   [2][record.MaxMen + nnue.DangerRows]int32
	active int        // rows of each side
	bucket int        // of the output
	score  float64    // for the side to move, in 1/256 pawn
	points float64    // of the side to move: 0, 1/2 or 1
	board  record.Men // the men from which rows is computed
}

// decode sets s to a packed position. It returns an error if the board or the
// result is invalid or a side does not have one king.
func (s *sample) decode(a *nnue.Architecture, b *record.Packed) error {
	men := &s.board
	if err := b.Men(men); err != nil {
		return err
	}
	if white, black := men.Kings[chess.White].Count(), men.Kings[chess.Black].Count(); white != 1 || black != 1 {
		return fmt.Errorf("%d white and %d black kings", white, black)
	}
	result, err := b.Result()
	if err != nil {
		return err
	}
	pieces := men.Pieces[:men.N]
	squares := men.Squares[:len(pieces)]
	var byType [6]chess.Bitboard
	var byColor [2]chess.Bitboard
	for j, piece := range pieces {
		byType[piece.Type()] |= squares[j].Bit()
		byColor[piece.Color()&1] |= squares[j].Bit()
	}
	threatened := a.ThreatenedMen(&byType, &byColor, men.CastlingRooks)
	us := b.SideToMove()
	for i, c := range [2]chess.Color{us, us.Other()} {
		view := a.View(c, men.Kings[c&1].First())
		rows := s.rows[i][:0]
		for j, piece := range pieces {
			rows = append(rows, int32(view.Feature(piece, squares[j], &threatened)*a.Width))
		}
		for row := range a.RowsOfDangers(c, threatened.Dangers) {
			rows = append(rows, int32(row*a.Width))
		}
		s.active = len(rows)
	}
	s.bucket = a.OutputBucket(men.N)
	s.score = float64(b.Score())
	s.points = float64(result.HalfPoints()) / 2
	if us == chess.Black {
		s.score, s.points = -s.score, 1-s.points
	}
	return nil
}
