package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInspect describes the embedded network and draws it.
func TestInspect(t *testing.T) {
	dir := t.TempDir()
	net, picture, data := "../../nets/default.nnue", filepath.Join(dir, "x.png"), filepath.Join(dir, "x.epd")
	if err := os.WriteFile(data, []byte("1k6/8/8/8/8/8/P7/1K6 w - -\n1k6/8/8/8/8/8/P7/K7 w - -\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out := must(t, "inspect", net, "--png", picture, "--data", data)
	for _, part := range []string{"architecture  (768x", "feature weights: ", "in 2 positions: "} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
	if out := must(t, "inspect", net, "--data", data, "--positions", "1"); !strings.Contains(out, "in 1 positions: ") {
		t.Errorf("not one position in\n%s", out)
	}
	other := filepath.Join(dir, "y.png")
	must(t, "inspect", net, "--png", other, "--table", "1")
	var drawn [2][]byte
	for i, name := range []string{picture, other} {
		var err error
		if drawn[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(drawn[i])); err != nil {
			t.Error(err)
		}
	}
	if bytes.Equal(drawn[0], drawn[1]) {
		t.Error("the same picture of two tables")
	}
	missing := filepath.Join(dir, "none.txt")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "one network"},
		{[]string{net, net}, "one network"},
		{[]string{data}, "network"},
		{[]string{net, "--png", picture, "--data", missing}, "x.png already exists"},
		{[]string{net, "--png", missing, "--table", "99"}, "table 99 is not between 0 and"},
		{[]string{net, "--table", "1"}, "--table has no effect without --png"},
		{[]string{net, "--positions", "9"}, "--positions has no effect without --data"},
		{[]string{net, "--data", missing}, missing},
		{[]string{net, "--png", filepath.Join(dir, "none", "x.png")}, filepath.Join(dir, "none", "x.png")},
	} {
		fails(t, test.want, append([]string{"inspect"}, test.args...)...)
	}
}
