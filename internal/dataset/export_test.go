package dataset

import "io"

// TrimmedPGN reads PGN and hands the games to put, each as far as it has scores.
func TrimmedPGN(r io.Reader, put func(*GameBatch) error) error {
	return pgnGames("x.pgn", r, func(b *GameBatch) error {
		b.trim()
		return put(b)
	})
}
