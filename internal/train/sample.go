package train

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"skein/chess"
	"skein/internal/record"
	"skein/nnue"
	"skein/rules"
)

// Offsets in a packed position; see docs/data-format.md.
const (
	atPieces = 8
	atSide   = 24
	atMove   = 26
	atScore  = 28
	atResult = 30

	castlingRook = 6 // a rook that may castle
	noPiece      = 7
	maxMen       = 32
)

// sample is a position as the network sees it.
type sample struct {
	// rows are the places of the weights in the feature tables: those of the
	// side to move first.
	rows   [2][maxMen]int32
	men    int
	bucket int     // of the output
	score  float64 // for the side to move
	points float64 // of the side to move: 0, 1/2 or 1
}

// decode fills s from a packed position. It checks what a network needs: men
// on the board, and one king each.
func (s *sample) decode(a *nnue.Architecture, b *record.Packed) error {
	occupied := binary.LittleEndian.Uint64(b[:])
	men := bits.OnesCount64(occupied)
	if men > maxMen {
		return fmt.Errorf("%d men", men)
	}
	var pieces [maxMen]chess.Piece
	var squares [maxMen]chess.Square
	kings, king := [2]int{}, [2]chess.Square{}
	for i := range men {
		code := b[atPieces+i/2] >> (i % 2 * 4) & 15
		square := chess.Square(bits.TrailingZeros64(occupied))
		occupied &= occupied - 1
		switch code & 7 {
		case castlingRook:
			code = code&8 | byte(chess.Rook)
		case byte(chess.King):
			kings[code>>3]++
			king[code>>3] = square
		case noPiece:
			return fmt.Errorf("code %d is no piece", code)
		}
		pieces[i], squares[i] = chess.Piece(code), square
	}
	if kings != [2]int{1, 1} {
		return fmt.Errorf("%d white and %d black kings", kings[0], kings[1])
	}
	if b[atResult] > byte(rules.WhiteWins.HalfPoints()) {
		return fmt.Errorf("%d is no result", b[atResult])
	}
	us := chess.Color(b[atSide] >> 7)
	for i, c := range [2]chess.Color{us, us.Other()} {
		view := a.View(c, king[c&1])
		rows := &s.rows[i]
		for j := range men {
			rows[j] = int32(view.Feature(pieces[j], squares[j]) * a.Width)
		}
	}
	s.men = men
	s.bucket = a.OutputBucket(men)
	s.score = float64(int16(binary.LittleEndian.Uint16(b[atScore:])))
	s.points = float64(b[atResult]) / 2
	if us == chess.Black {
		s.score, s.points = -s.score, 1-s.points
	}
	return nil
}
