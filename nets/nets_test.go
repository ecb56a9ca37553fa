package nets_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/nets"
)

// TestDefault reads the embedded network and finds it in the lineage.
func TestDefault(t *testing.T) {
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := net.WriteTo(&b); err != nil || !bytes.Equal(b.Bytes(), nets.Default) {
		t.Errorf("written anew the embedded network differs, or %v", err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(readme)) {
		if strings.Contains(line, "| "+net.Name()+" |") && strings.Contains(line, net.Hash()) &&
			strings.Contains(line, net.Architecture().String()) {
			return
		}
	}
	t.Errorf("README.md has no line for %s, hash %s, %s", net.Name(), net.Hash(), net.Architecture())
}

// TestLoad reads a file, and names one that is missing.
func TestLoad(t *testing.T) {
	want, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	if net, err := nets.Load("default.nnue"); err != nil || net.Hash() != want.Hash() {
		t.Errorf("%v, %v", net, err)
	}
	missing := filepath.Join(t.TempDir(), "missing.nnue")
	if _, err := nets.Load(missing); err == nil || !strings.Contains(err.Error(), missing) {
		t.Error(err)
	}
}
