package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/nnue"
)

// TestMatch plays the embedded network against itself, so that every pair is even.
func TestMatch(t *testing.T) {
	dir := t.TempDir()
	book := filepath.Join(dir, "book.epd")
	const openings = "4k3/4p3/8/8/8/8/4P3/4K3 w - -\n4k3/3pp3/8/8/8/8/3PP3/4K3 b - -\n"
	if err := os.WriteFile(book, []byte(openings), 0o666); err != nil {
		t.Fatal(err)
	}
	small := []string{"match", "--nodes", "300", "--book", book, "--hash", "1"}
	out := must(t, append(small, "--pairs", "2")...)
	for _, part := range []string{"games        4,", "[0 0 2 0 0]", "+0.0 ± +Inf", "LOS 50.0 %"} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
	if out := must(t, append(small, "--pairs", "2", "--sprt", "0,400")...); !strings.Contains(out, "undecided") {
		t.Error(out)
	}
	fails(t, "+0.0 Elo is less than +0.1", append(small, "--pairs", "1", "--least", "0.1")...)
	fails(t, "--least is not a number", append(small, "--pairs", "1", "--least", "nan")...)
	fails(t, "such as 0,5", append(small, "--pairs", "1", "--sprt", "0,inf")...)
	missing := filepath.Join(dir, "missing")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"x"}, `"x"`},
		{[]string{"--pairs", "0"}, "pairs"},
		{[]string{"-a", missing}, missing},
		{[]string{"-b", missing}, missing},
		{[]string{"-a", "futilityBase=40"}, "there are --set-a and --set-b"},
		{[]string{"--book", missing}, missing},
		{[]string{"--pairs", "3", "--book", book}, "there are only 2"},
		{[]string{"--pairs", "30", "--random-plies", "0"}, "there are only 21"},
		{[]string{"--nodes", "0"}, "nodes"},
		{[]string{"--nodes", "5", "--clock", "1s"}, "--nodes has no effect with --clock"},
		{[]string{"--node-time", "1us"}, "--node-time has no effect without --clock"},
		{[]string{"--book", book, "--frc", "0.5"}, "--frc has no effect with --book"},
	} {
		fails(t, test.want, append([]string{"match"}, test.args...)...)
	}
}

// TestMatchSides plays a network of zero weights as either side.
func TestMatchSides(t *testing.T) {
	name := filepath.Join(t.TempDir(), "zero.nnue")
	a := nnue.Architecture{Width: 16, KingBuckets: 1, OutputBuckets: 1, Scale: 400}
	net, err := nnue.New(nnue.NewParameters(a))
	if err != nil {
		t.Fatal(err)
	}
	if err := writeNet(name, net); err != nil {
		t.Fatal(err)
	}
	args := []string{"match", "--nodes", "400", "--hash", "1", "--pairs", "4", "--least", "0"}
	fails(t, "Elo is less than", append(args, "-a", name)...)
	must(t, append(args, "-b", name)...)
}

// TestMatchFlags expects flags to change the games of a match.
func TestMatchFlags(t *testing.T) {
	play := func(flags ...string) string {
		args := []string{"match", "--pairs", "4", "--nodes", "0", "--soft", "100", "--hash", "1"}
		before, rest, _ := strings.Cut(must(t, append(args, flags...)...), "speed")
		_, after, _ := strings.Cut(rest, "\n")
		return before + after
	}
	plain := play()
	if again := play(); again != plain {
		t.Errorf("%s\nand then\n%s", plain, again)
	}
	for _, flag := range []string{"--seed=2", "--frc=1", "--dfrc=1", "--soft=300", "--adjudicate=false"} {
		if play(flag) == plain {
			t.Errorf("%s has no effect", flag)
		}
	}
}
