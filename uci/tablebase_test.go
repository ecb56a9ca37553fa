package uci

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skein/internal/corpora"
	"skein/syzygy"
)

// TestSyzygy sets and unsets tables, in good folders and bad, and asks about
// positions in them.
func TestSyzygy(t *testing.T) {
	path, nowhere := corpora.Path("syzygy"), filepath.Join(t.TempDir(), "nowhere")
	const drawn, won, spoiled = "8/8/8/8/1k6/8/2P5/1K6 w - - 0 1", "8/8/8/3k4/8/8/8/K6R w - - 0 1",
		"8/8/8/3k4/8/8/8/K6R w - - 90 60"
	lines := converse(t, Config{},
		"setoption name SyzygyPath value "+nowhere,
		"setoption name SyzygyPath value "+path,
		"position fen "+drawn, "d", "go depth 6",
		"position fen "+won, "d", "go depth 6",
		"position fen "+spoiled, "go depth 2",
		"setoption name Syzygy50MoveRule value false", "go depth 2",
		"setoption name SyzygyProbeDepth value 3", "setoption name SyzygyProbeLimit value 2", "go depth 2",
		"setoption name SyzygyPath value <empty>", "d",
	)
	all := strings.Join(lines, "\n")
	for prefix, want := range map[string]int{
		"info string ERROR: option SyzygyPath: syzygy: " + nowhere: 1,
		"info string found 0 WDL and 0 DTZ tables":                 1,
		"info string found ":                                       2,
		"info string ERROR":                                        1,
		"Tablebase: draw, distance to zeroing 0":                   1,
		"Tablebase: win, distance to zeroing 29":                   1,
	} {
		if got := count(lines, prefix); got != want {
			t.Errorf("%d lines begin with %q, want %d:\n%s", got, prefix, want, all)
		}
	}
	drawScores, winScores, spoiledScores, hits := 0, 0, 0, 0
	for _, line := range lines {
		var cp, n int
		f := strings.Fields(line)
		if i := slices.Index(f, "cp"); strings.HasPrefix(line, "info depth ") && i > 0 {
			cp, _ = strconv.Atoi(f[i+1])
			n, _ = strconv.Atoi(f[slices.Index(f, "tbhits")+1])
			switch {
			case cp == 0:
				drawScores++
			case cp == 1:
				spoiledScores++
			case cp > 30000 && cp < 31000:
				winScores++
			}
			hits += min(n, 1)
		}
	}
	// The limits are 6 iterations of the first two, then 2.
	if drawScores < 6 || winScores < 8 || spoiledScores < 2 || hits < 16 {
		t.Errorf("%d scores of draws, %d of wins, %d of spoiled wins, %d with hits:\n%s", drawScores, winScores,
			spoiledScores, hits, all)
	}
}

// TestReportTable tells missing tables, which are noted, from damaged ones, which
// are errors.
func TestReportTable(t *testing.T) {
	for want, err := range map[string]error{
		"info string syzygy: KRvKP.rtbw: missing": &syzygy.FileError{Path: "KRvKP.rtbw", Err: syzygy.ErrMissing},
		"info string ERROR: option SyzygyPath: syzygy: KRvK.rtbw: corrupt: wrong checksum": &syzygy.FileError{
			Path: "KRvK.rtbw", Err: syzygy.ErrChecksum},
	} {
		out := newSink(t)
		New(nil, nil, out, Config{}).reportTable(err)
		if lines := out.all(); len(lines) != 1 || lines[0] != want {
			t.Errorf("%v: output %q, want %q", err, lines, want)
		}
	}
}

// TestProbeLimit probes nothing with a limit of 0.
func TestProbeLimit(t *testing.T) {
	text := strings.Join(converse(t, Config{}, "setoption name SyzygyPath value "+corpora.Path("syzygy"),
		"setoption name SyzygyProbeLimit value 0", "position fen 8/8/8/3k4/8/8/8/K6R w - - 0 1", "go depth 2"), "\n")
	if n := strings.Count(text, " tbhits "); n == 0 || strings.Count(text, " tbhits 0 ") != n {
		t.Errorf("output:\n%s", text)
	}
}

// TestProbeDepth looks nothing up above a depth that no search reaches.
func TestProbeDepth(t *testing.T) {
	for depth, want := range map[string]bool{"1": true, "100": false} {
		found := false
		lines := converse(t, Config{}, "setoption name SyzygyPath value "+corpora.Path("syzygy"),
			"setoption name SyzygyProbeLimit value 3", "setoption name SyzygyProbeDepth value "+depth,
			"position fen 3q3k/8/8/8/8/3R4/8/6K1 w - - 4 9", "go depth 8")
		for _, line := range lines {
			found = found || strings.Contains(line, " tbhits ") && !strings.Contains(line, " tbhits 0 ")
		}
		if found != want {
			t.Errorf("depth %s: positions found: %t", depth, found)
		}
	}
}
