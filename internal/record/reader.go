package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"skein/chess"
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
	at     int   // offset of the next game in the payload
	last   int   // offset of the last game read

	err error // the first error, which is permanent
}

// NewReader reads the header of a file of games. The error is a *DamageError if
// the header is damaged.
func NewReader(r io.Reader) (*Reader, error) {
	rd := &Reader{r: bufio.NewReaderSize(r, 1<<16), blocks: -1}
	var err error
	rd.header, rd.next, err = readFileHeader(rd.r)
	if err != nil {
		return nil, err
	}
	return rd, nil
}

// Description returns the description in the header of the file.
func (r *Reader) Description() string { return r.header.description }

// Unit returns the score units per pawn that the header states, or 0 in older files,
// whose scores are in the unit of the network that played.
func (r *Reader) Unit() int { return r.header.unit }

// SetUnit sets the score units per pawn of a file whose header does not state them. Read then converts scores from
// that unit to chess.UnitsPerPawn, as it does for files that state another one.
func (r *Reader) SetUnit(unit int) { r.header.unit = unit }

// Place returns the place in the file of the last game read.
func (r *Reader) Place() Place {
	return Place{Offset: r.start + blockHeaderSize + int64(r.last), Block: r.blocks, Game: r.games - 1}
}

// Read reads the next game into g, whose Plies it reuses. It returns io.EOF at
// the end of the file and a *DamageError where the file is damaged. Errors are
// permanent.
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
		bad, _ := errors.AsType[*gameError](err)
		return r.damage(r.start+blockHeaderSize+int64(r.at+bad.at), false, bad.reason)
	}
	r.convert(g)
	r.last = r.at
	r.at += n
	r.games++
	r.inside++
	if rest := len(r.block.payload) - r.at; r.inside == r.block.games && rest > 0 {
		r.games-- // either the header or the last game is wrong
		reason := fmt.Sprintf("%d bytes after the last game of the block", rest)
		return r.damage(r.start+blockHeaderSize+int64(r.at), false, reason)
	}
	return nil
}

// convert converts the scores of g, except those of mates and tablebase wins,
// to those of chess.Score.
func (r *Reader) convert(g *Game) {
	unit := r.header.unit
	if unit == 0 || unit == chess.UnitsPerPawn {
		return
	}
	for i := range g.Plies {
		if score := g.Plies[i].Score; max(score, -score) <= chess.MaxEval {
			g.Plies[i].Score = min(max(score*chess.UnitsPerPawn/chess.Score(unit), -chess.MaxEval), chess.MaxEval)
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
	if bad, ok := errors.AsType[*blockError](err); ok {
		return r.damage(r.start+int64(bad.at), bad.torn, bad.reason)
	}
	return err
}

func (r *Reader) damage(at int64, torn bool, reason string) error {
	return &DamageError{Offset: at, Block: r.blocks, Game: r.games, Torn: torn, Reason: reason}
}
