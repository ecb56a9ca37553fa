package console

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"skein/internal/cli"
	"skein/internal/corpora"
	"skein/position"
)

// TestCheckRow checks rows with and without errors, with the table of counts and
// without.
func TestCheckRow(t *testing.T) {
	row := func(fen string, counts ...corpora.PerftCount) corpora.PerftRow {
		return corpora.PerftRow{FEN: fen, Counts: counts}
	}
	at := func(depth int, nodes uint64) corpora.PerftCount {
		return corpora.PerftCount{Depth: depth, Nodes: nodes}
	}
	for _, test := range []struct {
		name    string
		row     corpora.PerftRow
		want    tally
		message string
	}{
		{"right", row(position.StartFEN, at(4, 197281)),
			tally{rows: 1, depths: 1, nodes: 197281}, ""},
		{"positions at several depths", row("k7/8/8/8/8/8/8/K7 w - - 0 1", at(7, 69668)),
			tally{rows: 1, depths: 1, nodes: 69668}, ""},
		{"wrong", row(position.StartFEN, at(1, 21), at(2, 400)),
			tally{rows: 1, depths: 2, nodes: 420, wrong: 1}, "depth 1: 20 leaves, expected 21"},
		{"above the limit", row(position.StartFEN, at(1, 1_000_001)),
			tally{rows: 1, skipped: 1}, ""},
		{"too deep", row(position.StartFEN, at(700_000, 1)),
			tally{rows: 1, depths: 1, wrong: 1}, "depth 700000 is not between 1 and 20"},
		{"not a FEN", row("startpos", at(1, 20)),
			tally{rows: 1, wrong: 1}, "FEN: board"},
		{"impossible check", row("5R2/2P5/8/4k3/8/3rK2r/8/8 w - -", at(1, 2)),
			tally{rows: 1, refused: 1}, "impossible"},
	} {
		for _, mebibytes := range []int{0, 1} {
			got, messages := checkRow(test.row, 1_000_000, newCounter(mebibytes, func() bool { return false }))
			if got != test.want {
				t.Errorf("%s, %d MiB: %v, want %v", test.name, mebibytes, got, test.want)
			}
			all := strings.Join(messages, "\n")
			if !strings.Contains(all, test.message) || (all == "") != (test.message == "") {
				t.Errorf("%s, %d MiB: message %q, want %q", test.name, mebibytes, all, test.message)
			}
		}
	}
}

// TestPerftSuite checks that the tally of a suite depends neither on the number of
// workers nor on the table.
func TestPerftSuite(t *testing.T) {
	rows, err := corpora.PerftRows(corpora.Path("perft/edge-castling960-dev.epd"))
	if err != nil {
		t.Fatal(err)
	}
	rows = rows[:100]
	check := func(o *suiteOptions) tally {
		c := &call{Env: Env{Out: t.Output()}, ctx: t.Context()}
		got, err := c.checkRows(rows, o.nodes, c.newCounters(o))
		if err != nil {
			t.Error(err)
		}
		got.elapsed = 0
		return got
	}
	one := check(&suiteOptions{workers: 1, nodes: 50_000})
	three := check(&suiteOptions{workers: 3, nodes: 50_000, hash: 1})
	if one != three || one.rows != 100 || one.wrong != 0 || one.skipped == 0 || one.depths+one.skipped != 400 {
		t.Errorf("one worker: %v\nthree with tables: %v", one, three)
	}
}

// TestPerftSuiteCommand runs suites with correct, wrong and malformed rows.
func TestPerftSuiteCommand(t *testing.T) {
	right := file(t, position.StartFEN+" ;D1 20 ;D3 8902\n")
	wrong := file(t, position.StartFEN+" ;D1 21\n")
	const message = ":1: " + position.StartFEN + ": depth 1: 20 leaves, expected 21"
	unreadable := file(t, position.StartFEN+" ;X1 21\n")
	empty := file(t, "\n")
	folder := filepath.Join(t.TempDir(), "suites [2024]")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file(t, position.StartFEN+" ;D1 20\n"), filepath.Join(folder, "a.epd")); err != nil {
		t.Fatal(err)
	}
	tooLarge := strconv.Itoa(math.MaxInt>>20 + 1) // in MiB, of 32 bits as well
	noMemory := cli.ExitFailure
	if strconv.IntSize == 32 { // where what no machine has is too large as well
		noMemory = cli.ExitUsage
	}
	for _, test := range []struct {
		args   []string
		status int
		want   string // in the output or the error output
	}{
		{[]string{"--suite", right}, 0, "total: 1 rows, 2 depths, 0 skipped, 0 refused, 0 wrong, 8922 leaves"},
		{[]string{"--suite", right, "--nodes", "20"}, 0, "total: 1 rows, 1 depths, 1 skipped"},
		{[]string{"--suite", right, "--suite", right, "--hash", "1"}, 0, "total: 2 rows, 4 depths"},
		{[]string{"--suite", folder}, 0, "a.epd: 1 rows"},
		{[]string{"--suite", wrong}, cli.ExitFailure, wrong + message},
		{[]string{"--suite", unreadable}, cli.ExitFailure, unreadable + ":1"},
		{[]string{"--suite", right, "--suite", empty}, cli.ExitFailure, empty + ": no rows"},
		{[]string{"--suite", t.TempDir()}, cli.ExitFailure, "no *.epd files"},
		{[]string{"--suite", right + ".none"}, cli.ExitFailure, right + ".none"},
		{[]string{"--suite", right, right}, 0, "total: 2 rows, 4 depths"},
		{[]string{"--suite", right, "5"}, cli.ExitFailure, " 5: "},
		{[]string{"--suite", right, "--fen", position.StartFEN}, cli.ExitUsage, "--fen"},
		{[]string{"--suite", right, "--hash", tooLarge}, cli.ExitUsage, "--hash " + tooLarge},
		{[]string{"--suite", right, "--hash", "1073741824", "--threads", "1"}, noMemory, "--hash 1073741824"},
		{[]string{"--suite", right, "--threads", "0"}, cli.ExitUsage, "--threads 0"},
		{[]string{"--suite", right, "--threads", "1025"}, cli.ExitUsage, "--threads 1025 is not between 1 and 1024"},
		{[]string{"--hash", "1", "3"}, cli.ExitUsage, "--hash"},
	} {
		status, out, errs := run(t.Context(), "", append([]string{"perft"}, test.args...)...)
		if status != test.status || !strings.Contains(out+errs, test.want) {
			t.Errorf("%q: exit status %d, output:\n%s\nerrors:\n%s", test.args, status, out, errs)
		}
	}
}

// TestPerftSuiteInterrupted cancels deep counts with and without the table.
func TestPerftSuiteInterrupted(t *testing.T) {
	deep := file(t, position.StartFEN+" ;D15 1\n")
	for _, hash := range []string{"0", "1"} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		status, out, errs := run(ctx, "", "perft", "--suite", deep, "--hash", hash)
		cancel()
		if status != cli.ExitInterrupted || errs != "" {
			t.Errorf("hash %s: exit status %d, output:\n%s\nerrors:\n%s", hash, status, out, errs)
		}
	}
}
