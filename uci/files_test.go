package uci

import (
	"strings"
	"testing"

	"skein/internal/corpora"
)

// TestFilesClosed expects the tablebases and the book to be closed at the end of a
// session, as one process may have many.
func TestFilesClosed(t *testing.T) {
	s := startSession(t, Config{})
	s.send("setoption name SyzygyPath value " + corpora.Path("syzygy"))
	s.send("setoption name BookFile value " + corpora.Path("polyglot") + "/openings-cc0.bin")
	lines := s.end()
	if count(lines, "info string found") != 1 || strings.Contains(strings.Join(lines, "\n"), "ERROR") {
		t.Error(lines)
	}
	if s.driver.tablebase.Tables != nil || s.driver.book != nil {
		t.Error("files are open after the session")
	}
}
