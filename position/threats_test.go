package position_test

import (
	"testing"

	"skein/chess"
	"skein/position"
)

// TestThreats compares every square with the attackers that are found the
// other way round.
func TestThreats(t *testing.T) {
	for _, fen := range []string{
		position.StartFEN,
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
	} {
		p := parse(t, fen, false)
		threats := p.Threats()
		them := p.SideToMove().Other()
		of := func(types ...chess.PieceType) (b chess.Bitboard) {
			for _, pt := range types {
				b |= p.PiecesOf(them, pt)
			}
			return b
		}
		minors := of(chess.Pawn, chess.Knight, chess.Bishop)
		for s := range chess.Square(64) {
			attackers := p.AttackersTo(s, p.Occupied())
			for _, c := range []struct {
				name string
				got  chess.Bitboard
				by   chess.Bitboard
			}{
				{"pawns", threats.Pawns, of(chess.Pawn)},
				{"minors", threats.Minors, minors},
				{"rooks", threats.Rooks, minors | of(chess.Rook)},
				{"all", threats.All, p.Of(them)},
			} {
				if want := attackers&c.by != 0; c.got.Has(s) != want {
					t.Errorf("%s: %s attacked by %s: %v, want %v", fen, s, c.name, c.got.Has(s), want)
				}
			}
		}
	}
}
