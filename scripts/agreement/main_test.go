package main

import (
	"strings"
	"testing"
)

// TestArguments checks that a file without its flag is refused.
func TestArguments(t *testing.T) {
	var out strings.Builder
	err := run([]string{"-sites", "none", "games.pgn"}, &out)
	if err == nil || !strings.Contains(err.Error(), "games.pgn") {
		t.Errorf("error %v\n%s", err, &out)
	}
}
