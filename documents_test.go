package skein_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// documents returns the files whose links and commands are checked.
func documents(t *testing.T) []string {
	files := []string{
		"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "nets/README.md", "testdata/README.md",
	}
	docs, err := filepath.Glob("docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("no documents in docs: %v", err)
	}
	return append(files, docs...)
}

func readDocument(t *testing.T, name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLinks checks that every relative link of the documents names a file, and
// every anchor a heading of it.
func TestLinks(t *testing.T) {
	found := 0
	for _, name := range documents(t) {
		for _, target := range linkTargets(readDocument(t, name)) {
			if strings.Contains(target, "://") {
				continue
			}
			found++
			file, anchor, hasAnchor := strings.Cut(target, "#")
			path := name
			if file != "" {
				path = filepath.Join(filepath.Dir(name), filepath.FromSlash(file))
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: link to %s: %v", name, target, err)
				continue
			}
			if hasAnchor && !slices.Contains(anchors(readDocument(t, path)), anchor) {
				t.Errorf("%s: link to %s: %s has no such heading", name, target, path)
			}
		}
	}
	if found == 0 {
		t.Error("no links found")
	}
}

var (
	link      = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	codeBlock = regexp.MustCompile("(?ms)^```.*?^```")
)

// linkTargets returns the targets of the inline links and images of a document.
func linkTargets(text string) []string {
	var targets []string
	for _, m := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
		targets = append(targets, m[1])
	}
	return targets
}

// anchors returns the names under which GitHub links to the headings of a
// document: in lower case, without punctuation, with hyphens for spaces.
func anchors(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		heading := strings.TrimLeft(line, "#")
		if heading == line || !strings.HasPrefix(heading, " ") {
			continue
		}
		names = append(names, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(heading)))
	}
	return names
}

// TestPaths checks that every path of the repository that the documents name in
// backquotes exists. TestArchitectureTable checks the packages.
func TestPaths(t *testing.T) {
	found := 0
	for _, name := range documents(t) {
		for _, m := range codeSpan.FindAllStringSubmatch(readDocument(t, name), -1) {
			path := strings.TrimPrefix(m[1], "./")
			folder, _, ok := strings.Cut(path, "/")
			if !ok || folder == ".." || allowedImports[path] != nil || strings.ContainsAny(path, " *:<>") {
				continue
			}
			base := filepath.Dir(name)
			if !isFolder(filepath.Join(base, folder)) {
				base = "."
			}
			if !isFolder(filepath.Join(base, folder)) {
				continue
			}
			found++
			if _, err := os.Stat(filepath.Join(base, path)); err != nil {
				t.Errorf("%s names %s: %v", name, path, err)
			}
		}
	}
	if found == 0 {
		t.Error("no paths found")
	}
}

var codeSpan = regexp.MustCompile("`([^`\n]+)`")

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// TestAnchors checks how headings become anchors.
func TestAnchors(t *testing.T) {
	text := "# The search, step by step\n#hash\n## A node (`alphaBeta`)\ntext\n### UCI_Elo and 2–3\n"
	want := []string{"the-search-step-by-step", "a-node-alphabeta", "uci_elo-and-23"}
	if got := anchors(text); !slices.Equal(got, want) {
		t.Errorf("anchors %q, want %q", got, want)
	}
}
