package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"skein/internal/spsa"
)

// TestMain makes the test binary run tune if a test started it that way.
func TestMain(m *testing.M) {
	if os.Getenv("TUNE_TEST_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestFixed checks that builds without the tag tune have no parameters.
func TestFixed(t *testing.T) {
	_, err := spsa.Tunables()
	runErr := program.Run(t.Context(), []string{"spsa", "--print"}, io.Discard, io.Discard)
	if (err == nil) != (runErr == nil) || err != nil && !strings.Contains(runErr.Error(), "-tags tune") {
		t.Error(err, runErr)
	}
}
