//go:build tune

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"skein/search"
)

// short are flags for a run of few nodes.
func short(out string, more ...string) []string {
	return append([]string{"spsa", "-o", out, "-iterations", "6", "-pairs", "3", "-nodes", "200", "-hash", "1"}, more...)
}

func contents(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestResume kills a run and lets it go on: the result is that of a run that was
// left alone, with another number of workers.
func TestResume(t *testing.T) {
	t.Setenv("TUNE_TEST_MAIN", "1")
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	var printed strings.Builder
	if err := program.Run(t.Context(), short(whole, "-workers", "2"), &printed, io.Discard); err != nil {
		t.Fatal(err)
	}
	for kills := 0; ; kills++ {
		cmd := exec.Command(os.Args[0], short(killed, "-workers", "1")...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		rows, _ := os.ReadFile(killed + ".csv")
		want := bytes.Count(rows, []byte("\n")) + 2
		for deadline := time.Now().Add(time.Minute); bytes.Count(rows, []byte("\n")) < want && time.Now().Before(deadline) && kills < 2; {
			time.Sleep(time.Millisecond)
			rows, _ = os.ReadFile(killed + ".csv")
		}
		if kills < 2 {
			cmd.Process.Kill()
			<-ended
			continue
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		break
	}
	for _, extension := range []string{".csv", ".json"} {
		if a, b := contents(t, whole+extension), contents(t, killed+extension); !bytes.Equal(a, b) {
			t.Errorf("%s differs:\n%.300s\n%.300s", extension, a, b)
		}
	}
	if bytes.Count(contents(t, whole+".csv"), []byte("\n")) != 7 || !bytes.HasPrefix(contents(t, whole+".svg"), []byte("<svg")) {
		t.Error("history is not whole")
	}
	if n := strings.Count(printed.String(), "\n"); n != len(search.Tunables()) {
		t.Errorf("%d parameters printed", n)
	}
	if err := program.Run(t.Context(), short(whole, "-nodes", "201"), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "other settings") {
		t.Error("continued with other settings:", err)
	}
	if err := os.WriteFile(whole+".json", []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := program.Run(t.Context(), short(whole), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "not the state") {
		t.Error("a damaged state:", err)
	}
}

// TestTunables expects of every parameter a value within its range and a change
// that a whole number can feel.
func TestTunables(t *testing.T) {
	for _, p := range search.Tunables() {
		if v := *p.Value; v < p.Min || v > p.Max || p.Step < 1 || p.Step > float64(p.Max-p.Min)/4 {
			t.Errorf("%s: %d in %d to %d by steps of %g", p.Name, v, p.Min, p.Max, p.Step)
		}
	}
	var printed strings.Builder
	if err := program.Run(t.Context(), []string{"spsa", "-print", "-only", "reductionNoisy*", "-r-end", "0.01"}, &printed, io.Discard); err != nil {
		t.Fatal(err)
	}
	if text := printed.String(); strings.Count(text, ", 0.01\n") != 4 || !strings.HasPrefix(text, "reductionNoisyBase, int, -100, -1000, 1000, 100, 0.01\n") {
		t.Error(text)
	}
}

func TestSPSAErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "-o NAME"},
		{[]string{"-o", missing, "x"}, `"x"`},
		{[]string{"-o", missing, "-pairs", "0"}, "pairs"},
		{[]string{"-o", missing, "-net", missing}, missing},
		{[]string{"-o", missing, "-book", missing}, missing},
		{[]string{"-parameters", missing}, missing},
		{[]string{"-only", "gravity"}, `"gravity"`},
		{[]string{"-print", "-r-end", "-1"}, "negative"},
	} {
		if err := program.Run(t.Context(), append([]string{"spsa"}, test.args...), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("spsa %q: error %v does not say %s", test.args, err, test.want)
		}
	}
}
