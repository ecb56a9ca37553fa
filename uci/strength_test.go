package uci

import (
	"io"
	"strconv"
	"strings"
	"testing"

	"skein/search"
)

// deepest returns the depth of the deepest iteration reported and the answer.
func deepest(lines []string) (depth int, best string) {
	for _, line := range lines {
		f := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "info depth "):
			n, _ := strconv.Atoi(f[2])
			depth = max(depth, n)
		case strings.HasPrefix(line, "bestmove "):
			best = f[1]
		}
	}
	return depth, best
}

// TestStrengthOptions sets the options in turn and sees which weaken the play: a
// weak player gives up before the depth asked for.
func TestStrengthOptions(t *testing.T) {
	const on, least, most = "setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1",
		"setoption name UCI_Elo value 9999"
	for _, tt := range []struct {
		name    string
		options []string
		elo     int
		weak    bool
	}{
		{"default", nil, 0, false},
		{"Elo alone", []string{least}, 0, false},
		{"limited", []string{on}, defaultElo, true},
		{"limited to the least", []string{on, least}, search.MinElo, true},
		{"limited to the most", []string{on, most}, search.MaxElo, false},
		{"limited, then not", []string{on, least, "setoption name UCI_LimitStrength value false"}, 0, false},
		{"skill", []string{"setoption name Skill Level value 0"}, search.MinElo, true},
		{"full skill", []string{"setoption name Skill Level value 0", "setoption name Skill Level value 20"}, 0, false},
		{"Elo before skill", []string{"setoption name Skill Level value 0", on, most}, search.MaxElo, false},
		{"analysis", []string{on, least, "setoption name UCI_AnalyseMode value true"}, 0, false},
	} {
		var elo int
		lines := dictate(t, func(d *Driver) {
			d.random = func() uint64 { elo = d.settings.playingElo(); return 1 }
		}, append(tt.options, "go depth 8")...)
		depth, best := deepest(lines)
		if elo != tt.elo || (depth < 8) != tt.weak || best == "" {
			t.Errorf("%s: plays at %d, to depth %d, %s", tt.name, elo, depth, best)
		}
	}
}

// TestStrengthForgets has weak players, of which the second searches as the engine does,
// search a position that a strong one knows well: they must play as if they had never
// seen it.
func TestStrengthForgets(t *testing.T) {
	for seed, level := range []string{"0", "15", "0", "15"} {
		weak := []string{"setoption name Skill Level value " + level, "go depth 30"}
		prepare := func(d *Driver) { d.random = func() uint64 { return uint64(seed) } }
		want := dictate(t, prepare, weak...)
		got := dictate(t, prepare, append([]string{"go depth 12"}, weak...)...)
		depth, best := deepest(want)
		if d, b := deepest(got[len(got)-len(want):]); d != depth || b != best {
			t.Errorf("seed %d: depth %d and %s, but %d and %s after a strong search", seed, depth, best, d, b)
		}
	}
}

// TestStrengthVaries draws a seed for each search.
func TestStrengthVaries(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(20) {
		lines := dictate(t, func(d *Driver) { d.random = func() uint64 { return seed } },
			"setoption name UCI_LimitStrength value true", "go wtime 100000 btime 100000")
		_, best := deepest(lines)
		seen[best] = true
	}
	if len(seen) < 3 {
		t.Errorf("only the moves %v", seen)
	}
}

// TestStrengthSeed expects the same move in every search with a seed.
func TestStrengthSeed(t *testing.T) {
	seen := map[string]bool{}
	for draw := range uint64(20) {
		lines := dictate(t, func(d *Driver) { d.random = func() uint64 { return draw } },
			"setoption name Skill Level value 0", "setoption name Strength Seed value 7", "go depth 3")
		_, best := deepest(lines)
		seen[best] = true
	}
	if len(seen) != 1 {
		t.Errorf("the moves %v", seen)
	}
}

// TestDraws expects drivers to draw other numbers each time.
func TestDraws(t *testing.T) {
	d, other := New(nil, nil, io.Discard, Config{}), New(nil, nil, io.Discard, Config{})
	if a, b, c := d.random(), d.random(), other.random(); a == b || a == c {
		t.Errorf("drew %d, %d and %d", a, b, c)
	}
}
