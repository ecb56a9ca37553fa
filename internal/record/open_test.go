package record_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"skein/internal/record"
)

// TestOpenWithoutGames opens a file without games with another description, which
// replaces the old one, and then a file with games, which keeps its own.
func TestOpenWithoutGames(t *testing.T) {
	list := games(t, 3, 6)
	name := filepath.Join(t.TempDir(), "games.skr")
	for _, description := range []string{"a longer description than the second one", "a test"} {
		w, torn, err := record.Open(t.Context(), name, description)
		if err != nil {
			t.Fatal(err)
		}
		if torn != 0 {
			t.Errorf("description %q: %d bytes torn", description, torn)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	w, _, err := record.Open(t.Context(), name, "a test")
	if err != nil {
		t.Fatal(err)
	}
	add(t, w, list, 0)
	if whole := contents(t, write(t, list, 0)); !bytes.Equal(contents(t, name), whole) {
		t.Error("the file differs from one created with that description")
	}
}

// TestOpenOther expects a file with games and another description to be refused as it
// is, although its last block is torn.
func TestOpenOther(t *testing.T) {
	name := write(t, games(t, 2, 6), 1) // a game in each block
	torn := contents(t, name)
	torn = torn[:len(torn)-1]
	if err := os.WriteFile(name, torn, 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err := record.Open(t.Context(), name, "other")
	other := (*record.DescriptionError)(nil)
	if !errors.As(err, &other) || other.Description != "a test" {
		t.Errorf("error %v", err)
	}
	if !bytes.Equal(contents(t, name), torn) {
		t.Error("the file was changed")
	}
}
