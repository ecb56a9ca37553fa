//go:build unix

package syzygy

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"skein/position"
)

// copyTables copies files of the test data into a new folder and opens it.
func copyTables(t *testing.T, r *reports, names ...string) (dir string, tables *Tables) {
	t.Helper()
	dir = CopyFiles(t, names...)
	tables = Open(dir, r.add)
	t.Cleanup(func() { tables.Close() })
	return dir, tables
}

// TestTruncatedWhileOpen truncates files that are mapped into memory. Probes that
// need one fail with an error that names it, which is reported once, even after
// the file is there again; other files are still used.
func TestTruncatedWhileOpen(t *testing.T) {
	krk, kpk := mustParse(t, "8/8/8/8/8/2k5/8/K6R w - - 0 1"), mustParse(t, "8/8/8/8/8/7k/1P6/K7 w - - 0 1")
	kqk := mustParse(t, "8/8/8/8/8/2k5/8/K6Q w - - 0 1")
	wdl := func(tables *Tables, p *position.Position) error { _, err := tables.ProbeWDL(p); return err }
	dtz := func(tables *Tables, p *position.Position) error { _, err := tables.ProbeDTZ(p); return err }
	for _, test := range []struct {
		name  string
		at    *position.Position
		probe func(*Tables, *position.Position) error
	}{
		{"KPvK.rtbw", kpk, wdl},
		{"KRvK.rtbz", krk, dtz},
	} {
		t.Run(test.name, func(t *testing.T) {
			var r reports
			dir, tables := copyTables(t, &r, "KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz", "KPvK.rtbw")
			path := filepath.Join(dir, test.name)
			if err := errors.Join(test.probe(tables, test.at), os.Truncate(path, 0)); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				err := test.probe(tables, test.at)
				if bad, ok := errors.AsType[*FileError](err); !ok || bad.Path != path || bad.Err != errFault {
					t.Errorf("error %v, want one about %s", err, path)
				}
				writeFile(t, dir, test.name, read(t, test.name))
			}
			if err := test.probe(tables, kqk); err != nil {
				t.Error(err)
			}
			if len(r.errs) != 1 || strings.Count(r.errs[0].Error(), path) != 1 {
				t.Errorf("reported: %v", r.errs)
			}
		})
	}
}

// TestTruncatedDuringProbes replaces files by copies of themselves, as cp does,
// while several goroutines probe them.
func TestTruncatedDuringProbes(t *testing.T) {
	names := []string{"KPvK.rtbw", "KQvK.rtbw", "KRvK.rtbw", "KPvKP.rtbw", "KRvKB.rtbw", "KQvKQ.rtbw"}
	var r reports
	dir, tables := copyTables(t, &r, names...)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for seed := range uint64(2) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 1))
			for {
				select {
				case <-stop:
					return
				default:
				}
				base, _, _ := strings.Cut(names[rng.IntN(len(names))], ".")
				v, err := tables.lookUp(randomBoard(rng, ending(t, base)))
				if _, ok := errors.AsType[*FileError](err); err != nil && (!ok || v != Draw) {
					t.Errorf("%s: %v, %v", base, v, err)
				}
			}
		})
	}
	for range 5 {
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), read(t, name), 0o666); err != nil {
				t.Error(err)
			}
		}
	}
	close(stop)
	wg.Wait()
	seen := map[string]bool{}
	for _, err := range r.errs {
		bad, ok := errors.AsType[*FileError](err)
		if !ok || seen[bad.Path] {
			t.Errorf("reported %v, after others: %v", err, seen)
			continue
		}
		seen[bad.Path] = true
	}
}
