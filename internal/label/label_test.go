package label

import (
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/corpora"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
	"skein/search"
)

// TestTableResult looks up results, and rejects folders without tables.
func TestTableResult(t *testing.T) {
	path := corpora.Path("syzygy")
	tables, err := OpenTables(path, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	known := TableResult(tables)
	for _, test := range []struct {
		fen  string
		want rules.Result
		ok   bool
	}{
		{"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", rules.WhiteWins, true},
		{"4k3/8/8/8/8/8/8/R3K3 b - - 0 1", rules.WhiteWins, true},
		{"4k3/8/8/8/8/8/8/r3K3 w - - 0 1", rules.BlackWins, true},
		{"4k3/8/8/8/8/4K3/8/B7 w - - 0 1", rules.Draw, true},
		{"4k3/8/8/8/8/8/8/R3K3 w - - 1 1", rules.NoResult, false},
		{"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", rules.NoResult, false},
		{position.StartFEN, rules.NoResult, false},
	} {
		p, err := position.Parse(test.fen, false)
		if err != nil {
			t.Fatal(err)
		}
		if result, ok := known(&p); ok != test.ok || result != test.want {
			t.Errorf("%s: %v, %v, want %v, %v", test.fen, result, ok, test.want, test.ok)
		}
	}
	empty := t.TempDir()
	if _, err := OpenTables(empty, t.Output()); err == nil || !strings.Contains(err.Error(), empty) {
		t.Error("an empty folder:", err)
	}
}

// TestLimits checks hard and soft limits of searches.
func TestLimits(t *testing.T) {
	for soft, want := range map[bool]search.Limits{false: {Nodes: 300}, true: {SoftNodes: 300, Nodes: 3000}} {
		if got := Limits(300, soft); got.Nodes != want.Nodes || got.SoftNodes != want.SoftNodes {
			t.Errorf("soft %t: %+v, want %+v", soft, got, want)
		}
	}
}

// TestConfig checks the errors of settings out of range.
func TestConfig(t *testing.T) {
	if c := DefaultConfig(); c.Validate() != nil {
		t.Error(c.Validate())
	}
	for name, change := range map[string]func(*Config){
		"soft":    func(c *Config) { c.Nodes, c.Soft = 0, true },
		"off the": func(c *Config) { c.Nodes, c.OffLine = 0, 0.1 },
		"-1":      func(c *Config) { c.PerGame = -1 },
		"workers": func(c *Config) { c.Workers = 0 },
		"40000":   func(c *Config) { c.Filter.MaxScore = 40000 },
		"1.5":     func(c *Config) { c.OffLine = 1.5 },
		"lambda":  func(c *Config) { c.Lambda = -0.1 },
	} {
		c := DefaultConfig()
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTrace mixes the labels of two positions, at plies 10 and 8, of a game with a
// result. The numbers were computed by hand: a score of 330 is 0.75 points.
func TestTrace(t *testing.T) {
	for _, test := range []struct {
		lambda float64
		result rules.Result
		scores [2]chess.Score
		want   [2]chess.Score
	}{
		{0.5, rules.WhiteWins, [2]chess.Score{0, 0}, [2]chess.Score{330, 75}},
		{0.5, rules.BlackWins, [2]chess.Score{0, 0}, [2]chess.Score{-330, -75}},
		{0.5, rules.Draw, [2]chess.Score{330, 330}, [2]chess.Score{153, 282}},
		{1, rules.WhiteWins, [2]chess.Score{-100, 20}, [2]chess.Score{5000, 5000}},
		{1, rules.Draw, [2]chess.Score{-100, 20}, [2]chess.Score{0, 0}},
		{0, rules.WhiteWins, [2]chess.Score{-100, 20}, [2]chess.Score{-100, 20}},
		{0.5, rules.NoResult, [2]chess.Score{-100, 20}, [2]chess.Score{-100, 20}},
	} {
		following := newTrace(test.lambda, test.result)
		var got [2]chess.Score
		for i, score := range test.scores {
			e := record.Entry{Score: score}
			following.mix(&e, 10-2*i, 5000)
			got[i] = e.Score
		}
		if got != test.want {
			t.Errorf("lambda %v, %s, %d: %d, want %d", test.lambda, test.result, test.scores, got, test.want)
		}
	}
}

// TestKeep expects scores and likely results from White's point of view, whoever moves.
func TestKeep(t *testing.T) {
	l := labeler{Config: DefaultConfig()}
	for fen, want := range map[string]rules.Result{
		"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1": rules.WhiteWins,
		"q3k3/8/8/8/8/8/8/4K3 b - - 0 1": rules.BlackWins,
	} {
		p, err := position.Parse(fen, false)
		if err != nil {
			t.Fatal(err)
		}
		var out Batch
		l.keep(&p, 900, likely, &out)
		if len(out.Entries) != 1 || out.Entries[0].Result != want ||
			(out.Entries[0].Score > 0) != (want == rules.WhiteWins) {
			t.Errorf("%s: %+v", fen, out)
		}
	}
}
