package curate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/record"
	"skein/position"
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

// TestNumPartitions rejects more partitions than may be open.
func TestNumPartitions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.bin")
	if err := os.WriteFile(file, make([]byte, 50_000*record.EntrySize), 0o666); err != nil {
		t.Fatal(err)
	}
	if n, err := numPartitions([]string{file}, mebibyte); err != nil || n != 2 {
		t.Errorf("%d partitions, %v", n, err)
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
