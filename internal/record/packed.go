package record

import (
	"encoding/binary"
	"errors"
	"fmt"

	"skein/chess"
	"skein/position"
	"skein/rules"
)

// EntrySize is the size of a packed entry in bytes.
const EntrySize = 32

// Packed is an Entry in 32 bytes, known as marlinformat: the start of a game
// with the score in bytes that games leave unused. Methods that read a part of
// it do not check the rest.
type Packed [EntrySize]byte

// Offsets in a packed entry.
const (
	atPieces    = 8
	atSide      = 24
	atHalfmoves = 25
	atFullmoves = 26
	atScore     = 28 // unused by games
	atResult    = 30
	atEnd       = 31 // unused by entries
)

const (
	castlingRook = 6    // piece code of a rook that may castle
	blackToMove  = 0x80 // in the byte of the en-passant square
)

// MaxMen is the maximum number of men in a packed entry.
const MaxMen = 32

// Men are the men on a board in the order of their squares, a1 first.
type Men struct {
	N             int // at most MaxMen
	Pieces        [MaxMen]chess.Piece
	Squares       [MaxMen]chess.Square
	Kings         [2]chess.Bitboard // by color; not checked to be one each
	CastlingRooks chess.Bitboard    // rooks that may castle
}

// Occupied returns the occupied squares.
func (b *Packed) Occupied() chess.Bitboard { return chess.Bitboard(binary.LittleEndian.Uint64(b[:])) }

// Men sets m to the men on the board. It returns an error if there are more
// than MaxMen or a code is not a piece.
func (b *Packed) Men(m *Men) error {
	occupied := b.Occupied()
	n := occupied.Count()
	if n > MaxMen {
		return fmt.Errorf("%d men", n)
	}
	m.N, m.Kings, m.CastlingRooks = n, [2]chess.Bitboard{}, 0
	for i := range n {
		square := occupied.Pop()
		piece := chess.Piece(b[atPieces+i/2] >> (i % 2 * 4) & 15)
		if piece.Type() >= chess.King {
			switch piece.Type() {
			case chess.King:
				m.Kings[piece.Color()&1] |= square.Bit()
			case castlingRook:
				piece = chess.MakePiece(piece.Color(), chess.Rook)
				m.CastlingRooks |= square.Bit()
			default:
				return fmt.Errorf("code %d is not a piece", piece)
			}
		}
		m.Pieces[i], m.Squares[i] = piece, square
	}
	return nil
}

// SideToMove returns the color to move.
func (b *Packed) SideToMove() chess.Color { return chess.Color(b[atSide] >> 7) }

// Fullmoves returns the number of the move to be played.
func (b *Packed) Fullmoves() int { return int(binary.LittleEndian.Uint16(b[atFullmoves:])) }

// Score returns the score, from White's view.
func (b *Packed) Score() chess.Score {
	return chess.Score(int16(binary.LittleEndian.Uint16(b[atScore:])))
}

// Result returns the result of the game, or an error if the byte is not a
// result.
func (b *Packed) Result() (rules.Result, error) {
	if b[atResult] > maxHalfPoints {
		return rules.NoResult, resultError(b[atResult])
	}
	return rules.BlackWins + rules.Result(b[atResult]), nil
}

// maxHalfPoints is the largest code of a result: White's half points.
const maxHalfPoints = 2

// resultError is the error for a byte that is not a result.
type resultError byte

func (e resultError) Error() string { return fmt.Sprintf("%d is not a result", byte(e)) }

// Pack returns e in 32 bytes. It panics if e has no result.
func (e *Entry) Pack() Packed {
	if e.Result == rules.NoResult {
		panic("record: an entry without a result cannot be packed")
	}
	b := packPosition(&e.Position)
	binary.LittleEndian.PutUint16(b[atScore:], uint16(e.Score))
	b[atResult] = byte(e.Result.HalfPoints())
	return b
}

// Unpack is the inverse of Pack. It returns an error for bytes that Pack never
// returns.
func (b *Packed) Unpack() (Entry, error) {
	p, err := b.position()
	if err != nil {
		return Entry{Position: p}, err
	}
	result, err := b.Result()
	return Entry{Position: p, Score: b.Score(), Result: result}, err
}

// packPosition packs the board, the side to move, the en-passant square and the
// counters. A position has at most MaxMen men.
func packPosition(p *position.Position) (b Packed) {
	occupied := p.Occupied()
	binary.LittleEndian.PutUint64(b[:], uint64(occupied))
	castling := p.CastlingRooks(chess.White) | p.CastlingRooks(chess.Black)
	for i := 0; occupied != 0; i++ {
		s := occupied.Pop()
		code := byte(p.At(s))
		if castling.Has(s) {
			code = code&8 | castlingRook
		}
		b[atPieces+i/2] |= code << (i % 2 * 4)
	}
	b[atSide] = byte(p.EnPassant())
	if p.SideToMove() == chess.Black {
		b[atSide] |= blackToMove
	}
	b[atHalfmoves] = byte(p.Halfmoves())
	binary.LittleEndian.PutUint16(b[atFullmoves:], uint16(p.Fullmoves()))
	return b
}

// position is the inverse of packPosition. It converts to FEN, so that
// positions are checked as everywhere else, and rejects encodings that
// packPosition does not produce.
func (b *Packed) position() (position.Position, error) {
	var men Men
	if err := b.Men(&men); err != nil {
		return position.Position{}, err
	}
	var board [64]chess.Piece
	for s := range board {
		board[s] = chess.NoPiece
	}
	for i, s := range men.Squares[:men.N] {
		board[s] = men.Pieces[i]
	}
	fen := position.AppendBoard(make([]byte, 0, 96), &board)
	fen = append(fen, ' ', "wb"[b.SideToMove()], ' ')
	if men.CastlingRooks == 0 {
		fen = append(fen, '-')
	}
	for rooks := men.CastlingRooks; rooks != 0; {
		s := rooks.Pop()
		fen = append(fen, "Aa"[board[s].Color()&1]+byte(s.File()))
	}
	fen = append(fen, ' ')
	// Numbers above 64 are not squares; the comparison after parsing rejects
	// them.
	fen = append(fen, chess.Square(b[atSide]&^blackToMove).String()...)
	fen = fmt.Appendf(fen, " %d %d", b[atHalfmoves], b.Fullmoves())
	p, err := position.Parse(string(fen), true)
	if err != nil {
		return p, err
	}
	again := packPosition(&p)
	if [atScore]byte(again[:]) != [atScore]byte(b[:]) {
		return p, errors.New("not encoded canonically")
	}
	return p, nil
}
