package syzygy

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"skein/chess"
	"skein/position"
)

// The endings that are at hand have no cursed wins, no distances that take two
// bytes and few that are counted in plies. Tables made up here do.

// plainArray writes an array of values below 32 as its codes stand: five bits
// each, no pairs.
type plainArray struct {
	values []uint8
	flags  uint8
	lists  [4][]uint16 // values of DTZ, if flagMapped
}

const (
	plainBits  = 5
	plainBlock = 6 // 2^6 bytes
	plainSpan  = 7 // 2^7 values
	perBlock   = 8 << plainBlock / plainBits
)

func (a *plainArray) blocks() int { return (len(a.values) + perBlock - 1) / perBlock }

// header is what parse reads, before the lists of values.
func (a *plainArray) header() []byte {
	b := []byte{a.flags, plainBlock, plainSpan, 0}
	b = binary.LittleEndian.AppendUint32(b, uint32(a.blocks()))
	b = append(b, plainBits, plainBits, 0, 0, 1<<plainBits, 0)
	for i := range byte(1 << plainBits) {
		b = append(b, i, 0xf0, 0xff)
	}
	return b
}

func (a *plainArray) appendLists(b []byte) []byte {
	if a.flags&flagMapped == 0 {
		return b
	}
	if a.flags&flagWide != 0 {
		b = append(b, make([]byte, len(b)%2)...)
	}
	for _, list := range a.lists {
		if a.flags&flagWide == 0 {
			b = append(b, byte(len(list)))
			for _, v := range list {
				b = append(b, byte(v))
			}
			continue
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(len(list)))
		for _, v := range list {
			b = binary.LittleEndian.AppendUint16(b, v)
		}
	}
	return b
}

func (a *plainArray) appendIndex(b []byte) []byte {
	for i := 0; i < len(a.values); i += 1 << plainSpan {
		middle := i + 1<<plainSpan/2
		block := min(middle/perBlock, a.blocks()-1)
		b = binary.LittleEndian.AppendUint32(b, uint32(block))
		b = binary.LittleEndian.AppendUint16(b, uint16(middle-block*perBlock))
	}
	return b
}

func (a *plainArray) appendLengths(b []byte) []byte {
	for i := range a.blocks() {
		n := min(perBlock, len(a.values)-i*perBlock)
		b = binary.LittleEndian.AppendUint16(b, uint16(n-1))
	}
	return b
}

func (a *plainArray) appendBlocks(b []byte) []byte {
	b = append(b, make([]byte, -len(b)&63)...)
	for i := range a.blocks() {
		block := make([]byte, 1<<plainBlock)
		for j, v := range a.values[i*perBlock : min((i+1)*perBlock, len(a.values))] {
			for k := range plainBits {
				bit := j*plainBits + k
				block[bit/8] |= v >> (plainBits - 1 - k) & 1 << (7 - bit%8)
			}
		}
		b = append(b, block...)
	}
	return b
}

// write makes a file of a pawnless ending with three different men: White's
// king and man, Black's king, in this order.
func write(t *testing.T, dir, name string, man chess.PieceType, arrays ...*plainArray) {
	t.Helper()
	magic, shift := uint32(magicWDL), byte(0x11)
	if filepath.Ext(name) == suffixDTZ {
		magic, shift = magicDTZ, 1
	}
	b := binary.LittleEndian.AppendUint32(nil, magic)
	b = append(b, layoutSplit, 0, whiteKing*shift, (byte(man)+1)*shift, blackKing*shift, 0)
	for _, a := range arrays {
		b = append(b, a.header()...)
	}
	for _, a := range arrays {
		b = a.appendLists(b)
	}
	b = append(b, make([]byte, len(b)%2)...)
	for _, step := range []func(*plainArray, []byte) []byte{
		(*plainArray).appendIndex, (*plainArray).appendLengths, (*plainArray).appendBlocks,
	} {
		for _, a := range arrays {
			b = step(a, b)
		}
	}
	sum := checksum(b)
	writeFile(t, dir, name, append(b, sum[:]...))
}

// random returns values below n for all placements of three men.
func random(rng *rand.Rand, n int) []uint8 {
	values := make([]uint8, threeMenSize)
	for i := range values {
		values[i] = uint8(rng.IntN(n))
	}
	return values
}

// TestFormat reads tables of queen against king with random values in each
// variant of the format, and compares them with what was written.
func TestFormat(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	wdl := [2]*plainArray{{values: random(rng, 5)}, {values: random(rng, 5)}}
	short := [4][]uint16{{9, 8, 7, 6, 5, 0, 255}, {1, 2, 3, 4, 5, 6, 7}, {0, 10, 20, 30, 40, 50, 60},
		{7, 77, 177, 200, 1, 0, 3}}
	long := short
	long[2] = []uint16{256, 1000, 999, 65535, 0, 1, 300}
	for _, flags := range []uint8{
		0, flagBlack, flagWinPlies, flagLossPlies | flagBlack, flagWinPlies | flagLossPlies,
		flagMapped, flagMapped | flagWinPlies, flagMapped | flagWide, flagMapped | flagWide | flagLossPlies | flagBlack,
	} {
		dir := t.TempDir()
		dtz := &plainArray{values: random(rng, 7), flags: flags, lists: short}
		if flags&flagWide != 0 {
			dtz.lists = long
		}
		write(t, dir, "KQvK.rtbw", chess.Queen, wdl[0], wdl[1])
		write(t, dir, "KQvK.rtbz", chess.Queen, dtz)
		tables := Open(dir, func(err error) { t.Error(err) })
		checkFormat(t, rng, tables, wdl, dtz)
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	}
}

func checkFormat(t *testing.T, rng *rand.Rand, tables *Tables, wdl [2]*plainArray, dtz *plainArray) {
	t.Helper()
	m := ending(t, "KQvK")
	e := &encoding{kinds: []chess.Piece{chess.MakePiece(0, chess.King), chess.MakePiece(0, chess.Queen),
		chess.MakePiece(1, chess.King)}}
	if !e.setGroups(m) || !e.setFactors(0, 0, 0) {
		t.Fatal("no encoding")
	}
	for range 300 {
		b := randomBoard(rng, m)
		_, s := place(b, []*encoding{e})
		i := e.index(s)
		want := WDL(wdl[b.side].values[i]) - 2
		if got, err := tables.lookUp(b); got != want || err != nil {
			t.Fatalf("WDL %v, %v, want %v", got, err, want)
		}
		if want == Draw || chess.Color(dtz.flags&flagBlack) != b.side {
			continue
		}
		tab, _, err := tables.get(m, true)
		if err != nil {
			t.Fatal(err)
		}
		sub, j, ok := tab.locate(b)
		if !ok || i != j {
			t.Fatalf("index %d, %v, want %d", j, ok, i)
		}
		if got, err := sub.distance(j, want); got != wantDistance(dtz, i, want) || err != nil {
			t.Fatalf("flags %d, %v: distance %d, %v, want %d", dtz.flags, want, got, err, wantDistance(dtz, i, want))
		}
	}
}

// wantDistance is the distance by the description of the format.
func wantDistance(a *plainArray, i uint64, v WDL) int {
	n := int(a.values[i])
	if a.flags&flagMapped != 0 {
		n = int(a.lists[map[WDL]int{Win: 0, Loss: 1, CursedWin: 2, BlessedLoss: 3}[v]][n])
	}
	if v == Win && a.flags&flagWinPlies != 0 || v == Loss && a.flags&flagLossPlies != 0 {
		return n
	}
	return 2 * n
}

// constant makes a WDL file that holds one value for either side to move. men
// are in the order of the index, pawns first.
func constant(t *testing.T, dir, name string, men []byte, values [2]uint8) {
	t.Helper()
	b := binary.LittleEndian.AppendUint32(nil, magicWDL)
	orders, files := []byte{0x00}, 1
	b = append(b, layoutSplit)
	if men[0]&7 == 1 {
		b[4] |= layoutPawns
		files = 4
		if men[1]&7 == 1 {
			orders = append(orders, 0x11)
		}
	}
	for range files {
		b = append(b, orders...)
		for _, man := range men {
			b = append(b, man|man<<4)
		}
	}
	b = append(b, make([]byte, len(b)%2)...)
	for range files {
		b = append(b, flagConstant, values[0], flagConstant, values[1])
	}
	b = append(b, make([]byte, -len(b)&63)...)
	sum := checksum(b)
	writeFile(t, dir, name, append(b, sum[:]...))
}

// Men as files have them.
const (
	whitePawn   = 1
	whiteRook   = 4
	whiteQueen  = 5
	whiteKing   = 6
	blackPawn   = 9
	blackKnight = 10
	blackKing   = 14
)

// TestForcedEnPassant has positions whose only legal move is an en-passant
// capture, which the table takes for stalemate or mate.
func TestForcedEnPassant(t *testing.T) {
	dir := t.TempDir()
	constant(t, dir, "KQPvKP.rtbw", []byte{whitePawn, blackPawn, whiteKing, whiteQueen, blackKing}, [2]uint8{4, 2})
	constant(t, dir, "KQvKP.rtbw", []byte{blackPawn, whiteKing, whiteQueen, blackKing}, [2]uint8{4, 0})
	constant(t, dir, "KQvK.rtbw", []byte{whiteKing, whiteQueen, blackKing}, [2]uint8{4, 0})
	tables := Open(dir, func(err error) { t.Error(err) })
	defer tables.Close()
	p := mustParse(t, "8/8/4k3/3pP3/8/8/2q5/K7 w - d6 0 1")
	if !onlyEnPassant(p) || p.InCheck() {
		t.Fatal("another move is there, or a check")
	}
	if v, err := tables.ProbeWDL(p); v != Loss || err != nil {
		t.Errorf("WDL %v, %v", v, err)
	}
	if n, err := tables.ProbeDTZ(p); n != -1 || err != nil {
		t.Errorf("DTZ %d, %v", n, err)
	}
	// The same board a move later.
	p = mustParse(t, "8/8/4k3/3pP3/8/8/2q5/K7 w - - 0 1")
	if v, err := tables.ProbeWDL(p); v != Draw || err != nil {
		t.Errorf("without the capture: WDL %v, %v", v, err)
	}
}

// TestBestCapture has a pawn that can take a knight, or another pawn en passant, and
// tables that say what each is worth. No table has distances: they must follow from
// results.
func TestBestCapture(t *testing.T) {
	p := mustParse(t, "k7/8/5n2/3pP3/8/8/8/K6R w - d6 0 1")
	for _, test := range []struct {
		table, capture, enPassant, want WDL
		dtz                             int
	}{
		{Draw, Win, Draw, Win, 1},
		{Draw, Draw, Win, Win, 1},
		{Loss, CursedWin, Draw, CursedWin, 101},
		{Loss, Draw, CursedWin, CursedWin, 101},
		{CursedWin, CursedWin, Loss, CursedWin, 101},
		{CursedWin, Loss, CursedWin, CursedWin, 101},
		{Draw, Loss, Loss, Draw, 0},
		{Loss, Loss, BlessedLoss, BlessedLoss, -101},
	} {
		dir := t.TempDir()
		constant(t, dir, "KRPvKNP.rtbw",
			[]byte{whitePawn, blackPawn, whiteKing, whiteRook, blackKing, blackKnight},
			[2]uint8{uint8(test.table + 2), 2})
		constant(t, dir, "KRPvKP.rtbw",
			[]byte{whitePawn, blackPawn, whiteKing, whiteRook, blackKing}, [2]uint8{2, uint8(2 - test.capture)})
		constant(t, dir, "KRPvKN.rtbw",
			[]byte{whitePawn, whiteKing, whiteRook, blackKing, blackKnight}, [2]uint8{2, uint8(2 - test.enPassant)})
		tables := Open(dir, func(err error) { t.Error(err) })
		v, err1 := tables.ProbeWDL(p)
		n, err2 := tables.ProbeDTZ(p)
		if v != test.want || n != test.dtz || errors.Join(err1, err2, tables.Close()) != nil {
			t.Errorf("%+v: %v, DTZ %d, %v, %v", test, v, n, err1, err2)
		}
	}
}

// TestContradiction has a queen that wins whoever is to move, so that no move keeps
// the win.
func TestContradiction(t *testing.T) {
	dir := t.TempDir()
	constant(t, dir, "KQvK.rtbw", []byte{whiteKing, whiteQueen, blackKing}, [2]uint8{4, 4})
	values := random(rand.New(rand.NewPCG(9, 10)), 30)
	write(t, dir, "KQvK.rtbz", chess.Queen, &plainArray{values: values, flags: flagBlack})
	var r reports
	tables := Open(dir, r.add)
	defer tables.Close()
	for range 2 {
		_, err := tables.ProbeDTZ(mustParse(t, "8/8/8/8/8/2k5/8/K6Q w - - 0 1"))
		if !errors.Is(err, errContradiction) || len(r.errs) != 1 {
			t.Errorf("error %v, reported %v", err, r.errs)
		}
	}
}

// TestCursed has a queen that wins too late, in all positions.
func TestCursed(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	dir := t.TempDir()
	constant(t, dir, "KQvK.rtbw", []byte{whiteKing, whiteQueen, blackKing}, [2]uint8{3, 1})
	write(t, dir, "KQvK.rtbz", chess.Queen, &plainArray{values: random(rng, 30)})
	tables := Open(dir, func(err error) { t.Error(err) })
	defer tables.Close()
	p := mustParse(t, "8/8/8/8/8/2k5/8/K6Q w - - 0 1")
	if v, err := tables.ProbeWDL(p); v != CursedWin || err != nil {
		t.Errorf("WDL %v, %v", v, err)
	}
	dtz, err := tables.ProbeDTZ(p)
	if dtz < 101 || dtz > 101+2*29 || err != nil {
		t.Errorf("DTZ %d, %v", dtz, err)
	}
	for _, fiftyMoves := range []bool{true, false} {
		r, err := tables.Rank(position.NewGame(*p), fiftyMoves)
		if err != nil || !r.ByDTZ {
			t.Fatal(err)
		}
		best := r.Best()
		if want := map[bool]WDL{true: CursedWin, false: Win}[fiftyMoves]; best[0].WDL != want {
			t.Errorf("fifty moves %v: best is %+v", fiftyMoves, best[0])
		}
		// Without the rule any win is as good as another.
		if fiftyMoves != (len(best) < 15) {
			t.Errorf("fifty moves %v: %d moves are best", fiftyMoves, len(best))
		}
	}
}

// TestConstantOutOfRange refuses a result that does not exist.
func TestConstantOutOfRange(t *testing.T) {
	dir := t.TempDir()
	constant(t, dir, "KQvK.rtbw", []byte{whiteKing, whiteQueen, blackKing}, [2]uint8{9, 9})
	n := 0
	tables := Open(dir, func(error) { n++ })
	defer tables.Close()
	for range 2 {
		if v, err := tables.ProbeWDL(mustParse(t, "8/8/8/8/8/2k5/8/K6Q w - - 0 1")); err == nil {
			t.Errorf("result %v", v)
		}
	}
	if n != 1 {
		t.Errorf("reported %d times", n)
	}
}
