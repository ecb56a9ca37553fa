package train

import (
	"fmt"

	"skein/chess"
	"skein/internal/record"
	"skein/nnue"
)

// sample is a position as the network sees it.
type sample struct {
	// rows are the places of the weights in the feature tables: those of the
	// side to move first.
	rows   [2][record.MaxMen]int32
	men    int
	bucket int        // of the output
	score  float64    // for the side to move
	points float64    // of the side to move: 0, 1/2 or 1
	board  record.Men // the men of which rows are made
}

// decode fills s from a packed position. It checks what a network needs: men
// on the board, and one king each.
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
	us := b.SideToMove()
	for i, c := range [2]chess.Color{us, us.Other()} {
		view := a.View(c, men.Kings[c&1].First())
		rows := s.rows[i][:len(pieces)]
		for j, piece := range pieces {
			rows[j] = int32(view.Feature(piece, squares[j]) * a.Width)
		}
	}
	s.men = men.N
	s.bucket = a.OutputBucket(men.N)
	s.score = float64(b.Score())
	s.points = float64(result.HalfPoints()) / 2
	if us == chess.Black {
		s.score, s.points = -s.score, 1-s.points
	}
	return nil
}
