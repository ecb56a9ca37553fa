package record

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"skein/position"
)

// Entry is a position on its own with a score and the result of its game.
type Entry struct {
	Position position.Position
	Score    int16 // 1/256 pawn, White's view
	Result   Result
}

// EntrySize is the size of a packed entry in bytes.
const EntrySize = startSize

// Packed is an Entry in 32 bytes: the start of a game with the score in the
// bytes that a game leaves unused. Others call it marlinformat.
type Packed [EntrySize]byte

// Pack returns e in 32 bytes.
func (e *Entry) Pack() Packed {
	var b Packed
	packPosition((*[startSize]byte)(&b), &e.Position)
	binary.LittleEndian.PutUint16(b[atScore:], uint16(e.Score))
	b[atResult] = byte(e.Result)
	return b
}

// Unpack is the inverse of Pack.
func (b *Packed) Unpack() (Entry, error) {
	p, err := unpackPosition((*[startSize]byte)(b))
	e := Entry{Position: p, Score: int16(binary.LittleEndian.Uint16(b[atScore:])), Result: Result(b[atResult])}
	if err == nil && e.Result >= numResults {
		err = fmt.Errorf("%d is no result", e.Result)
	}
	return e, err
}

// points are the results in plain text.
var points = [numResults]string{"0.0", "0.5", "1.0"}

// String returns "FEN | score | points" with White's points: 0.0, 0.5 or 1.0.
// Castling rights are file letters where KQkq would be ambiguous.
func (e *Entry) String() string {
	return fmt.Sprintf("%s | %d | %s", e.Position.FEN(), e.Score, points[e.Result])
}

// ParseEntry is the inverse of String. Further fields are ignored.
func ParseEntry(line string) (Entry, error) {
	fields := strings.Split(line, "|")
	if len(fields) < 3 {
		return Entry{}, fmt.Errorf("expected FEN | score | result, found %d fields", len(fields))
	}
	p, err := position.Parse(fields[0], true)
	if err != nil {
		return Entry{}, err
	}
	text := strings.TrimSpace(fields[1])
	score, err := strconv.ParseInt(text, 10, 16)
	if err != nil {
		return Entry{}, fmt.Errorf("%q is no score", text)
	}
	text = strings.TrimSpace(fields[2])
	for r, s := range points {
		if s == text || s == text+".0" {
			return Entry{p, int16(score), Result(r)}, nil
		}
	}
	return Entry{}, fmt.Errorf("%q is no result: expected 0.0, 0.5 or 1.0", text)
}
