//go:build unix

package uci

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipesAsFiles names pipes without a second end, terminals and devices as
// files: each is refused with its name, and the session goes on.
func TestPipesAsFiles(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, option := range []string{"Debug Log File", "BookFile"} {
		for _, path := range []string{fifo, "/dev/null", "/dev"} {
			lines := converse(t, Config{}, "setoption name "+option+" value "+path, "go depth 1", "isready")
			want := "info string ERROR: option " + option + ": " + path + ": not a regular file"
			if count(lines, want) != 1 {
				t.Errorf("no line %q; output:\n%s", want, strings.Join(lines, "\n"))
			}
		}
	}
}
