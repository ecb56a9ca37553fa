package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// script stands for an engine.
const script = `#!/bin/sh
case $1 in
bench) echo "1/1 e2e4"; echo "1234 nodes 5 nps" ;;
--version) echo "Skein 1.0" ;;
analyse) echo " 6/9  +0.20  1... e5"; echo; echo "best move: 1... e5" ;;
position*) echo "info depth 6 score cp 1"; echo "bestmove e7e5" ;;
*) while read -r line; do
	case $line in uci) echo "id name Skein 1.0"; echo uciok ;; isready) echo readyok ;; esac
done ;;
esac
`

// TestTry tries a program that answers as it should, and others.
func TestTry(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	here := target{runtime.GOOS, runtime.GOARCH, ""}
	for _, tt := range []struct{ name, old, new, want string }{
		{"good", "", "", ""},
		{"wrong signature", "1234", "1235", `"1234 nodes "`},
		{"wrong version", "name Skein 1.0", "name Skein 0.9", `"id name Skein 1.0"`},
		{"no answer", "readyok", "ok", `"readyok"`},
		{"failure", "bestmove e7e5\"", "bestmove\"; exit 3", "exit status 3"},
	} {
		exe := filepath.Join(t.TempDir(), "engine")
		if err := os.WriteFile(exe, []byte(strings.Replace(script, tt.old, tt.new, 1)), 0o755); err != nil {
			t.Fatal(err)
		}
		err := (&tester{version: "1.0", signature: "1234"}).try(here, exe)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestRunner asks for platforms that no emulator here runs.
func TestRunner(t *testing.T) {
	if runtime.GOOS != "darwin" {
		if _, _, reason := new(tester).runner(target{"darwin", "arm64", ""}); reason == "" {
			t.Error("an engine for macos would be run here")
		}
	}
	t.Setenv("PATH", t.TempDir())
	for _, arch := range []string{"amd64", "arm64"} {
		if runtime.GOOS == "linux" && runtime.GOARCH != arch {
			if _, _, reason := new(tester).runner(target{"linux", arch, ""}); !strings.Contains(reason,
				"is not installed") {
				t.Errorf("without an emulator: %q", reason)
			}
		}
	}
}
