package curate

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
)

// TestStandard recognizes standard chess by the castling rights alone.
func TestStandard(t *testing.T) {
	for fen, want := range map[string]bool{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": true,
		"4k3/8/8/8/8/8/8/RK6 w - - 0 1":                            true,
		"4k3/8/8/8/8/8/8/RK6 w A - 0 1":                            false,
		"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1":                          false,
		"rk6/8/8/8/8/8/8/R3K3 w Aa - 0 1":                          false,
	} {
		p, err := position.Parse(fen, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := standard(&record.Game{Start: p}); got != want {
			t.Errorf("%s: %v", fen, got)
		}
	}
}

func TestScoreRow(t *testing.T) {
	s := newSummary()
	for score, want := range map[chess.Score]string{
		0: ">= 0", 9: ">= 0", 32: ">= 32", 1999: ">= 1024", 32000: ">= 31500",
		-1: "< 0", -32: "<= -32", -199: "<= -128", -31990: "<= -31500",
	} {
		if got := s.scores.labels[scoreRow(score)]; got != want {
			t.Errorf("%d in row %q, want %q", score, got, want)
		}
	}
}

// TestSummary summarizes three games, one position of which has no score, and one is in
// check, and leaves out a game without a result.
func TestSummary(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.pgn")
	const pgn = "1. e4 {+0.50/8} e5 {-1.00/8} 2. Bc4 {+0.10/8} Nc6 {-0.10/8} 3. Qh5 {0.00/8} Nf6 {-9.00/8}\n" +
		"4. Qxf7# {+M1/3} 1-0\n\n1. d4 {+0.30/8} d5 2. c4 {+0.40/8} 1/2-1/2\n\n" +
		"[FEN \"4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1\"]\n\n1... Kd7 {-5.00/8} 1-0\n\n1. e4 {+0.30/8} *\n"
	if err := os.WriteFile(file, []byte(pgn), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Summarize(t.Context(), []string{file})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := s.Write(&out); err != nil {
		t.Fatal(err)
	}
	const want = `games      3, and 1 without a result, left out below
positions  11, 3.7 per game, 9.1 % in check
quiet      8, 72.7 %; weighted by the slope of the sigmoid equal to 7 balanced positions, 61.3 %

results
  1/2-1/2            1  33.3 %  ####################
      1-0            2  66.7 %  ########################################

ends
                unknown            3 100.0 %  ########################################

plies per game
     0-19            3 100.0 %  ########################################

scores, 1/256 pawn, for the side to move
   <= -2048            1  10.0 %  ####################
   <= -1024            1  10.0 %  ####################
    <= -256            1  10.0 %  ####################
        < 0            1  10.0 %  ####################
       >= 0            2  20.0 %  ########################################
      >= 32            2  20.0 %  ########################################
     >= 128            1  10.0 %  ####################
   >= 31500            1  10.0 %  ####################

phase: knights and bishops 1, rooks 2, queens 4; 24 in the initial position
   4            1   9.1 %  ####
  24           10  90.9 %  ########################################

pieces on the board
   3            1   9.1 %  ####
  32           10  90.9 %  ########################################
`
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
}

// TestSummaryOfBoth refuses to add results of games to those of positions.
func TestSummaryOfBoth(t *testing.T) {
	_, err := Summarize(t.Context(), []string{"a.skr", "b.pgn.gz", "c.txt"})
	if err == nil || !strings.Contains(err.Error(), "a.skr is a file of games, and c.txt one of positions") {
		t.Error(err)
	}
}

// TestPhase computes the phase of positions.
func TestPhase(t *testing.T) {
	for fen, want := range map[string]int{
		position.StartFEN:                     24,
		"4k3/8/8/8/8/8/8/RN2K2Q w - - 0 1":    7,
		"4k3/p7/8/8/8/8/8/4K3 w - - 0 1":      0,
		"qqqqk3/8/8/8/8/8/8/QQQQK3 w - - 0 1": 24,
	} {
		p, err := position.Parse(fen, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := phase(&p); got != want {
			t.Errorf("%s: phase %d", fen, got)
		}
	}
}

// TestNumPartitions estimates the size of files, and rejects more partitions than may be
// open.
func TestNumPartitions(t *testing.T) {
	dir, file := t.TempDir(), ""
	for _, test := range []struct {
		name string
		want int
	}{{"x.skr.zst", 62}, {"x.bin.gz", 8}, {"x.skr", 16}, {"x.bin", 2}} {
		file = filepath.Join(dir, test.name)
		if err := os.WriteFile(file, make([]byte, 50_000*record.EntrySize), 0o666); err != nil {
			t.Fatal(err)
		}
		if n, err := numPartitions([]string{file}, mebibyte); err != nil || n != test.want {
			t.Errorf("%s: %d partitions, %v, want %d", file, n, err, test.want)
		}
	}
	if n, err := numPartitions([]string{os.DevNull}, mebibyte); err != nil || n != maxPartitions {
		t.Errorf("%d partitions of unknown size, %v", n, err)
	}
	if _, err := numPartitions([]string{file}, 100); err == nil || !strings.Contains(err.Error(), "MiB of memory") {
		t.Error("too many partitions:", err)
	}
}

// TestConditions checks the errors of invalid conditions.
func TestConditions(t *testing.T) {
	for want, c := range map[string]Conditions{
		`result "2-0"`:    {Results: "1-0,2-0"},
		`end "boredom"`:   {Ends: "boredom"},
		`variant "shogi"`: {Variant: "shogi"},
		"share -1":        {Share: -1},
		"negative":        {MaxPlies: -1},
		"at most 10 men":  {MinMen: 20, MaxMen: 10},
	} {
		if _, err := NewSelector(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestMen keeps positions by their number of men; a maximum of 0 is none.
func TestMen(t *testing.T) {
	for _, tt := range []struct {
		min, max int
		want     bool
	}{{0, 0, true}, {32, 0, true}, {0, 32, true}, {0, 31, false}} {
		c := Conditions{Share: 1, MinMen: tt.min, MaxMen: tt.max}
		s, err := NewSelector(c)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.entry(&record.Entry{Position: position.Start()}); got != tt.want {
			t.Errorf("%d to %d men: %t, want %t", tt.min, tt.max, got, tt.want)
		}
	}
}

// TestShare keeps a random share of positions, which the seed determines.
func TestShare(t *testing.T) {
	keep := func(seed uint64) (kept [200]bool, n int) {
		s, err := NewSelector(Conditions{Share: 0.3, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for i := range kept {
			if kept[i] = s.entry(&record.Entry{Position: position.Start()}); kept[i] {
				n++
			}
		}
		return kept, n
	}
	a, n := keep(1)
	again, _ := keep(1)
	other, _ := keep(2)
	if a != again || a == other || n < 40 || n > 80 {
		t.Errorf("kept %d of 200; the same with the same seed: %t, with another: %t", n, a == again, a == other)
	}
}

// TestShuffleMemory expects data beyond the memory to be shuffled in parts, thus in another
// order.
func TestShuffleMemory(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.bin")
	var data []byte
	for i := range 50_000 {
		e := record.Entry{Position: position.Start(), Score: chess.Score(i % 20_000), Result: rules.Draw}
		b := e.Pack()
		data = append(data, b[:]...)
	}
	if err := os.WriteFile(in, data, 0o666); err != nil {
		t.Fatal(err)
	}
	var outputs [2][]byte
	for i, memory := range []int64{1, 1000} {
		out := filepath.Join(dir, fmt.Sprintf("%d.bin", i))
		e := Entries{Names: []string{in}}
		_, err := e.Shuffle(t.Context(), out, memory, 1)
		if err == nil {
			outputs[i], err = os.ReadFile(out)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Equal(outputs[0], outputs[1]) {
		t.Error("the memory has no effect")
	}
}
