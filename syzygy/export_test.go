package syzygy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/internal/corpora"
)

// CopyFiles copies files of the test data into a new folder.
func CopyFiles(t *testing.T, names ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range names {
		writeFile(t, dir, name, read(t, name))
	}
	return dir
}

// read returns the contents of a file of the test data.
func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(corpora.Path("syzygy/" + name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// BoardFEN writes the first field of a FEN from letters, 0 where there are none.
func BoardFEN(letters *[64]byte) string {
	var sb strings.Builder
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for _, letter := range append(letters[8*rank:8*rank+8:8*rank+8], '/') {
			if letter == 0 {
				empty++
				continue
			}
			if empty > 0 {
				sb.WriteByte('0' + empty)
			}
			empty = 0
			sb.WriteByte(letter)
		}
	}
	return strings.TrimSuffix(sb.String(), "/")
}
