package position_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/corpora"
	"skein/movegen"
	"skein/position"
)

// attackers is the slow twin of Position.AttackersTo: the pieces of color c
// on b that attack s, found from each piece's own attacks.
func attackers(b *[64]chess.Piece, c chess.Color, s chess.Square) chess.Bitboard {
	var occ, found chess.Bitboard
	for from, piece := range b {
		if piece != chess.NoPiece {
			occ |= chess.Square(from).Bit()
		}
	}
	for from := chess.A1; from <= chess.H8; from++ {
		piece := b[from]
		if piece == chess.NoPiece || piece.Color() != c {
			continue
		}
		attacks := chess.Attacks(piece.Type(), from, occ)
		if piece.Type() == chess.Pawn {
			attacks = chess.PawnAttacks(c, from)
		}
		if attacks.Has(s) {
			found |= from.Bit()
		}
	}
	return found
}

func boardOf(p *position.Position) (b [64]chess.Piece) {
	for s := range b {
		b[s] = p.At(chess.Square(s))
	}
	return b
}

// invariants returns what is wrong with a position, by definitions that share
// as little as possible with the code under test.
func invariants(p *position.Position) error {
	b := boardOf(p)
	us, them := p.SideToMove(), p.SideToMove().Other()

	// The board and the sets tell the same.
	var byPiece [16]chess.Bitboard
	for s, piece := range b {
		byPiece[piece] |= chess.Square(s).Bit()
	}
	for _, c := range []chess.Color{us, them} {
		var all chess.Bitboard
		for t := chess.Pawn; t <= chess.King; t++ {
			set := byPiece[chess.MakePiece(c, t)]
			all |= set
			if p.PiecesOf(c, t) != set {
				return fmt.Errorf("PiecesOf(%v, %v) =\n%v", c, t, p.PiecesOf(c, t))
			}
			if p.Pieces(t) != byPiece[chess.MakePiece(chess.White, t)]|byPiece[chess.MakePiece(chess.Black, t)] {
				return fmt.Errorf("Pieces(%v) =\n%v", t, p.Pieces(t))
			}
		}
		if p.Of(c) != all {
			return fmt.Errorf("Of(%v) =\n%v", c, p.Of(c))
		}
		if kings := byPiece[chess.MakePiece(c, chess.King)]; kings.Count() != 1 || p.King(c) != kings.First() {
			return fmt.Errorf("%v king on %v, kings are\n%v", c, p.King(c), kings)
		}
	}
	if bad := p.Pieces(chess.Pawn) & (chess.Rank1 | chess.Rank8); bad != 0 {
		return fmt.Errorf("pawn on %v", bad.First())
	}
	if p.Occupied() != ^byPiece[chess.NoPiece] {
		return fmt.Errorf("Occupied =\n%v", p.Occupied())
	}

	// Checks and pins.
	if attackers(&b, us, p.King(them)) != 0 {
		return fmt.Errorf("%v is in check but %v is to move", them, us)
	}
	checkers := attackers(&b, them, p.King(us))
	if p.Checkers() != checkers || p.InCheck() != (checkers != 0) {
		return fmt.Errorf("Checkers =\n%vwant\n%v", p.Checkers(), checkers)
	}
	var pinned chess.Bitboard
	for s, piece := range b {
		if piece == chess.NoPiece || piece.Color() != us || piece.Type() == chess.King {
			continue
		}
		without := b
		without[s] = chess.NoPiece
		if attackers(&without, them, p.King(us)) != checkers {
			pinned |= chess.Square(s).Bit()
		}
	}
	if p.Pinned() != pinned {
		return fmt.Errorf("Pinned =\n%vwant\n%v", p.Pinned(), pinned)
	}

	// Rights.
	for _, c := range []chess.Color{us, them} {
		rooks := p.CastlingRooks(c)
		if rooks&^(p.PiecesOf(c, chess.Rook)&chess.HomeRank(c)) != 0 ||
			rooks != 0 && !chess.HomeRank(c).Has(p.King(c)) {
			return fmt.Errorf("castling rooks of %v with king on %v are\n%v", c, p.King(c), rooks)
		}
	}
	if s := p.EnPassant(); s != chess.NoSquare && !enPassantPossible(&b, us, s) {
		return fmt.Errorf("en passant on %v is not possible", s)
	}

	// Keys.
	keys := p.FullKeys()
	if p.Keys() != keys {
		return fmt.Errorf("keys are %x, recomputed %x", p.Keys(), keys)
	}
	var all chess.Key
	for _, k := range keys {
		all ^= k
	}
	if p.Key() != all {
		return fmt.Errorf("Key is not its parts")
	}
	if err := p.Validate(); err != nil {
		return fmt.Errorf("Validate: %w", err)
	}
	return nil
}

// enPassantPossible plays each capture on s and looks whether it leaves the
// king in check.
func enPassantPossible(b *[64]chess.Piece, us chess.Color, s chess.Square) bool {
	for from := chess.A1; from <= chess.H8; from++ {
		if b[from] != chess.MakePiece(us, chess.Pawn) || !chess.PawnAttacks(us, from).Has(s) {
			continue
		}
		after := *b
		after[from], after[s^8], after[s] = chess.NoPiece, chess.NoPiece, after[from]
		for king, piece := range after {
			if piece == chess.MakePiece(us, chess.King) && attackers(&after, us.Other(), chess.Square(king)) == 0 {
				return true
			}
		}
	}
	return false
}

// checkDo returns what is wrong with the step from p by m to next.
func checkDo(p, next *position.Position, m chess.Move, d *position.Delta) error {
	if err := invariants(next); err != nil {
		return err
	}
	// The delta is the difference of the boards.
	b := boardOf(p)
	for _, x := range d.Removed[:d.NumRemoved] {
		if b[x.Square] != x.Piece {
			return fmt.Errorf("delta removes %c from %v, where %c stands", x.Piece.Letter(), x.Square,
				b[x.Square].Letter())
		}
		b[x.Square] = chess.NoPiece
	}
	for _, x := range d.Added[:d.NumAdded] {
		if b[x.Square] != chess.NoPiece {
			return fmt.Errorf("delta adds %c to %v, where %c stands", x.Piece.Letter(), x.Square, b[x.Square].Letter())
		}
		b[x.Square] = x.Piece
	}
	if b != boardOf(next) {
		return fmt.Errorf("delta %+v does not lead to the new board", *d)
	}
	// What a double step leaves behind, and only that.
	piece, enPassant := p.At(m.From()), chess.NoSquare
	if piece.Type() == chess.Pawn && m.From()^m.To() == 16 &&
		enPassantPossible(&b, next.SideToMove(), (m.From()+m.To())/2) {
		enPassant = (m.From() + m.To()) / 2
	}
	if next.EnPassant() != enPassant {
		return fmt.Errorf("en passant on %v, want %v", next.EnPassant(), enPassant)
	}
	// Counters.
	halfmoves, fullmoves := min(p.Halfmoves()+1, 150), p.Fullmoves()
	if piece.Type() == chess.Pawn || p.IsCapture(m) {
		halfmoves = 0
	}
	if p.SideToMove() == chess.Black {
		fullmoves = min(fullmoves+1, 9999)
	}
	if next.Halfmoves() != halfmoves || next.Fullmoves() != fullmoves || next.SideToMove() == p.SideToMove() {
		return fmt.Errorf("counters are %d and %d, want %d and %d", next.Halfmoves(), next.Fullmoves(), halfmoves,
			fullmoves)
	}
	// Castling rights: gone with king, rook or a rook taken, else kept.
	for _, c := range []chess.Color{chess.White, chess.Black} {
		want := p.CastlingRooks(c) &^ (m.From().Bit() | m.To().Bit())
		if m.From() == p.King(c) {
			want = 0
		}
		if next.CastlingRooks(c) != want {
			return fmt.Errorf("castling rooks of %v are\n%vwant\n%v", c, next.CastlingRooks(c), want)
		}
	}
	// A reader of the FEN sees the very same, checks, pins and keys included.
	for _, fen := range []string{next.FEN(), next.ShredderFEN()} {
		if again, err := position.Parse(fen, true); err != nil || again != *next {
			return fmt.Errorf("FEN %s reads as %s, error %v", fen, again.FEN(), err)
		}
	}
	return nil
}

// checkNull returns what is wrong with passing the move in p.
func checkNull(p *position.Position) error {
	if p.InCheck() {
		return nil
	}
	var next position.Position
	p.DoNull(&next)
	if err := invariants(&next); err != nil {
		return fmt.Errorf("null move: %w", err)
	}
	if next.SideToMove() == p.SideToMove() || next.EnPassant() != chess.NoSquare || next.Key() == p.Key() ||
		boardOf(&next) != boardOf(p) || next.PawnKey() != p.PawnKey() || next.Halfmoves() != min(p.Halfmoves()+1, 150) {
		return fmt.Errorf("null move leads to %s", next.FEN())
	}
	return nil
}

// rare are the moves a walk prefers: those that random play seldom finds.
func rare(p *position.Position, m chess.Move) bool {
	return m.IsCastling() || m.IsEnPassant() || m.IsPromotion() ||
		m.From()^m.To() == 16 && p.At(m.From()).Type() == chess.Pawn
}

// walk plays up to plies random moves from p and calls visit with each.
func walk(p position.Position, rng *rand.Rand, plies int,
	visit func(p, next *position.Position, m chess.Move, d *position.Delta)) {
	for range plies {
		moves := movegen.Legal(&p)
		if len(moves) == 0 {
			return
		}
		m := moves[rng.IntN(len(moves))]
		for range len(moves) {
			if rare(&p, m) {
				break
			}
			m = moves[rng.IntN(len(moves))]
		}
		var next position.Position
		var d position.Delta
		p.Do(m, &next, &d)
		visit(&p, &next, m, &d)
		p = next
	}
}

// starts returns every nth position of each perft suite: standard chess,
// Chess960, double Fischer random and odd boards.
func starts(t testing.TB, n int) []position.Position {
	t.Helper()
	files, err := filepath.Glob(corpora.Path("perft/*.epd"))
	if err != nil || len(files) == 0 {
		t.Fatal("no perft suites at", corpora.Path("perft"), err)
	}
	starts := []position.Position{position.Start()}
	for _, file := range files {
		rows, err := corpora.PerftRows(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(rows); i += n {
			p, err := position.Parse(rows[i].FEN, true)
			if err != nil {
				continue // TestPerft knows which
			}
			starts = append(starts, p)
		}
	}
	return starts
}

// TestWalks plays random games and checks every position, every step, and
// that two positions have the same key only if they are the same.
func TestWalks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	seen := map[chess.Key]string{}
	var castlings, enPassants, promotions, checks, doubles, pins int
	for _, start := range starts(t, 4) {
		if err := invariants(&start); err != nil {
			t.Fatalf("%s: %v", start.FEN(), err)
		}
		walk(start, rng, 60, func(p, next *position.Position, m chess.Move, d *position.Delta) {
			if err := checkDo(p, next, m, d); err != nil {
				t.Fatalf("%s, move %v: %v", p.FEN(), m, err)
			}
			if err := checkNull(next); err != nil {
				t.Fatalf("%s: %v", next.FEN(), err)
			}
			given := p.Checks()
			if !m.IsCastling() && !m.IsEnPassant() && given.Gives(p, m) != next.InCheck() {
				t.Fatalf("%s, move %v: gives check: %v", p.FEN(), m, given.Gives(p, m))
			}
			if !m.IsPromotion() && given.Gives(p, m) && !given.MayGive(p.At(m.From()), m.From(), m.To()) {
				t.Fatalf("%s, move %v: gives check, which it may not", p.FEN(), m)
			}
			plain := !m.IsCastling() && !m.IsEnPassant() && !m.IsPromotion() && next.EnPassant() == p.EnPassant() &&
				next.CastlingRooks(chess.White) == p.CastlingRooks(chess.White) &&
				next.CastlingRooks(chess.Black) == p.CastlingRooks(chess.Black)
			if plain && p.KeyAfter(m) != next.Key() {
				t.Fatalf("%s, move %v: the key is not as foreseen", p.FEN(), m)
			}
			fields := strings.Fields(next.ShredderFEN())
			state := strings.Join(fields[:4], " ")
			if other, ok := seen[next.Key()]; ok && other != state {
				t.Fatalf("%s and %s have the same key", state, other)
			}
			seen[next.Key()] = state
			castlings += count(m.IsCastling())
			enPassants += count(m.IsEnPassant())
			promotions += count(m.IsPromotion())
			checks += count(next.InCheck())
			doubles += count(next.Checkers().Many())
			pins += count(next.Pinned() != 0)
		})
	}
	states := map[string]bool{}
	for _, state := range seen {
		states[state] = true
	}
	if len(states) != len(seen) {
		t.Errorf("%d keys for %d positions", len(seen), len(states))
	}
	t.Logf("%d positions, %d castlings, %d en passant, %d promotions, %d checks, %d double checks, %d pins",
		len(seen), castlings, enPassants, promotions, checks, doubles, pins)
	if min(castlings, enPassants, promotions, checks, pins) < 100 || doubles == 0 {
		t.Error("the walks pass some kind of move or position by")
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
