package selfplay

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"skein/chess"
	"skein/internal/input"
	"skein/movegen"
	"skein/position"
	"skein/rules"
)

// initial draws the position before any random moves; fromBook reports whether
// it is from the book. place is its place there, negative for a random one.
func (o *Openings) initial(r *rand.Rand, place int) (p position.Position, fromBook bool) {
	switch share := r.Float64(); {
	case share < o.DFRC:
		return position.Chess960(r.IntN(position.Chess960Positions), r.IntN(position.Chess960Positions)), false
	case share < o.DFRC+o.FRC:
		n := r.IntN(position.Chess960Positions)
		return position.Chess960(n, n), false
	case len(o.Book) > 0 && place >= 0:
		return o.Book[place], true
	case len(o.Book) > 0:
		return o.Book[r.IntN(len(o.Book))], true
	}
	return position.Start(), false
}

// place returns the place in the book of the game with a number. The first games,
// as many as the book has positions, start from different ones. It is negative, for
// any place, if random moves follow, which make a difference anyway.
func (o *Openings) place(number uint64) int {
	if len(o.Book) == 0 || o.BookPlies > 0 {
		return -1
	}
	return int(number % uint64(len(o.Book)))
}

// draw draws a start position, which need not be balanced. ok is false if the
// game would be over there. place is that of a position of the book; if it is
// negative, at least one random move follows a position of the book, which may be
// that of another game, too.
func (o *Openings) draw(r *rand.Rand, place int) (p position.Position, ok bool) {
	p, fromBook := o.initial(r, place)
	g := position.NewGame(p)
	plies := o.RandomPlies
	if fromBook {
		plies = o.BookPlies
		if place < 0 {
			plies = max(plies, 1)
		}
	}
	if !fromBook || plies > 0 {
		plies += r.IntN(2)
	}
	for range plies {
		moves := movegen.Legal(&g.Pos)
		if len(moves) == 0 {
			return p, false
		}
		g.Play(moves[r.IntN(len(moves))])
	}
	return g.Pos, !rules.EndedOrClaimable(g).Over()
}

// LoadBook reads an opening book from a file with one position per line: an EPD, whose
// operations are ignored, or a FEN. Lines that are empty or start with # are skipped, and
// so are positions that come again; positions in which the game is over are an error. The
// error names the file. It does not decompress.
func LoadBook(name string) ([]position.Position, error) {
	if ext := filepath.Ext(name); ext == ".gz" || ext == ".zst" {
		return nil, fmt.Errorf("%s: a book is not read from a compressed file; decompress it first", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	book, err := readBook(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return book, nil
}

// readBook is LoadBook for what is in a file. The error names the line.
func readBook(r io.Reader) ([]position.Position, error) {
	var book []position.Position
	known := map[chess.Key]bool{}
	n := 0
	for text, err := range input.Lines(r) {
		n++
		if text = strings.TrimSpace(text); err == nil && (text == "" || text[0] == '#') {
			continue
		}
		var p position.Position
		if err == nil {
			p, err = parseEPD(text)
		}
		if err == nil && rules.Ended(position.NewGame(p)).Over() {
			err = errors.New("the game is over in this position")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if key := p.Key(); !known[key] {
			known[key] = true
			book = append(book, p)
		}
	}
	if len(book) == 0 {
		return nil, errors.New("no positions")
	}
	return book, nil
}

// BookHash identifies the positions of a book and their order, "" for none.
func BookHash(book []position.Position) string {
	if len(book) == 0 {
		return ""
	}
	sum := sha256.New()
	for i := range book {
		fmt.Fprintln(sum, book[i].FEN())
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// parseEPD parses the four fields of an EPD, and the counters of a FEN if
// present.
func parseEPD(text string) (position.Position, error) {
	fields := strings.Fields(text)
	n := min(4, len(fields))
	for n < min(6, len(fields)) && strings.Trim(fields[n], "0123456789") == "" {
		n++
	}
	return position.Parse(strings.Join(fields[:n], " "), true)
}
