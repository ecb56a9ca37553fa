package syzygy

import (
	"errors"
	"fmt"

	"skein/chess"
)

// Flags of a compressed array.
const (
	flagBlack     = 1   // DTZ: these are the positions with Black to move
	flagMapped    = 2   // DTZ: values are places in a list of values
	flagWinPlies  = 4   // DTZ: wins are counted in plies, not in moves
	flagLossPlies = 8   // DTZ: losses are counted in plies, not in moves
	flagWide      = 16  // DTZ: the list has values of two bytes
	flagConstant  = 128 // all values are the same
)

// Flags of a file.
const (
	layoutSplit = 1 // the sides have different men
	layoutPawns = 2
)

const (
	magicWDL = 0x5d23e871
	magicDTZ = 0xa50c66d7
)

// table is a file in memory: the values of one ending, for WDL with either side
// to move, for DTZ with one of them.
type table struct {
	err      error    // why there is none
	material material // with the colors as they are in the file
	dtz      bool
	pawns    bool
	lead     chess.Piece // the kind of pawn that leads, in an ending with pawns
	// subtables by the file of the leading pawn, a-d, and the side to move.
	subtables [4][2]*subtable
}

// subtable is a part of a table with an index of its own.
type subtable struct {
	enc   encoding
	pairs pairs
	flags uint8
	// values of DTZ by kind of result, two bytes each if flagWide.
	values [4][]byte
}

// parse reads the headers of a file. Everything that decoding relies on is
// checked here, except the compressed data, which are checked as they are read.
func parse(data []byte, m material, dtz bool) (*table, error) {
	t := &table{dtz: dtz, pawns: m.hasPawns()}
	if len(data)%64 != checksumSize {
		return nil, errTruncated
	}
	r := &reader{data: data, end: uint64(len(data) - checksumSize)}
	if err := checkLayout(r, m, dtz); err != nil {
		return nil, err
	}
	if err := t.parseEncodings(r, m); err != nil {
		return nil, err
	}
	if err := t.parseArrays(r); err != nil {
		return nil, err
	}
	return t, nil
}

// checkLayout reads the beginning of a file and checks its layout.
func checkLayout(r *reader, m material, dtz bool) error {
	magic, layout := r.uint32(), r.byte()
	want := uint32(magicWDL)
	if dtz {
		want = magicDTZ
	}
	switch {
	case r.err != nil:
		return r.err
	case magic != want:
		return fmt.Errorf("corrupt: begins with %08x, not with %08x", magic, want)
	case layout&layoutSplit != 0 == m.symmetric() || layout&layoutPawns != 0 != m.hasPawns():
		return fmt.Errorf("corrupt: not the layout of %s", m)
	}
	return nil
}

// parseEncodings reads the order of men of all subtables.
func (t *table) parseEncodings(r *reader, m material) error {
	files, sides := 1, 2
	if t.pawns {
		files = 4
	}
	if t.dtz || m.symmetric() {
		sides = 1
	}
	second := m.count(chess.White, chess.Pawn) > 0 && m.count(chess.Black, chess.Pawn) > 0
	for file := range files {
		orders := [2]uint8{r.byte(), 0}
		if second {
			orders[1] = r.byte()
		}
		men := r.bytes(m.men())
		if r.err != nil {
			return r.err
		}
		for side := range sides {
			// One side in the low, the other in the high half of each byte.
			shift := 4 * side
			sub := &subtable{enc: encoding{second: second}}
			if err := t.parseMen(&sub.enc, men, shift, m); err != nil {
				return err
			}
			if !sub.enc.setFactors(int(orders[0]>>shift&15), int(orders[1]>>shift&15), file) {
				return errors.New("corrupt: invalid order of men")
			}
			t.subtables[file][side] = sub
		}
	}
	r.align(2)
	return r.err
}

// parseMen reads the men of one subtable, 1-6 for pawn to king, with Black's
// 8 more, and divides them into groups.
func (t *table) parseMen(e *encoding, men []byte, shift int, m material) error {
	invalid := fmt.Errorf("corrupt: not the men of %s", m)
	var kings [2]int
	stored := material(0)
	for i, b := range men {
		b = b >> shift & 15
		color, kind := chess.Color(b>>3), chess.PieceType(b&7)-1
		if kind > chess.King {
			return invalid
		}
		man := chess.MakePiece(color, kind)
		if i == 0 || man != e.kinds[len(e.kinds)-1] {
			e.kinds = append(e.kinds, man)
		}
		stored += unit(color, kind)
		if kind == chess.King {
			kings[color]++
		}
	}
	if t.material == 0 {
		t.material, t.lead = stored, e.kinds[0]
	}
	if kings != [2]int{1, 1} || stored != m && stored != m.mirrored() || stored != t.material || !e.setGroups(stored) {
		return invalid
	}
	if t.pawns && e.kinds[0] != t.lead {
		return invalid
	}
	return nil
}

// setGroups divides the kinds of men of m into groups and reports whether they
// are in an order that has an index.
func (e *encoding) setGroups(m material) bool {
	first := e.kinds[0]
	lead, n := leadingOf(m, first)
	e.lead, e.groups[0], e.count = lead, group{end: n}, 1
	other := m.count(first.Color().Other(), chess.Pawn)
	if lead == leadPawns && (first.Type() != chess.Pawn || e.second && (n > other ||
		e.kinds[1] != chess.MakePiece(first.Color().Other(), chess.Pawn))) {
		return false
	}
	seen, end := [16]bool{}, 0
	for _, man := range e.kinds {
		k := m.count(man.Color(), man.Type())
		switch {
		case seen[man]:
			return false // men of one kind apart
		case end >= n:
			e.groups[e.count] = group{begin: end, end: end + k}
			e.count++
		case lead == leadThree && k != 1 || lead == leadKings && man.Type() != chess.King:
			return false
		}
		seen[man] = true
		end += k
	}
	return true
}

// parseArrays reads the compressed arrays: first the headers of all, then the
// values of DTZ, then the parts, each for all.
func (t *table) parseArrays(r *reader) (err error) {
	var parts [4][2]sections
	t.each(func(file, side int, sub *subtable) {
		sub.flags = r.byte()
		if err == nil {
			parts[file][side], err = sub.pairs.parse(r, sub.enc.size, sub.flags)
		}
	})
	if err != nil {
		return err
	}
	if t.dtz {
		t.each(func(_, _ int, sub *subtable) { sub.parseValues(r) })
		r.align(2)
	}
	t.each(func(file, side int, sub *subtable) { sub.pairs.index = r.section(parts[file][side].index, 0) })
	t.each(func(file, side int, sub *subtable) { sub.pairs.lengths = r.section(parts[file][side].lengths, 0) })
	t.each(func(file, side int, sub *subtable) {
		r.align(64)
		sub.pairs.blocks = r.section(parts[file][side].blocks, slack)
	})
	return r.err
}

// each calls f for all subtables, in the order of the file.
func (t *table) each(f func(file, side int, sub *subtable)) {
	for file := range t.subtables {
		for side, sub := range t.subtables[file] {
			if sub != nil {
				f(file, side, sub)
			}
		}
	}
}

// parseValues reads the lists of values of a DTZ array, for wins, losses,
// cursed wins and blessed losses.
func (sub *subtable) parseValues(r *reader) {
	if sub.pairs.constant {
		sub.pairs.value = 0 // not used
	}
	if sub.flags&flagMapped == 0 {
		return
	}
	if sub.flags&flagWide != 0 {
		r.align(2)
	}
	for i := range sub.values {
		if sub.flags&flagWide != 0 {
			sub.values[i] = r.bytes(2 * int(r.uint16()))
		} else {
			sub.values[i] = r.bytes(int(r.byte()))
		}
	}
}

// locate returns the subtable of b and the index there. It reports false for
// DTZ of the side to move that is not stored.
func (t *table) locate(b *board) (*subtable, uint64, bool) {
	// Turn the board so that the men are those of the file; if both sides
	// have the same, so that White is to move.
	flip := chess.White
	if b.material != t.material || t.material.symmetric() && b.side == chess.Black {
		flip = chess.Black
	}
	side := b.side ^ flip
	mirror := chess.Square(0)
	var s squares
	n, file := 0, 0
	if t.pawns {
		mirror = 56 * chess.Square(flip)
		s, n = b.place(t.lead, s, 0, flip, mirror)
		s = s.leadingFirst(n)
		if file = s.at(0).File(); file > 3 {
			file = 7 - file
		}
	}
	sub := t.subtables[file&3][side&1]
	if t.dtz {
		sub = t.subtables[file&3][0]
		if !t.material.symmetric() && chess.Color(sub.flags&flagBlack) != side {
			return nil, 0, false
		}
	}
	kinds := sub.enc.kinds
	if t.pawns {
		kinds = kinds[1:]
	}
	for _, man := range kinds {
		s, n = b.place(man, s, n, flip, mirror)
	}
	return sub, sub.enc.index(s), true
}
