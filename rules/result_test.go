package rules_test

import (
	"testing"

	"skein/chess"
	"skein/rules"
)

func TestResult(t *testing.T) {
	for _, test := range []struct {
		result     rules.Result
		text       string
		halfPoints int
	}{
		{rules.NoResult, "*", -1},
		{rules.BlackWins, "0-1", 0},
		{rules.Draw, "1/2-1/2", 1},
		{rules.WhiteWins, "1-0", 2},
	} {
		if test.result.String() != test.text || test.result.HalfPoints() != test.halfPoints {
			t.Errorf("%v has %d half points, want %s and %d",
				test.result, test.result.HalfPoints(), test.text, test.halfPoints)
		}
	}
	if text := (rules.WhiteWins + 1).String(); text != "result 4" {
		t.Errorf("an unknown result is %q", text)
	}
	if rules.WinFor(chess.White) != rules.WhiteWins || rules.WinFor(chess.Black) != rules.BlackWins {
		t.Error("WinFor returns a win by the wrong side")
	}
}
