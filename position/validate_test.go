package position

import (
	"strings"
	"testing"

	"skein/chess"
)

// faultFEN has castling rights, a pinned piece, a check to give, and a capture
// en passant.
const faultFEN = "r3k2r/p2pqpb1/bn2pnp1/2pPN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq c6 0 2"

// fault is damage to a position.
type fault struct {
	name string
	fen  string // "" for faultFEN
	do   func(*Position)
	want string // part of the error
}

// faults are damages to all that a position keeps.
var faults = []fault{
	{"key of pawns", "", func(p *Position) { p.keys[keyPawns] ^= 1 }, "key of pawns"},
	{"key of minor pieces", "", func(p *Position) { p.keys[keyMinors+1] ^= 1 << 63 }, "key of black minor pieces"},
	{"key of major pieces", "", func(p *Position) { p.keys[keyMajors] = 0 }, "key of white king, queens and rooks"},
	{"key of the state", "", func(p *Position) { p.keys[keyState] ^= zobrist.black }, "key of side to move"},
	{"piece of another type", "", func(p *Position) { p.board[9] = chess.PieceOf('N') }, "bitboard of type"},
	{"piece of another color", "", func(p *Position) { p.board[9] = chess.PieceOf('p') }, "bitboard of white"},
	{"no piece", "", func(p *Position) { p.board[9] = 7 }, "b2 holds 7"},
	{"no color", "", func(p *Position) { p.board[9] |= 16 }, "b2 holds 16"},
	{"bitboard of a type", "", func(p *Position) { p.byType[chess.Bishop] ^= 1 << 30 }, "bitboard of type 2 (b)"},
	{"bitboard of a color", "", func(p *Position) { p.byColor[chess.Black] ^= 1 << 30 }, "bitboard of black"},
	{"two kings", "", func(p *Position) { p.put(chess.PieceOf('k'), chess.H5) }, "2 black kings"},
	{"no king", "", func(p *Position) { p.remove(chess.PieceOf('k'), p.King(chess.Black)) }, "0 black kings"},
	{"castling without a rook", "", func(p *Position) { p.castling |= chess.E1.Bit() }, "e1 holds no white rook"},
	{"castling with nothing", "", func(p *Position) { p.castling ^= 1 << 58 }, "c8 holds no rook"},
	{"castling after the king's move", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", func(p *Position) {
		p.remove(chess.PieceOf('K'), chess.E1)
		p.put(chess.PieceOf('K'), chess.E1+8)
	}, "white king on e2"},
	{"castling twice on one side", "4k3/8/8/8/8/8/8/RR2K3 w A - 0 1",
		func(p *Position) { p.castling |= chess.B1.Bit() }, "two white rooks"},
	{"move number", "", func(p *Position) { p.fullmoves = maxFullmoves + 1 }, "move number 10000"},
	{"no move number", "", func(p *Position) { p.fullmoves = 0 }, "move number 0"},
	{"halfmove clock", "", func(p *Position) { p.halfmoves = maxHalfmoves + 1 }, "halfmove clock 151"},
	{"side to move", "", func(p *Position) { p.side = 2 }, "side to move 2"},
	{"king to be taken", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1",
		func(p *Position) {
			p.side = chess.White
			p.updateChecks()
			p.keys = p.fullKeys()
		}, "black is in check"},
	{"checkers", "", func(p *Position) { p.checkers = 1 << 60 }, "checkers: e8, recomputed none"},
	{"checkers forgotten", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1",
		func(p *Position) { p.checkers = 0 }, "checkers: none, recomputed e2"},
	{"pins", "", func(p *Position) { p.pinned |= 1 << 8 }, "pinned pieces: a2"},
	{"pins forgotten", "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1",
		func(p *Position) { p.pinned = 0 }, "pinned pieces: none, recomputed e2"},
	{"en passant beyond the board", "", func(p *Position) { p.enPassant = 65 }, "en-passant square 65"},
	{"en passant without a pawn", "", func(p *Position) { p.enPassant++ }, "no black pawn on d5"},
	{"en passant on another rank", "", func(p *Position) { p.enPassant -= 8 }, "c5 is on the wrong rank"},
	{"en passant on a piece", "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2",
		func(p *Position) { p.put(chess.PieceOf('b'), p.enPassant) }, "c6 is occupied"},
	{"en passant from a piece", "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2",
		func(p *Position) { p.put(chess.PieceOf('b'), p.enPassant^24) }, "which is occupied"},
	{"en passant without a capture", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1",
		func(p *Position) { p.enPassant = 20 }, "no capture en passant on e3"},
	{"en passant that uncovers the king", "8/8/8/8/k2Pp2Q/8/8/4K3 b - - 0 1",
		func(p *Position) { p.enPassant = 19 }, "no capture en passant on d3"},
}

// damaged returns the position of the fault before it was damaged, and after.
func damaged(t *testing.T, f fault) (sound, faulty Position) {
	t.Helper()
	fen := f.fen
	if fen == "" {
		fen = faultFEN
	}
	sound, err := Parse(fen, true)
	if err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	faulty = sound
	f.do(&faulty)
	return sound, faulty
}

// TestValidate damages each thing that a position keeps, and expects an error
// that names it.
func TestValidate(t *testing.T) {
	for _, f := range faults {
		sound, faulty := damaged(t, f)
		if err := sound.Validate(); err != nil {
			t.Errorf("%s: undamaged: %v", f.name, err)
		}
		if err := faulty.Validate(); err == nil || !strings.Contains(err.Error(), f.want) {
			t.Errorf("%s: error %v, want %q", f.name, err, f.want)
		}
	}
}

// BenchmarkValidate times what a check of a position costs.
func BenchmarkValidate(b *testing.B) {
	p, err := Parse(faultFEN, true)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := p.Validate(); err != nil {
			b.Fatal(err)
		}
	}
}
