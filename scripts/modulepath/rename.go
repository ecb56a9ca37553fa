package main

import (
	"bytes"
	"go/format"
	"os"
	"path"
	"regexp"
	"strings"

	"skein/scripts/pgo/profile"
)

// unpublished is the path of a module that was not published, and home the address
// that documents name in its place.
const (
	unpublished = "skein"
	home        = "github.com/OWNER/skein"
)

// untilPublished matches what documents say only of a module that was not published.
var untilPublished = regexp.MustCompile(`(?s)<!-- unpublished -->\n.*?<!-- /unpublished -->\n\n?`)

// renamer changes the path of a module in files.
type renamer struct {
	from, to string
	folders  []string // of the top level that hold packages
}

// rewriteFile changes a file and reports whether it is another now. Files that are
// neither text nor profiles stay as they are.
func (r *renamer) rewriteFile(name string) (bool, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	var changed []byte
	switch {
	case path.Ext(name) == ".pgo":
		changed, err = r.rewriteProfile(data)
	case bytes.IndexByte(data, 0) >= 0:
		return false, nil
	default:
		changed, err = r.rewriteText(name, data)
	}
	if err != nil || bytes.Equal(changed, data) {
		return false, err
	}
	return true, os.WriteFile(name, changed, 0o644)
}

// rewriteText changes the text of a file. In this folder only imports change: the
// names above stay.
func (r *renamer) rewriteText(name string, text []byte) ([]byte, error) {
	if name == "go.mod" {
		return moduleLine.ReplaceAll(text, []byte("module "+r.to)), nil
	}
	changed := string(text)
	switch {
	case path.Base(name) == "go.mod": // of a module inside this one
		required := regexp.MustCompile(`(?m)^(\t|require |replace )` + regexp.QuoteMeta(r.from) + ` `)
		changed = required.ReplaceAllString(changed, "${1}"+r.to+" ")
	case path.Ext(name) == ".go":
		changed = strings.ReplaceAll(changed, `"`+r.from+`/`, `"`+r.to+`/`)
	case path.Ext(name) == ".md":
		changed = untilPublished.ReplaceAllString(changed, "")
	}
	if path.Dir(name) != "scripts/modulepath" {
		changed = r.rename(changed)
	}
	if changed != string(text) && path.Ext(name) == ".go" {
		return format.Source([]byte(changed)) // imports are sorted by their paths
	}
	return []byte(changed), nil
}

// rename changes the path of the module and the paths of its packages in text.
// The path of a module that was not published is an ordinary word, so there only
// its packages and its home count.
func (r *renamer) rename(text string) string {
	if r.from != unpublished {
		return replacePath(text, r.from, r.to)
	}
	text = replacePath(text, home, r.to)
	for _, folder := range r.folders {
		text = replacePath(text, unpublished+"/"+folder, r.to+"/"+folder)
	}
	return text
}

// replacePath replaces a path wherever it is not part of a longer name; folders
// below it may follow, and the scheme of an address may come before it.
func replacePath(text, from, to string) string {
	var b strings.Builder
	done := 0
	for {
		i := strings.Index(text[done:], from)
		if i < 0 {
			b.WriteString(text[done:])
			return b.String()
		}
		start, end := done+i, done+i+len(from)
		b.WriteString(text[done:start])
		before, after := text[:start], text[end:]
		if before != "" && inPath(before[len(before)-1]) && !strings.HasSuffix(before, "://") ||
			after != "" && inName(after[0]) {
			b.WriteString(from)
		} else {
			b.WriteString(to)
		}
		done = end
	}
}

// inName reports whether a byte can be part of an element of a path; a dot, which
// also ends sentences and comes before the name of a function, does not count.
func inName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_~-", c) >= 0
}

// inPath reports whether a byte can be part of a path.
func inPath(c byte) bool { return inName(c) || c == '.' || c == '/' }

// rewriteProfile changes the names of functions in a profile, by which the compiler
// finds them, and the names of their files.
func (r *renamer) rewriteProfile(data []byte) ([]byte, error) {
	if r.from == r.to {
		return data, nil
	}
	return profile.Edit(data, r.rename)
}
