package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

func TestCheckPath(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/someone/skein":        "",
		"example.org/group/sub/my-engine": "",
		"skein":                           "not of the form",
		"github.com/skein":                "not of the form",
		"localhost/someone/skein":         "not the name of a host",
		"GitHub.com/someone/skein":        "not the name of a host",
		"https://github.com/someone/x":    "not the name of a host",
		"github.com//skein":               "must consist of",
		"github.com/../skein":             "must consist of",
		"github.com/some one/skein":       "must consist of",
		"github.com/someone/skein/v2":     "must not end in a version",
		"github.com/someone/skein.git":    "must not end in .git",
	} {
		err := checkPath(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", path, err, want)
		}
	}
}

// TestRewriteText renames a module that was not published and one that was.
func TestRewriteText(t *testing.T) {
	// Written apart, so that the command does not change this test.
	const s, o, q = "ske" + "in", "github.com/OWN" + "ER/ske" + "in", `"`
	const to = "github.com/ann/knights"
	first := &renamer{from: s, to: to, folders: []string{"chess", "search"}}
	second := &renamer{from: "github.com/old/name", to: to, folders: first.folders}
	for _, tt := range []struct {
		r                *renamer
		name, text, want string
	}{
		{first, "go.mod", "module " + s + "\n\ngo 1.26\n", "module " + to + "\n\ngo 1.26\n"},
		{first, "scripts/sub/go.mod",
			"module " + s + "/search/sub\n\nrequire (\n\t" + s + " v0.0.0\n)\n\nreplace " + s + " => ../..\n",
			"module " + to + "/search/sub\n\nrequire (\n\t" + to + " v0.0.0\n)\n\nreplace " + to + " => ../..\n"},
		{first, "a.go", "package " + s + "\n\nimport " + q + s + "/chess" + q + "\n",
			"package " + s + "\n\nimport " + q + to + "/chess" + q + "\n"},
		{first, "b.go",
			"package b\n\nimport (\n\t" + q + "golang.org/x/sys" + q + "\n\t" + q + s + "/chess" + q + "\n)\n",
			"package b\n\nimport (\n\t" + q + to + "/chess" + q + "\n\t" + q + "golang.org/x/sys" + q + "\n)\n"},
		{first, "c.md", "The " + s + ", `" + s + "/search`, /tmp/" + s + "/chess, " + s + "/other.\n",
			"The " + s + ", `" + to + "/search`, /tmp/" + s + "/chess, " + s + "/other.\n"},
		{first, "docs/c.md",
			"A.\n\n<!-- unpublished -->\nNot yet:\n\n    x\n<!-- /unpublished -->\n\nB.\n", "A.\n\nB.\n"},
		{first, "d.json", "https://" + o + "/releases, " + o + "/cmd", "https://" + to + "/releases, " + to + "/cmd"},
		{second, "go.mod", "module github.com/old/name\n", "module " + to + "\n"},
		{second, "e.md", "https://github.com/old/name, github.com/old/name/chess github.com/old/names\n",
			"https://" + to + ", " + to + "/chess github.com/old/names\n"},
		{second, "f.sh", "grep github.com/old/name/internal", "grep " + to + "/internal"},
	} {
		got, err := tt.r.rewriteText(tt.name, []byte(tt.text))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", tt.name, err, got, tt.want)
		}
		again, err := (&renamer{from: to, to: to, folders: first.folders}).rewriteText(tt.name, got)
		if err != nil || string(again) != tt.want {
			t.Errorf("%s once more: %v\n%s", tt.name, err, again)
		}
	}
}

// TestRewriteProfile renames functions in a profile of one string.
func TestRewriteProfile(t *testing.T) {
	const s = "ske" + "in"
	r := &renamer{from: s, to: "x.org/a/b", folders: []string{"chess", "search"}}
	name := "f[go.shape.[]" + s + "/search.move," + s + "/chess.Move] other/" + s + "/search.f"
	want := "f[go.shape.[]x.org/a/b/search.move,x.org/a/b/chess.Move] other/" + s + "/search.f"
	const stringField = 6<<3 | 2
	var packed bytes.Buffer
	zw := gzip.NewWriter(&packed)
	if _, err := zw.Write(append([]byte{stringField, byte(len(name))}, name...)); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	edited, err := r.rewriteProfile(packed.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	zr, err := gzip.NewReader(bytes.NewReader(edited))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(zr); err != nil || string(got) != string([]byte{stringField, byte(len(want))})+want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
