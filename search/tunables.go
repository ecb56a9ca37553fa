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
	around := func(name string, v *int) Tunable {
		low, high := *v/3, *v*3
		if low > high {
			low, high = high, low
		}
		if *v == 0 || name == "reductionNoisyBase" {
			low, high = -1000, 1000
		}
		return Tunable{name, v, low, high, float64(high-low) / 20}
	}
	return []Tunable{
		around("aspirationBase", &aspirationBase),
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
		around("reductionNoisyBase", &reductionNoisyBase),
		around("reductionNoisySlope", &reductionNoisySlope),
		around("reductionImproving", &reductionImproving),
		around("reductionWasPV", &reductionWasPV),
		around("reductionPV", &reductionPV),
		around("reductionCut", &reductionCut),
		around("reductionNoMove", &reductionNoMove),
		around("reductionNoisyTable", &reductionNoisyTable),
		around("reductionCutoffs", &reductionCutoffs),
		around("reductionCheck", &reductionCheck),
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
		around("correctionNonPawn", &correctionNonPawn),
		around("correctionContinuation", &correctionContinuation),
	}
}

// Retune recomputes what is derived from the parameters.
func Retune() {
	lmrTable = reductions(reductionBase, reductionSlope)
	lmrNoisyTable = reductions(reductionNoisyBase, reductionNoisySlope)
}
