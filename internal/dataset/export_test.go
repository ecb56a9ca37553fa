package dataset

import "io"

// Open is open, for tests.
var Open = open

// TrimmedPGN reads PGN and calls put with the games, trimmed to the plies with
// scores.
func TrimmedPGN(r io.Reader, put func(*GameBatch) error) error {
	return GameReader{}.pgnGames("x.pgn", r, false, func(b *GameBatch) error {
		b.trim()
		return put(b)
	})
}
