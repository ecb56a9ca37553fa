package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"skein/chess"
	"skein/position"
)

// Sizes in bytes of the parts of a game.
const (
	startSize = 32 // the packed start position and the result
	plySize   = 4  // a move and its score, or the end mark
	// minGameSize is the size of a game without moves.
	minGameSize = startSize + plySize
)

// Offsets in the packed start position.
const (
	atPieces    = 8
	atSide      = 24
	atHalfmoves = 25
	atFullmoves = 26
	atScore     = 28 // unused by games
	atResult    = 30
	atEnd       = 31
)

const (
	castlingRook = 6    // stands for a rook that may castle
	blackToMove  = 0x80 // beside the en-passant square
)

// Kinds of moves in the top bits of a packed move.
const (
	packedEnPassant = 1 << 14
	packedCastling  = 2 << 14
	packedPromotion = 3 << 14
	packedKinds     = 3 << 14
)

// gameSize returns the packed size of a game of n plies.
func gameSize(n int) int { return minGameSize + n*plySize }

// appendGame appends g as docs/data-format.md describes.
func appendGame(b []byte, g *Game) ([]byte, error) {
	if g.Result >= numResults || int(g.End) >= NumEnds {
		return b, fmt.Errorf("game with %v by %v", g.Result, g.End)
	}
	var start [startSize]byte
	packPosition(&start, &g.Start)
	start[atResult] = byte(g.Result)
	start[atEnd] = byte(g.End)
	b = append(b, start[:]...)
	for i, ply := range g.Plies {
		if ply.Move.From() == ply.Move.To() {
			return b, fmt.Errorf("ply %d: move %v from a square to itself", i, ply.Move)
		}
		b = binary.LittleEndian.AppendUint16(b, packMove(ply.Move))
		b = binary.LittleEndian.AppendUint16(b, uint16(ply.Score))
	}
	return append(b, 0, 0, 0, 0), nil
}

// gameError is a reason and its distance from the game's first byte.
type gameError struct {
	at     int
	reason string
}

func (e *gameError) Error() string { return e.reason }

// decodeGame reads the game at the start of b into g, whose Plies it reuses,
// and returns its size. The error is a *gameError.
func decodeGame(b []byte, g *Game) (int, error) {
	if len(b) < minGameSize {
		return 0, &gameError{0, fmt.Sprintf("%d bytes are too few for a game", len(b))}
	}
	start := (*[startSize]byte)(b)
	pos, err := unpackPosition(start)
	if err != nil {
		return 0, &gameError{0, "start position: " + err.Error()}
	}
	g.Start, g.Result, g.End, g.Plies = pos, Result(b[atResult]), End(b[atEnd]), g.Plies[:0]
	if g.Result >= numResults {
		return 0, &gameError{atResult, fmt.Sprintf("%d is no result", g.Result)}
	}
	if int(g.End) >= NumEnds {
		return 0, &gameError{atEnd, fmt.Sprintf("%d is no reason to end a game", g.End)}
	}
	for at := startSize; at+plySize <= len(b); at += plySize {
		packed := binary.LittleEndian.Uint16(b[at:])
		score := int16(binary.LittleEndian.Uint16(b[at+2:]))
		if packed == 0 {
			if score != 0 {
				return 0, &gameError{at + 2, "end mark with a score"}
			}
			return at + plySize, nil
		}
		move, ok := unpackMove(packed)
		if !ok {
			return 0, &gameError{at, fmt.Sprintf("%#04x is no move", packed)}
		}
		g.Plies = append(g.Plies, Ply{move, score})
	}
	return 0, &gameError{len(b), "no end mark"}
}

// packMove turns the kind of a move into that of the format.
func packMove(m chess.Move) uint16 {
	squares := uint16(m) & 0xfff
	switch {
	case m.IsPromotion():
		return squares | packedPromotion | uint16(m.Promotion()-chess.Knight)<<12
	case m.IsCastling():
		return squares | packedCastling
	case m.IsEnPassant():
		return squares | packedEnPassant
	}
	return squares
}

// unpackMove is the inverse of packMove and refuses what that never returns.
func unpackMove(packed uint16) (m chess.Move, ok bool) {
	from, to, extra := chess.Square(packed&63), chess.Square(packed>>6&63), packed>>12&3
	switch packed & packedKinds {
	case packedPromotion:
		return chess.NewPromotion(from, to, chess.Knight+chess.PieceType(extra)), from != to
	case packedCastling:
		m = chess.NewCastling(from, to)
	case packedEnPassant:
		m = chess.NewEnPassant(from, to)
	default:
		m = chess.NewMove(from, to)
	}
	return m, from != to && extra == 0
}

// packPosition writes the board, the side to move, the en-passant square and
// the counters. A position has 32 men at most.
func packPosition(b *[startSize]byte, p *position.Position) {
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
}

// unpackPosition is the inverse of packPosition. It goes by way of a FEN, so
// that a position is checked here as anywhere else, and refuses whatever
// packPosition would write in another way.
func unpackPosition(b *[startSize]byte) (position.Position, error) {
	occupied := chess.Bitboard(binary.LittleEndian.Uint64(b[:]))
	if n := occupied.Count(); n > 32 {
		return position.Position{}, fmt.Errorf("%d men", n)
	}
	var board [64]byte // FEN letters, 0 for empty squares
	var castling []byte
	for i, rest := 0, occupied; rest != 0; i++ {
		s := rest.Pop()
		code := b[atPieces+i/2] >> (i % 2 * 4) & 15
		piece := chess.Piece(code)
		if code&7 == castlingRook {
			piece = chess.MakePiece(piece.Color(), chess.Rook)
			castling = append(castling, "Aa"[piece.Color()]+byte(s.File()))
		}
		if piece.Type() > chess.King {
			return position.Position{}, fmt.Errorf("code %d is no piece", code)
		}
		board[s] = piece.Letter()
	}
	p, err := position.Parse(string(appendFEN(&board, castling, b)), true)
	if err != nil {
		return p, err
	}
	var again [startSize]byte
	packPosition(&again, &p)
	if [atScore]byte(again[:]) != [atScore]byte(b[:]) {
		return p, errors.New("packed in an unusual way")
	}
	return p, nil
}

// appendFEN writes a FEN of the board, the castling letters and the side,
// en-passant square and counters packed in b.
func appendFEN(board *[64]byte, castling []byte, b *[startSize]byte) []byte {
	fen := make([]byte, 0, 96)
	for rank := 7; rank >= 0; rank-- {
		empty := byte('0')
		for _, letter := range board[rank*8 : rank*8+8] {
			if letter == 0 {
				empty++
				continue
			}
			if empty > '0' {
				fen = append(fen, empty)
				empty = '0'
			}
			fen = append(fen, letter)
		}
		if empty > '0' {
			fen = append(fen, empty)
		}
		if rank > 0 {
			fen = append(fen, '/')
		}
	}
	fen = append(fen, ' ', "wb"[b[atSide]>>7], ' ')
	if len(castling) == 0 {
		castling = []byte{'-'}
	}
	fen = append(fen, castling...)
	fen = append(fen, ' ')
	// Beyond 64 there is no square, and the comparison after parsing says so.
	fen = append(fen, chess.Square(b[atSide]&^blackToMove).String()...)
	fen = append(fen, ' ')
	fen = strconv.AppendUint(fen, uint64(b[atHalfmoves]), 10)
	fen = append(fen, ' ')
	return strconv.AppendUint(fen, uint64(binary.LittleEndian.Uint16(b[atFullmoves:])), 10)
}
