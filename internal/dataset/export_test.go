package dataset

import "io"

// Open, Compress and ParseEPD are open, compress and parseEPD, for tests.
var (
	Open     = open
	Compress = compress
	ParseEPD = parseEPD
)

// TrimmedPGN reads PGN and calls put with the games, trimmed to the plies with
// scores.
func TrimmedPGN(r io.Reader, put func(*GameBatch) error) error {
	return GameReader{}.pgnGames("x.pgn", r, false, func(b *GameBatch) error {
		b.trim()
		return put(b)
	})
}
