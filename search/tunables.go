//go:build tune

package search

// Tunable is a parameter of the search that a tuner may change between
// searches, in no engine's running one. After a change call Retune.
type Tunable struct {
	Name     string
	Value    *int
	Min, Max int
	Step     float64 // a change that should just be felt
}

// Retune derives again what depends on the parameters. No search may run.
func Retune() {
	lmrTable = remembered(reductionBase, reductionSlope)
	lmrNoisyTable = remembered(reductionNoisyBase, reductionNoisySlope)
}

// reductionTables are the tables made last: two sets of parameters that play
// each other change places at every move, and a table takes longer than some
// searches.
var reductionTables = map[[2]int]*[64][64]int{}

// remembered returns reductions(base, slope).
func remembered(base, slope int) *[64][64]int {
	key := [2]int{base, slope}
	t := reductionTables[key]
	if t == nil {
		if len(reductionTables) >= 16 {
			clear(reductionTables)
		}
		t = reductions(base, slope)
		reductionTables[key] = t
	}
	return t
}
