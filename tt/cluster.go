package tt

import (
	"math/bits"
	"sync/atomic"

	"skein/chess"
)

const (
	scoreShift      = 16
	evalShift       = 32
	depthShift      = 48
	boundShift      = 56
	pvShift         = 58
	generationShift = 59

	checkBits = 21
	checkMask = 1<<checkBits - 1
	eachCheck = 1 | 1<<checkBits | 1<<(2*checkBits) // the lowest bit of the checks of a word
	topBits   = eachCheck << (checkBits - 1)        // the highest bit of them

	slots          = 6
	groupSlots     = slots / 2
	clusterSize    = 64
	clustersPerMiB = 1 << 20 / clusterSize
)

// group is a word of three checks and the three data words they belong to.
type group [1 + groupSlots]uint64

// cluster is one cache line: the entries that a key may find.
type cluster [2]group

// pack returns e as a data word of generation 0. It is never 0.
func pack(e Entry) uint64 {
	var pv uint64
	if e.PV {
		pv = 1
	}
	return uint64(e.Move) |
		uint64(uint16(e.Score))<<scoreShift |
		uint64(uint16(e.Eval))<<evalShift |
		uint64(min(e.Depth, MaxDepth)+1)<<depthShift |
		uint64(e.Bound&BoundExact)<<boundShift |
		pv<<pvShift
}

// unpack undoes pack. Of the empty word it makes nonsense.
func unpack(d uint64) Entry {
	return Entry{
		Move:  chess.Move(d),
		Score: int16(d >> scoreShift),
		Eval:  int16(d >> evalShift),
		Depth: uint8(d>>depthShift) - 1,
		Bound: Bound(d>>boundShift) & BoundExact,
		PV:    d>>pvShift&1 != 0,
	}
}

// ageBase returns a generation in its place in a data word, with ones below:
// what is subtracted from it borrows nothing.
func ageBase(generation uint64) uint64 {
	return generation<<generationShift | (1<<generationShift - 1)
}

// age returns how many generations d is older than now, an ageBase.
func age(now, d uint64) uint64 { return (now - d) >> generationShift }

// fold hashes a data word to the width of a check. The factor is 2^64 divided
// by the golden ratio: words that differ in their low bits only, or in their
// high bits only, never fold to the same value (D. Knuth, The Art of Computer
// Programming, volume 3, section 6.4: Fibonacci hashing).
func fold(d uint64) uint64 { return d * 0x9e3779b97f4a7c15 >> (64 - checkBits) }

// match returns the number 1, 2 or 3 of the data word that belongs to a key
// whose check stands in all places of checks, and that data word, or 0 for
// the word if there is none. The words are read once: what was checked is what
// is returned.
func (g *group) match(checks uint64) (word int, data uint64) {
	x := checks ^ atomic.LoadUint64(&g[0])
	d1 := atomic.LoadUint64(&g[1])
	d2 := atomic.LoadUint64(&g[2])
	d3 := atomic.LoadUint64(&g[3])
	x ^= fold(d1) | fold(d2)<<checkBits | fold(d3)<<(2*checkBits)
	// A check that fits has become zero. Subtracting 1 from each borrows from
	// the top bit of the zeros; a wrong borrow can only appear above a right one.
	zero := (x - eachCheck) &^ x & topBits
	if zero == 0 {
		return 0, 0
	}
	// The top bits are 20, 41 and 62.
	switch word = bits.TrailingZeros64(zero) >> 4; word {
	case 1:
		return word, d1
	case 2:
		return word, d2
	default:
		return word, d3
	}
}

// find returns slot and data word of the entry of k, or a data word of 0.
func (c *cluster) find(k chess.Key) (slot int, data uint64) {
	checks := uint64(k) & checkMask * eachCheck
	if w, d := c[0].match(checks); d != 0 {
		return w - 1, d
	}
	w, d := c[1].match(checks)
	return w - 1 + groupSlots, d
}

// load returns the data word of a slot.
func (c *cluster) load(slot int) uint64 {
	return atomic.LoadUint64(&c[slot/groupSlots][1+slot%groupSlots])
}

// store writes data word and check of k to a slot.
func (c *cluster) store(slot int, k chess.Key, d uint64) {
	g := &c[slot/groupSlots]
	shift := slot % groupSlots * checkBits
	check := (uint64(k)&checkMask ^ fold(d)) << shift
	atomic.StoreUint64(&g[1+slot%groupSlots], d)
	atomic.StoreUint64(&g[0], atomic.LoadUint64(&g[0])&^(checkMask<<shift)|check)
}

// victim returns the slot to lose its entry: an empty one, or else the one
// with the smallest depth - 8*age.
func (c *cluster) victim(now uint64) int {
	best, worth := 0, int64(1<<62)
	for slot := range slots {
		d := c.load(slot)
		if d == 0 {
			return slot
		}
		if w := int64(d>>depthShift&0xff) - int64(age(now, d)*8); w < worth {
			best, worth = slot, w
		}
	}
	return best
}

// supersedes reports whether e is worth more than what is stored as old about
// the same position.
func supersedes(e Entry, old, now uint64) bool {
	const muchDeeper = 4
	switch o := unpack(old); {
	case e.Bound == BoundExact:
		return true
	case e.Bound == BoundNone && o.Bound != BoundNone:
		return false
	default:
		return age(now, old) != 0 || int(e.Depth)+muchDeeper >= int(o.Depth)
	}
}
