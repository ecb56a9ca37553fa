package nets_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"skein/nets"
	"skein/nnue"
)

// TestDefault reads the embedded network and finds it in the lineage.
func TestDefault(t *testing.T) {
	net, err := nnue.Read(bytes.NewReader(nets.Default))
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
