/*
Package openings names the opening of a position or of a game: its code in the
Encyclopedia of Chess Openings (ECO) and its English name.

	g, err := notation.NewReader(file).Read()
	...
	if opening, plies := openings.Of(g.Start, g.Moves()); plies > 0 {
		fmt.Println(opening.ECO, opening.Name)
	}
	if opening, ok := openings.At(&p); ok {
		fmt.Println(opening.Name)
	}

An opening is a position, so that transpositions are found whatever the order of
the moves; move numbers and the fifty-move counter do not matter. The names are
those of the list that lichess.org publishes, some 3800 positions of standard
chess with some 3200 names, which is embedded. README.md in this folder tells its
source, version, license and format.

The list is read by the first call of a function of this package, which takes
about ten milliseconds and half a megabyte. All functions are safe for concurrent
use.
*/
package openings

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"skein/chess"
	"skein/notation"
	"skein/position"
)

// Version is the commit of github.com/lichess-org/chess-openings that the list
// was made from.
const Version = "51b886249b9e418498d25b6e39b926c3de99c29a"

// Opening is a position with a name. Several may have the same name.
type Opening struct {
	ECO  string // "A00" to "E99"
	Name string // such as "Sicilian Defense: Najdorf Variation, English Attack"
	// Moves lead from the initial position to this one. They are shared by all
	// callers and must not be changed.
	Moves []chess.Move
}

// Family returns the name up to the colon, such as "Sicilian Defense". As on
// lichess.org, "Queen's Indian Defense, with e3" is a family of its own.
func (o Opening) Family() string {
	family, _, _ := strings.Cut(o.Name, ":")
	return family
}

// At returns the opening whose position is p, and whether there is one. It
// allocates nothing.
func At(p *position.Position) (Opening, bool) {
	i, ok := list().at[p.Key()]
	if !ok {
		return Opening{}, false
	}
	return list().openings[i], true
}

// Of returns the opening of a game: the last position with a name that the moves
// from start lead to, and the number of moves up to it, 0 if none has a name. The
// moves must be legal; those from a null move on are ignored. It allocates nothing.
func Of(start position.Position, moves []chess.Move) (o Opening, plies int) {
	p := start
	for i, m := range moves {
		if m == chess.NoMove {
			break
		}
		p = p.After(m)
		if found, ok := At(&p); ok {
			o, plies = found, i+1
		}
	}
	return o, plies
}

// All returns all openings in the order of their moves in SAN, so that those with
// the same first moves are adjacent.
func All() []Opening { return slices.Clone(list().openings) }

//go:embed openings.txt
var text string

// names is the list and an index of it.
type names struct {
	openings []Opening
	at       map[chess.Key]int
}

var list = sync.OnceValue(func() *names {
	n, err := read(text)
	if err != nil {
		panic(err) // the text is embedded and tested
	}
	return n
})

// read reads the list in the format that README.md describes.
func read(text string) (*names, error) {
	n := &names{at: map[chess.Key]int{}}
	// The line before, and the positions on its way.
	var moves []chess.Move
	positions := []position.Position{position.Start()}
	number := 0
	for row := range strings.Lines(text) {
		if number++; strings.HasPrefix(row, "#") {
			continue
		}
		cells := strings.Split(strings.TrimRight(row, "\r\n"), "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("openings: line %d: %d columns instead of 3", number, len(cells))
		}
		words := strings.Fields(cells[2])
		if len(words) < 2 {
			return nil, fmt.Errorf("openings: line %d: no moves", number)
		}
		shared, err := strconv.Atoi(words[0])
		if err != nil || shared < 0 || shared > len(moves) {
			return nil, fmt.Errorf("openings: line %d: %q is not a number of moves of the line before", number,
				words[0])
		}
		moves, positions = slices.Clone(moves[:shared]), positions[:shared+1]
		for _, word := range words[1:] {
			p := &positions[len(positions)-1]
			m, err := notation.ParseSAN(p, word)
			if err != nil {
				return nil, fmt.Errorf("openings: line %d: %w", number, err)
			}
			moves, positions = append(moves, m), append(positions, p.After(m))
		}
		key := positions[len(positions)-1].Key()
		if i, ok := n.at[key]; ok {
			return nil, fmt.Errorf("openings: line %d: the position is that of %s", number, n.openings[i].Name)
		}
		n.at[key] = len(n.openings)
		n.openings = append(n.openings, Opening{cells[0], cells[1], slices.Clip(moves)})
	}
	return n, nil
}
