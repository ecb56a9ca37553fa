package main

import (
	"os"
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
	for _, args := range [][]string{{"spsa", "--print"}, {"screen", "-o", "x", "--change", "razorBase=500"}} {
		if err != nil {
			fails(t, "-tags tune", args...)
		} else if args[0] == "spsa" {
			must(t, args...)
		}
	}
}
