package uciclient

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"skein/chess"
)

// Info is what an engine reports of a search in one line. Fields says which of the
// other fields the line has; those that it lacks are zero.
type Info struct {
	Fields         Fields
	Depth          int // plies
	SelDepth       int // plies, of the longest line
	MultiPV        int // rank of the line among the best ones, from 1
	Score          Score
	WDL            WDL
	Nodes          int64
	NPS            int64 // nodes per second
	Time           time.Duration
	Hashfull       int   // permille of the hash table that are in use
	TBHits         int64 // positions found in endgame tables
	SBHits         int64 // positions found in endgame databases of Shredder
	CPULoad        int   // permille
	CurrMove       chess.Move
	CurrMoveNumber int // from 1
	CurrLineCPU    int // the processor that searches CurrLine, from 1
	CurrLine       []chess.Move
	Refutation     []chess.Move // a move and the line that refutes it
	PV             []chess.Move // the best line
	String         string       // any text
}

// Fields is a set of fields of Info.
type Fields uint32

// The fields.
const (
	FieldDepth Fields = 1 << iota
	FieldSelDepth
	FieldMultiPV
	FieldScore
	FieldWDL
	FieldNodes
	FieldNPS
	FieldTime
	FieldHashfull
	FieldTBHits
	FieldSBHits
	FieldCPULoad
	FieldCurrMove
	FieldCurrMoveNumber
	FieldCurrLine
	FieldRefutation
	FieldPV
	FieldString
)

// fieldNames are the names of the fields in UCI, in the order of the constants.
var fieldNames = [...]string{
	"depth", "seldepth", "multipv", "score", "wdl", "nodes", "nps", "time", "hashfull", "tbhits", "sbhits", "cpuload",
	"currmove", "currmovenumber", "currline", "refutation", "pv", "string",
}

// fieldByName are the fields by their names in UCI.
var fieldByName = func() map[string]Fields {
	m := map[string]Fields{}
	for i, name := range fieldNames {
		m[name] = 1 << i
	}
	return m
}()

// Has reports whether f has all of the given fields.
func (f Fields) Has(fields Fields) bool { return f&fields == fields }

// String returns the names of the fields in UCI, separated by spaces.
func (f Fields) String() string {
	var names []string
	for i, name := range fieldNames {
		if f.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// Score is a score from the point of view of the side to move.
type Score struct {
	// Value is in centipawns or, if Mate, in moves to mate: positive if the side to
	// move gives mate; 0 or negative if it is mated.
	Value int
	Mate  bool
	Bound Bound
}

// Bound tells how a score relates to the true one.
type Bound uint8

// The bounds. The true score is at least a LowerBound and at most an UpperBound.
const (
	Exact Bound = iota
	LowerBound
	UpperBound
)

func (b Bound) String() string {
	names := [...]string{"exact", "lowerbound", "upperbound"}
	if int(b) >= len(names) {
		return fmt.Sprintf("Bound(%d)", uint8(b))
	}
	return names[b]
}

// Score returns s without its bound in the units of package chess; mates of more than
// chess.MaxPly plies become mates of so many.
func (s Score) Score() chess.Score {
	if !s.Mate {
		return chess.Centipawns(s.Value).Score()
	}
	const most = chess.MaxPly / 2
	if s.Value > 0 {
		return chess.MateIn(2*min(s.Value, most) - 1)
	}
	return chess.MatedIn(-2 * max(s.Value, -most))
}

// Compare returns a negative number if s is worse for the side to move than t, a
// positive one if it is better, 0 if they are equal. It disregards bounds.
func (s Score) Compare(t Score) int {
	class, value := s.order()
	otherClass, otherValue := t.order()
	return cmp.Or(cmp.Compare(class, otherClass), cmp.Compare(value, otherValue))
}

// order returns two numbers, the second of which compares scores whose first is
// equal.
func (s Score) order() (class, value int) {
	switch {
	case !s.Mate:
		return 0, s.Value
	case s.Value > 0:
		return 1, -s.Value
	}
	return -1, -s.Value
}

// String returns the score as in UCI: "cp 35", "mate -3", "cp 35 lowerbound".
func (s Score) String() string {
	unit, bound := "cp", ""
	if s.Mate {
		unit = "mate"
	}
	if s.Bound != Exact {
		bound = " " + s.Bound.String()
	}
	return fmt.Sprintf("%s %d%s", unit, s.Value, bound)
}

// WDL are the probabilities of a win, a draw and a loss of the side to move, in
// permille.
type WDL struct{ Win, Draw, Loss int }
