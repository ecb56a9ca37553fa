package main

import (
	"strings"
	"testing"

	"skein/nnue"
)

// TestDescribeNet has a name that would begin a line and control a terminal.
func TestDescribeNet(t *testing.T) {
	p := nnue.NewParameters(nnue.Architecture{Width: 16, KingBuckets: 1, OutputBuckets: 1, Scale: 400})
	p.Name = "name\n\x1b[2J\u009b\u202e"
	net, err := nnue.New(p)
	if err != nil {
		t.Fatal(err)
	}
	if got := describeNet(net); !strings.HasPrefix(got, "name??[2J?? (") || !strings.HasSuffix(got, net.Hash()) {
		t.Errorf("%q", got)
	}
}
