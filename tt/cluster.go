package tt

import (
	"sync/atomic"

	"skein/chess"
)

// The layout of a data word.
const (
	evalShift       = 16
	scoreShift      = 32
	depthShift      = 48
	boundShift      = 56
	pvShift         = 58
	generationShift = 59
)

// The layout of checks and clusters.
const (
	checkBits = 21
	checkMask = 1<<checkBits - 1
	eachCheck = 1 | 1<<checkBits | 1<<(2*checkBits) // the lowest bit of each check of a word

	slots          = 6
	checkWord      = slots // the first of the two words of checks
	wordChecks     = 3
	clusterSize    = 64
	clustersPerMiB = 1 << 20 / clusterSize
)

// cluster is the cache line in which an entry is searched: six data words and
// two words of checks.
type cluster [8]uint64

// pack returns e as a data word of generation 0. It is never 0.
func (e Entry) pack() uint64 {
	var pv uint64
	if e.PV {
		pv = 1
	}
	return uint64(e.Move) |
		uint64(uint16(e.Eval))<<evalShift |
		uint64(uint16(e.Score))<<scoreShift |
		uint64(min(e.Depth, MaxDepth)+1)<<depthShift |
		uint64(e.Bound&BoundExact)<<boundShift |
		pv<<pvShift
}

// unpack returns the entry packed into d. Of 0, which is no entry, it has NoMove,
// BoundNone and Depth 255.
func unpack(d uint64) Entry {
	return Entry{
		Move: chess.Move(d), Eval: int16(d >> evalShift), Score: int16(d >> scoreShift),
		Node: Node{Depth: depthOf(d), Bound: boundOf(d), PV: d>>pvShift&1 != 0},
	}
}

func depthOf(d uint64) uint8 { return uint8(d>>depthShift) - 1 }
func boundOf(d uint64) Bound { return Bound(d>>boundShift) & BoundExact }

// ageBase returns the generation at its position in a data word with all lower
// bits set, so that subtracting a data word from it borrows nothing.
func ageBase(generation uint64) uint64 {
	return generation<<generationShift | (1<<generationShift - 1)
}

// age returns how many generations d is older than now, an ageBase.
func age(now, d uint64) uint64 { return (now - d) >> generationShift }

// fold hashes a data word to checkBits bits. The factor is 2^64 divided by the
// golden ratio: words that differ only in their low bits, or only in their high
// bits, have different hashes (D. Knuth, The Art of Computer Programming,
// volume 3, section 6.4: Fibonacci hashing).
func fold(d uint64) uint64 { return d * 0x9e3779b97f4a7c15 >> (64 - checkBits) }

// fits reports whether the lowest of the checks, already XORed with that of the
// key, matches d. An empty slot, d = 0, never matches.
func fits(checks, d uint64) bool { return (checks^fold(d))&checkMask == 0 && d != 0 }

// find returns slot and data word of the entry of k; the data word is 0 if
// there is none. Each word is read once, so that the returned word is the one
// that was checked. The six comparisons are unrolled because that is faster
// than a loop and than comparing three checks at once.
func (c *cluster) find(k chess.Key) (slot uint, data uint64) {
	key := uint64(k) & checkMask * eachCheck
	checks := key ^ atomic.LoadUint64(&c[checkWord])
	if d := atomic.LoadUint64(&c[0]); fits(checks, d) {
		return 0, d
	}
	if d := atomic.LoadUint64(&c[1]); fits(checks>>checkBits, d) {
		return 1, d
	}
	if d := atomic.LoadUint64(&c[2]); fits(checks>>(2*checkBits), d) {
		return 2, d
	}
	checks = key ^ atomic.LoadUint64(&c[checkWord+1])
	if d := atomic.LoadUint64(&c[3]); fits(checks, d) {
		return 3, d
	}
	if d := atomic.LoadUint64(&c[4]); fits(checks>>checkBits, d) {
		return 4, d
	}
	if d := atomic.LoadUint64(&c[5]); fits(checks>>(2*checkBits), d) {
		return 5, d
	}
	return 0, 0
}

// store writes the data word d and the check of k to a slot.
func (c *cluster) store(slot uint, k chess.Key, d uint64) {
	word, shift := checkWord+slot/wordChecks, slot%wordChecks*checkBits&63
	check := (uint64(k)&checkMask ^ fold(d)) << shift
	atomic.StoreUint64(&c[slot&7], d)
	checks := &c[word&7]
	atomic.StoreUint64(checks, atomic.LoadUint64(checks)&^(checkMask<<shift)|check)
}

// worth returns the value of a data word for replacement: depth - 8*age; an
// empty one is below all others.
func worth(d, now uint64) int {
	w := int(d>>depthShift&0xff) - int(age(now, d)*8)
	if d == 0 {
		w = -1 << 10
	}
	return w
}

// victim returns the slot to replace: the first with the lowest worth.
func (c *cluster) victim(now uint64) uint {
	least := worth(atomic.LoadUint64(&c[0]), now) << 3
	least = min(least, worth(atomic.LoadUint64(&c[1]), now)<<3|1)
	least = min(least, worth(atomic.LoadUint64(&c[2]), now)<<3|2)
	least = min(least, worth(atomic.LoadUint64(&c[3]), now)<<3|3)
	least = min(least, worth(atomic.LoadUint64(&c[4]), now)<<3|4)
	least = min(least, worth(atomic.LoadUint64(&c[5]), now)<<3|5)
	return uint(least) & 7
}

// supersedes reports whether e replaces the data word old of the same position.
func (e Entry) supersedes(old, now uint64) bool {
	const muchDeeper = 4
	switch {
	case e.Bound == BoundExact:
		return true
	case e.Bound == BoundNone && boundOf(old) != BoundNone:
		return false
	default:
		return age(now, old) != 0 || int(e.Depth)+muchDeeper >= int(depthOf(old))
	}
}
