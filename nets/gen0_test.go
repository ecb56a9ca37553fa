package nets_test

import (
	"bytes"
	"testing"

	"skein/internal/train"
	"skein/nets"
)

// TestDefaultIsSeed holds as long as generation zero is the embedded network:
// it is what `tune seed` writes. The first trained network removes this file.
func TestDefaultIsSeed(t *testing.T) {
	net, err := train.Seed()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := net.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), nets.Default) {
		t.Errorf("the embedded network is not the seed %s: run `go run ./cmd/tune seed`", net.Hash())
	}
}
