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

// Tunables returns the parameters of the search, in order.
func Tunables() []Tunable {
	within := func(name string, v *int, low, high int) Tunable {
		return Tunable{name, v, low, high, max(float64(high-low)/20, 1)}
	}
	around := func(name string, v *int) Tunable { return within(name, v, *v/3, *v*3) } // of values above zero
	return []Tunable{
		around("aspirationBase", &aspirationBase),
		around("materialBase", &materialBase),
		around("razorBase", &razorBase),
		around("razorSlope", &razorSlope),
		around("reverseFutilitySlope", &reverseFutilitySlope),
		around("nullMoveEvalDivisor", &nullMoveEvalDivisor),
		around("nullMoveEvalSlack", &nullMoveEvalSlack),
		around("nullMoveEvalSlope", &nullMoveEvalSlope),
		around("probCutMargin", &probCutMargin),
		around("probCutImproving", &probCutImproving),
		around("tableCutMargin", &tableCutMargin),
		around("quietHistoryPruning", &quietHistoryPruning),
		around("quietHistoryDivisor", &quietHistoryDivisor),
		around("futilityBase", &futilityBase),
		around("futilitySlope", &futilitySlope),
		around("noisyFutilityBase", &noisyFutilityBase),
		around("noisyFutilitySlope", &noisyFutilitySlope),
		around("noisyFutilityDivisor", &noisyFutilityDivisor),
		around("noisyHistoryDivisor", &noisyHistoryDivisor),
		around("quietExchangeSlope", &quietExchangeSlope),
		around("noisyExchangeSlope", &noisyExchangeSlope),
		around("quiescenceFutility", &quiescenceFutility),
		around("hindsightMargin", &hindsightMargin),
		around("evalHistoryScale", &evalHistoryScale),
		around("evalHistoryLimit", &evalHistoryLimit),
		around("singularSlope", &singularSlope),
		around("singularWasPV", &singularWasPV),
		around("doubleMargin", &doubleMargin),
		around("doublePVMargin", &doublePVMargin),
		around("tripleMargin", &tripleMargin),
		around("researchDeeperMargin", &researchDeeperMargin),
		around("researchLowerMargin", &researchLowerMargin),
		around("reductionBase", &reductionBase),
		around("reductionSlope", &reductionSlope),
		within("reductionNoisyBase", &reductionNoisyBase, -1000, 1000),
		around("reductionNoisySlope", &reductionNoisySlope),
		around("reductionImproving", &reductionImproving),
		around("reductionWasPV", &reductionWasPV),
		around("reductionPV", &reductionPV),
		around("reductionCut", &reductionCut),
		around("reductionNoMove", &reductionNoMove),
		around("reductionNoisyTable", &reductionNoisyTable),
		around("reductionCutoffs", &reductionCutoffs),
		around("reductionCheck", &reductionCheck),
		around("reductionNearCheck", &reductionNearCheck),
		around("reductionRoot", &reductionRoot),
		around("reductionRaised", &reductionRaised),
		around("reductionTableLow", &reductionTableLow),
		around("reductionTableHigh", &reductionTableHigh),
		around("reductionTableDeep", &reductionTableDeep),
		around("reductionHistory", &reductionHistory),
		around("reductionNoisy", &reductionNoisy),
		around("reductionCorrection", &reductionCorrection),
		around("bonusSlope", &bonusSlope),
		around("bonusBase", &bonusBase),
		around("bonusMax", &bonusMax),
		around("malusSlope", &malusSlope),
		around("malusBase", &malusBase),
		around("malusMax", &malusMax),
		around("correctionPawn", &correctionPawn),
		around("correctionMinor", &correctionMinor),
		around("correctionNonPawn", &correctionNonPawn),
		around("correctionContinuation", &correctionContinuation),
		around("correctionEarlier", &correctionEarlier),
	}
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
