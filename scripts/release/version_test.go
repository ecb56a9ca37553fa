package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVersion checks that the version of this checkout is in its changelog.
func TestVersion(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	version, err := readVersion(versionFile)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := releaseNotes(version); err != nil {
		t.Error(err)
	}
}

// TestReadme checks that the README names the archives.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		if name := target.archive("VERSION"); !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("README.md does not name %s", name)
		}
	}
}

func TestReadVersion(t *testing.T) {
	for _, tt := range []struct{ text, version, want string }{
		{"package main\n\nconst version = \"1.2.3\"\n", "1.2.3", ""},
		{"const version = \"1.2.3-rc1\"\n", "1.2.3-rc1", ""},
		{"const version = \"1.2\"\n", "", "not of the form"},
		{"const version = \"../1.2.3\"\n", "", "not of the form"},
		{"package main\n", "", "no line"},
	} {
		file := filepath.Join(t.TempDir(), "version.go")
		if err := os.WriteFile(file, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		version, err := readVersion(file)
		if version != tt.version || (err == nil) != (tt.want == "") ||
			err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %q, %v", tt.text, version, err)
		}
	}
}

func TestChangelogSection(t *testing.T) {
	text := "# Changes\n\n## 0.2.0\n\n## 0.1.1 (2026-01-02)\n\n- one\n\n### More\n\n- two\n\n## 0.1.0\n\n- old\n"
	if got, err := changelogSection(text, "0.1.1"); err != nil || got != "- one\n\n### More\n\n- two\n" {
		t.Errorf("%q, %v", got, err)
	}
	for _, version := range []string{"0.2.0", "0.1", "0.1.2"} {
		if got, err := changelogSection(text, version); err == nil {
			t.Errorf("%s: %q", version, got)
		}
	}
}
