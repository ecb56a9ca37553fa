//go:build tune

package search

// Tunable is a parameter of the search that a tuner may change while no search
// is running. Retune must be called after a change.
type Tunable struct {
	Name     string
	Value    *int
	Min, Max int
	Step     float64 // a change whose effect should just be measurable
	Timing   bool    // it changes nothing but searches that a clock limits
}

// Retune recomputes what depends on the parameters. No search may be running.
func Retune() {
	lmrTable = remembered(reductionBase, reductionSlope)
	lmrNoisyTable = remembered(reductionNoisyBase, reductionNoisySlope)
}

// reductionTables caches tables by base and slope: a tuning match alternates
// between two sets of parameters at every move, and computing a table takes
// longer than some searches.
var reductionTables = map[[2]int]*[64][64]int16{}

// remembered returns reductions(base, slope), from the cache if possible.
func remembered(base, slope int) *[64][64]int16 {
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
