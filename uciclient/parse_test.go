package uciclient

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"skein/chess"
	"skein/position"
)

func TestParseInfo(t *testing.T) {
	p := position.Start()
	e4 := move(t, "e2e4")
	e5 := chess.NewMove(chess.E7, chess.E5)
	line := []chess.Move{e4, e5}
	for text, want := range map[string]Info{
		"info depth 12 seldepth 20 multipv 2 score cp -31 upperbound wdl 1 2 997 nodes 3000000000 nps 7 time 1500 " +
			"hashfull 1000 tbhits 4 cpuload 999 pv e2e4 e7e5": {
			Fields: FieldDepth | FieldSelDepth | FieldMultiPV | FieldScore | FieldWDL | FieldNodes | FieldNPS |
				FieldTime | FieldHashfull | FieldTBHits | FieldCPULoad | FieldPV,
			Depth: 12, SelDepth: 20, MultiPV: 2, Score: Score{-31, false, UpperBound}, WDL: WDL{1, 2, 997},
			Nodes: 3e9, NPS: 7, Time: 1500 * time.Millisecond, Hashfull: 1000, TBHits: 4, CPULoad: 999, PV: line,
		},
		"info\tdepth 5 score\tcp 10\tstring\ttext": {
			Fields: FieldDepth | FieldScore | FieldString, Depth: 5, Score: Score{Value: 10}, String: "text",
		},
		" info  pv e2e4 e7e5 score mate -3 lowerbound": {
			Fields: FieldPV | FieldScore, PV: line, Score: Score{-3, true, LowerBound},
		},
		"info score cp 1 wdl 0 1000 0 lowerbound depth 2": {
			Fields: FieldScore | FieldWDL | FieldDepth, Score: Score{1, false, LowerBound}, WDL: WDL{0, 1000, 0},
			Depth: 2,
		},
		"info currmove e2e4 currmovenumber 1": {
			Fields: FieldCurrMove | FieldCurrMoveNumber, CurrMove: e4, CurrMoveNumber: 1,
		},
		"info currline 2 e2e4 e7e5": {Fields: FieldCurrLine, CurrLineCPU: 2, CurrLine: line},
		"info currline e2e4":        {Fields: FieldCurrLine, CurrLineCPU: 1, CurrLine: line[:1]},
		"info refutation e2e4 e7e5": {Fields: FieldRefutation, Refutation: line},
		"info depth 3 string depth  4 string pv": {
			Fields: FieldDepth | FieldString, Depth: 3, String: "depth  4 string pv",
		},
		"info tbhits 1 sbhits 2": {Fields: FieldTBHits | FieldSBHits, TBHits: 1, SBHits: 2},
		"info string":            {Fields: FieldString},
		"info":                   {},
	} {
		if got, err := ParseInfo(&p, text, false); !reflect.DeepEqual(got, want) || err != nil {
			t.Errorf("%q:\n%+v, %v, want\n%+v", text, got, err, want)
		}
	}
}

// TestParseInfoFaults checks the errors, and that depth 5, which follows every fault,
// is parsed nevertheless.
func TestParseInfoFaults(t *testing.T) {
	p, err := position.Parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1", false)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"ebf 2.0":                    "ebf: unknown field",
		"nodes":                      "nodes: the number is missing",
		"nodes x":                    `nodes: "x" is not a number`,
		"nodes -1":                   "nodes: -1 is out of range",
		"nodes 9223372036854775808":  "nodes: 9223372036854775808 is out of range",
		"time 9223372036855":         "time: 9223372036855 is out of range",
		"hashfull 1001":              "hashfull: 1001 is out of range",
		"score 17":                   "score: neither cp nor mate",
		"score":                      "score: neither cp nor mate",
		"score cp":                   "score: the number is missing",
		"wdl 1 2":                    "wdl: the number is missing",
		"wdl 333 333 333":            "wdl: the sum is 999",
		"currmove":                   "currmove: the move is missing",
		"currmove e1h2":              `currmove: move "e1h2": illegal`,
		"currline 0 e1e2":            "currline: 0 is out of range",
		"currline 1":                 "currline: the move is missing",
		"refutation 0000":            `refutation: move "0000": illegal`,
		"pv e1e2 e1e2":               `pv: move "e1e2": illegal`,
		"pv e1h1":                    "move e1g1 is written e1h1",
		"multipv 1 multipv 2":        "multipv: occurs twice",
		"seldepth 1 what is this pv": "what: unknown field",
	} {
		info, err := ParseInfo(&p, "info "+text+" depth 5", false)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
		if info.Depth != 5 || !info.Fields.Has(FieldDepth) {
			t.Errorf("%q: %+v", text, info)
		}
	}
	king := chess.NewMove(chess.E1, chess.E2)
	for text, want := range map[string]Info{ // a fault changes nothing
		"info pv e1e2 pv":               {Fields: FieldPV, PV: []chess.Move{king}},
		"info score cp 30 score mate x": {Fields: FieldScore, Score: Score{Value: 30}},
		"info score mate x":             {},
		"info currline":                 {},
	} {
		if got, err := ParseInfo(&p, text, false); err == nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	if _, err := ParseInfo(&p, "information", false); err == nil {
		t.Error("another word than info is accepted")
	}
	if info, err := ParseInfo(&p, "info pv e1h1 e8e7 e1e2", true); err == nil || len(info.PV) != 2 ||
		!info.PV[0].IsCastling() {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestCompareScores(t *testing.T) {
	ascending := []Score{
		{Mate: true}, {Mate: true, Value: -1}, {Mate: true, Value: -9}, {Value: -5000}, {}, {Value: 1},
		{Mate: true, Value: 9}, {Mate: true, Value: 1},
	}
	for i, a := range ascending {
		for j, b := range ascending {
			if got := a.Compare(b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%v compared with %v: %d", a, b, got)
			}
		}
	}
	if got := (Score{Value: -3, Mate: true, Bound: LowerBound}).String(); got != "mate -3 lowerbound" {
		t.Error(got)
	}
}

func FuzzParseInfo(f *testing.F) {
	f.Add("info depth 1 score mate -2 upperbound wdl 0 0 1000 pv e2e4 e7e5 string x")
	f.Add("info currline 1 e2e4 currmove e2e4 refutation e2e4")
	p := position.Start()
	f.Fuzz(func(t *testing.T, line string) {
		info, err := ParseInfo(&p, line, false)
		if err == nil && info.Fields.Has(FieldPV) != (len(info.PV) > 0) {
			t.Errorf("%q: %+v", line, info)
		}
	})
}

// TestScore converts scores to those of package chess.
func TestScore(t *testing.T) {
	for score, want := range map[Score]chess.Score{
		{Value: 35}:                               chess.Centipawns(35).Score(),
		{Value: -100, Bound: UpperBound}:          chess.Centipawns(-100).Score(),
		{Value: 3, Mate: true}:                    chess.MateIn(5),
		{Value: 0, Mate: true}:                    chess.MatedIn(0),
		{Value: -2, Mate: true}:                   chess.MatedIn(4),
		{Value: math.MaxInt32, Mate: true}:        chess.MateIn(chess.MaxPly - 1),
		{Value: math.MinInt32, Mate: true}:        chess.MatedIn(chess.MaxPly),
		{Value: math.MaxInt32, Bound: LowerBound}: chess.MaxEval,
	} {
		if got := score.Score(); got != want {
			t.Errorf("%+v: %v, want %v", score, got, want)
		}
	}
}
