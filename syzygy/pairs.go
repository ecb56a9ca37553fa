package syzygy

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Limits of the format. No table comes near them.
const (
	maxBlockBits  = 16
	maxSpanBits   = 30
	maxCodeLength = 32
	maxSymbols    = 4095
	noSymbol      = 0xfff // in place of the right half of a symbol that is a value
)

// slack is the number of bytes after a block that decoding may read.
const slack = 8

// pairs is a compressed array of values of up to twelve bits. It is cut into
// blocks of equal size in bytes. Each block is a sequence of symbols in a
// canonical Huffman code, a symbol stands for one value or for the pair of two
// other symbols, and so on.
// Source: N. J. Larsson, A. Moffat, "Offline Dictionary-Based Compression",
// 1999 (recursive pairing); E. Schwartz, B. Kallick, "Generating a Canonical
// Prefix Encoding", 1964.
type pairs struct {
	constant bool // all values are the same
	value    uint16

	spanBits  uint   // number of values per entry of the index
	index     []byte // entries of six bytes: block and offset within it
	lengths   []byte // of blocks: number of values less one, two bytes
	blockBits uint   // size of blocks in bytes
	blocks    []byte // with slack

	minLength uint     // of codes, in bits
	base      []uint64 // by length: the least code, left-aligned; the last is 0
	first     []uint16 // by length: the symbol of that code
	counts    []uint8  // by symbol: number of values less one
	symbols   []symbol
	skips     *[1 << skipBits]skip // by the next bits
}

// skip is about the complete codes within the next skipBits bits: their total
// length (bits 0-3) and their number of values (bits 4-15), at most 256 for each bit.
type skip uint16

const skipBits = 10

func (s skip) length() uint { return uint(s & 15) }
func (s skip) values() int  { return int(s >> 4) }

// symbol is a value (bits 0-11, right half noSymbol), or a pair of symbols
// (bits 0-11 and 12-23) with the count of the left one (bits 24-31).
type symbol uint32

func (s symbol) left() uint16   { return uint16(s & 0xfff) }
func (s symbol) right() uint16  { return uint16(s >> 12 & 0xfff) }
func (s symbol) leftCount() int { return int(s >> 24) }

var errData = errors.New("corrupt: invalid compressed data")

// at returns value i, which must be less than the number of values. It reads
// nothing outside the array even if the data is corrupt; the error is errData.
func (p *pairs) at(i uint64) (uint16, error) {
	if p.constant {
		return p.value, nil
	}
	block, rest, ok := p.find(i)
	if !ok {
		return 0, errData
	}
	sym, rest, ok := p.decode(p.blocks[block<<p.blockBits:], rest)
	if !ok {
		return 0, errData
	}
	// Down the tree of pairs. A left symbol has fewer values than the pair.
	s := p.symbols[sym]
	for s.right() != noSymbol {
		next := s.left()
		if n := s.leftCount(); rest > n {
			rest -= n + 1
			next = s.right()
		}
		s = p.symbols[next]
	}
	return s.left(), nil
}

// find returns the block of value i and its place among the block's values.
func (p *pairs) find(i uint64) (block uint64, rest int, ok bool) {
	entry := i >> p.spanBits * 6
	if entry+6 > uint64(len(p.index)) {
		return 0, 0, false
	}
	e := p.index[entry : entry+6]
	block = uint64(binary.LittleEndian.Uint32(e))
	// The entry is that of the value in the middle of the span.
	span := 1 << p.spanBits
	rest = int(i&uint64(span-1)) - span/2 + int(binary.LittleEndian.Uint16(e[4:]))
	blocks := uint64(len(p.lengths) / 2)
	for ; rest < 0; rest += p.length(block) {
		if block--; block >= blocks {
			return 0, 0, false
		}
	}
	for ; block < blocks; block++ {
		n := p.length(block)
		if rest < n {
			break
		}
		rest -= n
	}
	// The list of lengths may be longer than that of blocks.
	return block, rest, block < blocks && (block+1)<<p.blockBits+slack <= uint64(len(p.blocks))
}

// length returns the number of values of a block.
func (p *pairs) length(block uint64) int {
	return int(binary.LittleEndian.Uint16(p.lengths[2*block:])) + 1
}

// decode returns the symbol with value rest of a block, and the index of the
// value within the symbol.
func (p *pairs) decode(block []byte, rest int) (sym uint, place int, ok bool) {
	end := uint(8) << p.blockBits
	for bit := uint(0); bit < end; {
		code := binary.BigEndian.Uint64(block[bit/8:]) << (bit % 8)
		for valid := 64 - bit%8; valid >= maxCodeLength; {
			s := p.skips[code>>(64-skipBits)]
			length, values := s.length(), s.values()
			if rest < values || length == 0 {
				if sym, length, ok = p.next(code); !ok {
					return 0, 0, false
				}
				if values = int(p.counts[sym]) + 1; rest < values {
					return sym, rest, true
				}
			}
			rest -= values
			code <<= length
			valid -= length
			bit += length
		}
	}
	return 0, 0, false
}

// next decodes the first code of a word, and returns its length.
func (p *pairs) next(code uint64) (sym, length uint, ok bool) {
	l := 0
	for code < p.base[l] {
		l++
	}
	length = p.minLength + uint(l)
	sym = uint(p.first[l]) + uint((code-p.base[l])>>(64-length))
	return sym, length, sym < uint(len(p.counts))
}

// setSkips fills in the table of skips.
func (p *pairs) setSkips() {
	p.skips = new([1 << skipBits]skip)
	for i := range p.skips {
		length, values := uint(0), 0
		for {
			sym, n, ok := p.next(uint64(i) << (64 - skipBits + length))
			if !ok || length+n > skipBits {
				break
			}
			length += n
			values += int(p.counts[sym]) + 1
		}
		p.skips[i] = skip(length | uint(values)<<4)
	}
}

// sections are the sizes in bytes of the parts of a compressed array that follow
// the headers of a file.
type sections struct{ index, lengths, blocks uint64 }

// parse reads the header of an array of size values after its flags.
func (p *pairs) parse(r *reader, size uint64, flags uint8) (sections, error) {
	if flags&flagConstant != 0 {
		p.constant, p.value = true, uint16(r.byte())
		return sections{}, r.err
	}
	p.blockBits, p.spanBits = uint(r.byte()), uint(r.byte())
	padding := uint64(r.byte())
	blocks := uint64(r.uint32())
	maxLength, minLength := uint(r.byte()), uint(r.byte())
	switch {
	case r.err != nil:
		return sections{}, r.err
	case p.blockBits > maxBlockBits || p.spanBits < 1 || p.spanBits > maxSpanBits:
		return sections{}, fmt.Errorf("corrupt: blocks of 2^%d bytes, index for 2^%d values", p.blockBits, p.spanBits)
	case minLength < 1 || maxLength < minLength || maxLength > maxCodeLength:
		return sections{}, fmt.Errorf("corrupt: codes of %d to %d bits", minLength, maxLength)
	}
	p.minLength = minLength
	for range maxLength - minLength + 1 {
		p.first = append(p.first, r.uint16())
	}
	if err := p.parseSymbols(r); err != nil {
		return sections{}, err
	}
	if !p.setBase() {
		return sections{}, errors.New("corrupt: no Huffman code")
	}
	p.setSkips()
	span := uint64(1) << p.spanBits
	return sections{
		index:   6 * ((size + span - 1) >> p.spanBits),
		lengths: 2 * (blocks + padding),
		blocks:  blocks << p.blockBits,
	}, nil
}

// setBase computes the least code of each length, from the longest, all zeros,
// to the shortest. It reports whether there is such a code.
func (p *pairs) setBase() bool {
	p.base = make([]uint64, len(p.first))
	for i := len(p.base) - 2; i >= 0; i-- {
		length := p.minLength + uint(i)
		// Codes of the next length, with one bit less.
		next := p.base[i+1]>>(64-length-1) + uint64(p.first[i]) - uint64(p.first[i+1])
		if next/2>>length != 0 { // also if it would be negative
			return false
		}
		p.base[i] = next / 2 << (64 - length)
		if p.base[i] < p.base[i+1] {
			return false
		}
	}
	return true
}

// parseSymbols reads the tree of pairs and counts the values of each symbol.
func (p *pairs) parseSymbols(r *reader) error {
	n := int(r.uint16())
	data := r.bytes(3 * n)
	r.skip(n & 1)
	if r.err != nil {
		return r.err
	}
	if n > maxSymbols {
		return fmt.Errorf("corrupt: %d symbols", n)
	}
	p.symbols, p.counts = make([]symbol, n), make([]uint8, n)
	for i := range p.symbols {
		p.symbols[i] = symbol(data[3*i]) | symbol(data[3*i+1])<<8 | symbol(data[3*i+2])<<16
	}
	state := make([]symbolState, n)
	for i := range p.symbols {
		if !p.count(uint16(i), state) {
			return errors.New("corrupt: symbols that are not trees of at most 256 values")
		}
	}
	return nil
}

// symbolState is the progress of counting a symbol.
type symbolState uint8

const (
	uncounted symbolState = iota
	beingCounted
	counted
)

// count counts the values of a symbol and of those it is made of, and reports
// whether they are a tree of at most 256 values.
func (p *pairs) count(i uint16, state []symbolState) bool {
	if int(i) >= len(state) || state[i] == beingCounted {
		return false
	}
	s := p.symbols[i]
	if state[i] == counted || s.right() == noSymbol {
		state[i] = counted
		return true
	}
	state[i] = beingCounted
	if !p.count(s.left(), state) || !p.count(s.right(), state) {
		return false
	}
	n := int(p.counts[s.left()]) + int(p.counts[s.right()]) + 1
	if n > 255 {
		return false
	}
	p.counts[i] = uint8(n)
	p.symbols[i] = s | symbol(p.counts[s.left()])<<24
	state[i] = counted
	return true
}
