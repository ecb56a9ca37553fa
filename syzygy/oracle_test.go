package syzygy_test

import (
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"skein/internal/corpora"
	"skein/notation"
	"skein/position"
	"skein/syzygy"
)

// open opens the tables of the test data.
func open(t testing.TB) *syzygy.Tables {
	t.Helper()
	tables := syzygy.Open(corpora.Path("syzygy"), func(err error) {
		if !errors.Is(err, syzygy.ErrMissing) {
			t.Error(err)
		}
	})
	if wdl, dtz := tables.Count(); wdl < 14 || dtz < 11 {
		t.Fatalf("%d and %d tables found in %s", wdl, dtz, corpora.Path("syzygy"))
	}
	t.Cleanup(func() {
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	})
	return tables
}

func parse(t testing.TB, fen string) *position.Position {
	t.Helper()
	p, err := position.ParseLenient(fen, false)
	if err != nil {
		t.Fatalf("%q: %v", fen, err)
	}
	return &p
}

// isThere reports whether the test data have the file of an ending.
func isThere(ending, suffix string) bool {
	_, err := os.Stat(corpora.Path("syzygy/" + ending + suffix))
	return err == nil
}

// TestOracle compares results and distances with those of another prober.
func TestOracle(t *testing.T) {
	tables := open(t)
	lines, err := corpora.Lines(corpora.Path("syzygy/oracle-dev.csv"))
	if err != nil {
		t.Fatal(err)
	}
	distances := 0
	for _, line := range lines[1:] {
		f := strings.Split(line.Text, ",") // ending, fen, wdl, dtz
		p := parse(t, f[1])
		wdl, err := tables.ProbeWDL(p)
		if want, _ := strconv.Atoi(f[2]); err != nil || int(wdl) != want {
			t.Errorf("%s: %s: WDL %d, %v, want %d", line.Where, f[1], wdl, err, want)
		}
		dtz, err := tables.ProbeDTZ(p)
		switch want, _ := strconv.Atoi(f[3]); {
		case errors.Is(err, syzygy.ErrMissing) && !isThere(f[0], ".rtbz"):
		case f[3] == "":
		case err != nil || dtz != want:
			t.Errorf("%s: %s: DTZ %d, %v, want %d", line.Where, f[1], dtz, err, want)
		default:
			distances++
		}
	}
	if distances < len(lines)/2 {
		t.Errorf("only %d of %d rows had a distance", distances, len(lines)-1)
	}
}

// rootRow is a position with what another prober knows of each move.
type rootRow struct {
	Ending string
	FEN    string
	WDL    int
	DTZ    int
	Moves  []struct {
		UCI           string
		Zeroing, Mate bool
		WDL           int
		DTZ           int `json:"child_dtz"` // for the mover, counted from the position after the move
	}
}

func rootRows(t testing.TB) []rootRow {
	t.Helper()
	lines, err := corpora.Lines(corpora.Path("syzygy/root-moves-dev.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]rootRow, len(lines))
	for i, line := range lines {
		if err := json.Unmarshal([]byte(line.Text), &rows[i]); err != nil {
			t.Fatalf("%s: %v", line.Where, err)
		}
	}
	return rows
}

// TestMoves compares results and distances after each move.
func TestMoves(t *testing.T) {
	tables := open(t)
	for _, row := range rootRows(t) {
		p := parse(t, row.FEN)
		for _, want := range row.Moves {
			m, err := notation.ParseUCI(p, want.UCI)
			if err != nil {
				t.Fatal(err)
			}
			next := p.After(m)
			wdl, err1 := tables.ProbeWDL(&next)
			dtz, err2 := tables.ProbeDTZ(&next)
			if err1 != nil || err2 != nil || -int(wdl) != want.WDL || -dtz != want.DTZ {
				t.Errorf("%s %s: WDL %d, %v, DTZ %d, %v, want %d, %d", row.FEN, want.UCI, -wdl, err1, -dtz, err2,
					want.WDL, want.DTZ)
			}
		}
	}
}
