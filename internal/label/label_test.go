package label

import (
	"strings"
	"testing"

	"skein/internal/corpora"
	"skein/position"
	"skein/rules"
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

// TestConfig checks the errors of settings out of range.
func TestConfig(t *testing.T) {
	if c := DefaultConfig(); c.Validate() != nil {
		t.Error(c.Validate())
	}
	for name, change := range map[string]func(*Config){
		"nodes":   func(c *Config) { c.Nodes = 0 },
		"workers": func(c *Config) { c.Workers = 0 },
		"1.5":     func(c *Config) { c.OffLine = 1.5 },
	} {
		c := DefaultConfig()
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
