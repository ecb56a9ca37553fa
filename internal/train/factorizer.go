package train

import (
	"skein/internal/simd"
	"skein/nnue"
)

// A factorizer is rows of weights that are added to the rows of several features
// each, and represent what these have in common: what is learned of one feature
// is thereby learned of its relatives, too. The network that is written has the
// sums. If there are several feature tables, there is one for a piece on a square
// in any of them; those of Config.Factorizers are within each table.
type factorizer struct {
	start   int       // the offset of its part of the parameters
	members [][]int32 // of each row, the offsets in the tables of the rows that it is added to
	limit   float64   // of the absolute values of its weights
}

// The bounds of the absolute values of feature weights and biases, of factorizers other than that of all tables, and
// of rows of dangers. Accumulators thereby fit 16 bits: (32*(2*maxFeature+3*maxShared)+maxFeature+44*maxDanger)*QA is
// less than 32767, with a row for each of nnue.DangerRows.
const (
	maxFeature = 1.47
	maxShared  = 0.25
	maxDanger  = 0.18
)

// addFactorizers adds that of several tables and, if all is true, those of a piece on any square, on a rank and on a
// file. It returns the offset of the end of their parts.
func (m *model) addFactorizers(all bool) (end int) {
	end = m.shared
	add := func(limit float64, relative func(row int) int) {
		f := factorizer{start: end, limit: limit}
		for row := range m.rows() {
			r := relative(row)
			if r >= len(f.members) {
				f.members = append(f.members, nil)
			}
			f.members[r] = append(f.members[r], int32(row*m.Width))
		}
		end += len(f.members) * m.Width
		m.factorizers = append(m.factorizers, f)
	}
	if m.Tables() > 1 {
		add(maxFeature, func(row int) int { return row % nnue.Features })
	}
	if all {
		add(maxShared, func(row int) int { return row / 64 })
		add(maxShared, func(row int) int { return row / 8 })
		add(maxShared, func(row int) int { return row/64*8 + row%8 })
	}
	m.addends = make([]int32, m.rows()*len(m.factorizers))
	for i, f := range m.factorizers {
		for j, members := range f.members {
			for _, offset := range members {
				m.addends[int(offset)/m.Width*len(m.factorizers)+i] = int32(f.start + j*m.Width)
			}
		}
	}
	return end
}

// rows returns the number of rows of all tables.
func (m *model) rows() int { return m.Tables() * nnue.Features }

// common returns the factorizer of all tables, of which there are several.
func (m *model) common() []float32 { return m.parameters[m.shared:][:m.tableSize()] }

// foldAll sets all rows of the sums.
func (m *model) foldAll() {
	m.fold(0, m.rows())
	m.foldDangers()
}

// foldDangers sets the rows of dangers of the sums.
func (m *model) foldDangers() { copy(m.sums[m.dangers-m.tables:], m.parameters[m.dangers:m.first]) }

// fold sets rows lo up to hi of the sums.
func (m *model) fold(lo, hi int) {
	n := len(m.factorizers)
	for row := lo; row < hi; row++ {
		at := row * m.Width
		own := m.parameters[m.tables+at:][:m.Width]
		simd.SumRowsFloat(m.sums[at:][:m.Width], own, m.parameters, m.addends[row*n:][:n])
	}
}
