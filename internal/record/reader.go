package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Reader reads the games of a file one after another in constant memory.
type Reader struct {
	r      io.Reader
	header fileHeader

	buf   []byte // the current block with its header
	block block
	start int64 // offset of the current block in the file
	next  int64 // offset of the block after it

	blocks int   // number of the current block, from 0
	games  int64 // games read
	inside int   // games read from the current block
	at     int   // where the next game begins in the payload
	last   int   // where the last game began

	err error // the first error, for ever
}

// NewReader reads the header of a file of games. The error is a *DamageError if
// that is bad.
func NewReader(r io.Reader) (*Reader, error) {
	rd := &Reader{r: bufio.NewReaderSize(r, 1<<16), blocks: -1}
	var err error
	rd.header, rd.next, err = readFileHeader(rd.r)
	if err != nil {
		return nil, err
	}
	return rd, nil
}

// Description returns the text its writer gave to the file.
func (r *Reader) Description() string { return r.header.description }

// Unit returns the number of units of scores in a pawn that the file was written with: Unit, or 0 for a file from
// before they were fixed, whose scores are in the unit of the network that played.
func (r *Reader) Unit() int { return r.header.unit }

// SetUnit says what the unit is of a file that does not tell. Read then converts scores to Unit, as it does for
// files that tell another one.
func (r *Reader) SetUnit(unit int) { r.header.unit = unit }

// Games returns the number of games read so far.
func (r *Reader) Games() int64 { return r.games }

// Place returns where the last game read lies in the file.
func (r *Reader) Place() Place {
	return Place{Offset: r.start + blockHeaderSize + int64(r.last), Block: r.blocks, Game: r.games - 1}
}

// Read reads the next game into g, whose Plies it reuses. At the end of the
// file it returns io.EOF, at a bad place a *DamageError. After an error it
// returns the same again.
func (r *Reader) Read(g *Game) error {
	if r.err == nil {
		r.err = r.read(g)
	}
	return r.err
}

func (r *Reader) read(g *Game) error {
	if r.inside == r.block.games {
		if err := r.readBlock(); err != nil {
			return err
		}
	}
	n, err := decodeGame(r.block.payload[r.at:], g)
	if err != nil {
		var bad *gameError
		errors.As(err, &bad)
		return r.damage(r.start+blockHeaderSize+int64(r.at+bad.at), false, bad.reason)
	}
	r.convert(g)
	r.last = r.at
	r.at += n
	r.games++
	r.inside++
	if rest := len(r.block.payload) - r.at; r.inside == r.block.games && rest > 0 {
		r.games-- // the header lies, or a game ended too early: this one is in doubt
		return r.damage(r.start+blockHeaderSize+int64(r.at), false, fmt.Sprintf("%d bytes after the last game of the block", rest))
	}
	return nil
}

// convert turns the scores of g, but for mates and wins by tables, into those of Unit.
func (r *Reader) convert(g *Game) {
	unit := r.header.unit
	if unit == 0 || unit == Unit {
		return
	}
	for i := range g.Plies {
		if score := int(g.Plies[i].Score); max(score, -score) <= MaxEval {
			g.Plies[i].Score = int16(min(max(score*Unit/unit, -MaxEval), MaxEval))
		}
	}
}

func (r *Reader) readBlock() error {
	r.start = r.next
	r.blocks++
	var err error
	r.block, r.buf, err = readBlock(r.r, r.buf)
	r.at, r.inside = 0, 0
	if err == nil {
		r.next += r.block.size()
		return nil
	}
	r.block = block{}
	if bad := (*blockError)(nil); errors.As(err, &bad) {
		return r.damage(r.start+int64(bad.at), bad.torn, bad.reason)
	}
	return err
}

func (r *Reader) damage(at int64, torn bool, reason string) error {
	return &DamageError{Offset: at, Block: r.blocks, Game: r.games, Torn: torn, Reason: reason}
}
