package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"skein/internal/spsa"
)

// TestMain turns the test binary into tune where a test starts it as such.
func TestMain(m *testing.M) {
	if os.Getenv("TUNE_TEST_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestFixed asks a program for parameters that it may not have.
func TestFixed(t *testing.T) {
	_, err := spsa.Tunables()
	runErr := program.Run(t.Context(), []string{"spsa", "-print"}, io.Discard, io.Discard)
	if (err == nil) != (runErr == nil) || err != nil && !strings.Contains(runErr.Error(), "-tags tune") {
		t.Error(err, runErr)
	}
}
