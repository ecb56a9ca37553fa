package record

import (
	"encoding/binary"
	"errors"
	"fmt"

	"skein/chess"
	"skein/rules"
)

// Sizes in bytes of the parts of a game.
const (
	startSize = EntrySize // the packed start position and the result
	plySize   = 4         // a move and its score, or the end mark
	// minGameSize is the size of a game without moves.
	minGameSize = startSize + plySize
)

// The kinds of moves, in bits 14 and 15 of a packed move.
const (
	packedEnPassant = 1 << 14
	packedCastling  = 2 << 14
	packedPromotion = 3 << 14
	packedKinds     = 3 << 14
)

// gameSize returns the encoded size of a game of n plies, in bytes.
func gameSize(n int) int { return minGameSize + n*plySize }

// appendGame appends g in the format of docs/data-format.md.
func appendGame(b []byte, g *Game) ([]byte, error) {
	if g.Result == rules.NoResult {
		return b, errors.New("game without a result")
	}
	if g.Result > rules.WhiteWins || int(g.End) >= NumEnds {
		return b, fmt.Errorf("game with %v by %v", g.Result, g.End)
	}
	start := packPosition(&g.Start)
	start[atResult] = byte(g.Result.HalfPoints())
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

// gameError is an error in a game, with its offset from the start of the game.
type gameError struct {
	at     int
	reason string
}

func (e *gameError) Error() string { return e.reason }

// decodeGame decodes the game at the start of b into g, whose Plies it reuses,
// and returns its size in bytes. The error is a *gameError.
func decodeGame(b []byte, g *Game) (int, error) {
	if len(b) < minGameSize {
		return 0, &gameError{0, fmt.Sprintf("%d bytes are too few for a game", len(b))}
	}
	start := (*Packed)(b)
	pos, err := start.position()
	if err != nil {
		return 0, &gameError{0, "start position: " + err.Error()}
	}
	result, err := start.Result()
	if err != nil {
		return 0, &gameError{atResult, err.Error()}
	}
	g.Start, g.Result, g.End, g.Plies = pos, result, End(b[atEnd]), g.Plies[:0]
	if int(g.End) >= NumEnds {
		return 0, &gameError{atEnd, fmt.Sprintf("%d is not a reason to end a game", g.End)}
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
			return 0, &gameError{at, fmt.Sprintf("%#04x is not a move", packed)}
		}
		g.Plies = append(g.Plies, Ply{move, chess.Score(score)})
	}
	return 0, &gameError{len(b), "no end mark"}
}

// packMove returns m in the format.
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

// unpackMove is the inverse of packMove. ok is false for codes that packMove
// never returns.
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
