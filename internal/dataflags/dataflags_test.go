package dataflags

import (
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/cli"
	"skein/internal/record"
)

// TestFilter sets a flag and leaves the others at their defaults.
func TestFilter(t *testing.T) {
	f := record.DefaultFilter()
	want := f
	flags := cli.NewFlags("program")
	Filter(flags, &f)
	if name := GivenFilter(flags); name != "" {
		t.Errorf("--%s was not given", name)
	}
	if err := flags.Parse([]string{"--max-score", "77"}); err != nil {
		t.Fatal(err)
	}
	if want.MaxScore = 77; f != want {
		t.Errorf("%+v, want %+v", f, want)
	}
	if name := GivenFilter(flags); name != "max-score" {
		t.Errorf("--%s was given, want --max-score", name)
	}
	err := flags.Parse([]string{"--min-move", "-1"})
	if err == nil || !strings.HasSuffix(err.Error(), "it is negative") {
		t.Errorf("--min-move -1: %v", err)
	}
}

// TestScoreVar reads a score, whose default is its value.
func TestScoreVar(t *testing.T) {
	score := chess.Score(5)
	flags := cli.NewFlags("program")
	ScoreVar(flags, &score, "score", "")
	if def := flags.Find("score").DefValue; def != "5" {
		t.Errorf("default %s", def)
	}
	if err := flags.Parse([]string{"--score", "-300"}); err != nil || score != -300 {
		t.Errorf("score %d, %v", score, err)
	}
}
