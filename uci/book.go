package uci

import (
	"slices"

	"skein/chess"
	"skein/polyglot"
	"skein/search"
)

// setBookFile opens another opening book, or none if the name is empty. On
// error the old one is kept.
func (d *Driver) setBookFile(v value) error {
	var opened *polyglot.Book
	if v.text != "" {
		var err error
		if opened, err = polyglot.Open(v.text); err != nil {
			return err
		}
	}
	old := d.book
	d.book = opened
	if old != nil {
		return old.Close()
	}
	return nil
}

// bookMove returns a random move of the opening book, NoMove if there is none
// or the book is not used: in analysis, when pondering, and with searchmoves.
func (d *Driver) bookMove(lim *search.Limits, ponder bool) chess.Move {
	if !d.settings.ownBook || d.book == nil || d.settings.analyse || ponder || lim.Infinite || lim.Mate > 0 ||
		len(lim.SearchMoves) > 0 {
		return chess.NoMove
	}
	entries, err := d.book.Moves(&d.game.Pos, d.doubleStep)
	if err != nil {
		d.fail(err)
	}
	entries = slices.DeleteFunc(entries, func(e polyglot.Entry) bool { return e.Weight == 0 }) // never played
	m := polyglot.Pick(entries, d.random())
	if m != chess.NoMove {
		d.note("book move, one of %d", len(entries))
	}
	return m
}

// setUpDoubleStep returns the en-passant square of a position command, legal or
// not, which is part of book keys.
func setUpDoubleStep(words []string) chess.Square {
	const field = 4 // words[0] is fen
	if len(words) <= field || words[0] != "fen" {
		return chess.NoSquare
	}
	s, _ := chess.SquareOf(words[field])
	return s
}
