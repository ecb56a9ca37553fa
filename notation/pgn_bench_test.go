package notation

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"skein/internal/corpora"
)

// library returns the PGN files of the corpora, one after the other, n times.
func library(tb testing.TB, n int) (io.Reader, int64) {
	tb.Helper()
	names, err := filepath.Glob(corpora.Path("pgn/*.pgn"))
	if err != nil || len(names) == 0 {
		tb.Fatal(names, err)
	}
	var all []byte
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(append(all, data...), '\n', '\n')
	}
	readers := make([]io.Reader, n)
	for i := range readers {
		readers[i] = bytes.NewReader(all)
	}
	return io.MultiReader(readers...), int64(n * len(all))
}

// TestPGNMemory reads the same games once and many times, and looks at what is
// held in memory at the end.
func TestPGNMemory(t *testing.T) {
	held := func(n int) (games int, size uint64) {
		r, _ := library(t, n)
		reader := NewReader(r)
		for g, err := range reader.All() {
			if g == nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		runtime.KeepAlive(reader)
		return reader.Games(), m.HeapAlloc
	}
	games, before := held(1)
	many, after := held(20)
	if many != 20*games || after > before+1<<20 {
		t.Errorf("%d games hold %d bytes, %d games %d", games, before, many, after)
	}
}

func BenchmarkReader(b *testing.B) {
	const copies = 10
	_, size := library(b, copies)
	for _, reuse := range []bool{false, true} {
		b.Run(fmt.Sprintf("ReuseGame=%v", reuse), func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				file, _ := library(b, copies)
				r := NewReader(file)
				r.ReuseGame = reuse
				for g, err := range r.All() {
					if g == nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkWriter(b *testing.B) {
	r, _ := library(b, 1)
	games, _ := readAll(b, r)
	var size countingWriter
	w := NewWriter(&size)
	write := func() {
		for _, g := range games {
			if err := w.Write(g); err != nil {
				b.Fatal(err)
			}
		}
	}
	write()
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		write()
	}
}

// countingWriter counts bytes.
type countingWriter int64

func (w *countingWriter) Write(b []byte) (int, error) {
	*w += countingWriter(len(b))
	return len(b), nil
}
