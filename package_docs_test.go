package skein_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// code matches an indented line of a package comment.
var code = regexp.MustCompile(`(?m)^\t`)

// TestPackageComments checks that every package that others can import has a comment
// with its purpose and a few lines of code, and an example that is tested.
func TestPackageComments(t *testing.T) {
	packages := 0
	for folder := range allowedImports {
		if strings.Contains(folder, "/") || folder == "cmd" || folder == "scripts" {
			continue
		}
		packages++
		files, err := filepath.Glob(folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		comment, examples := "", 0
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, "_test.go") {
				examples += countExamples(file)
			} else {
				comment += file.Doc.Text()
			}
		}
		if !strings.HasPrefix(comment, "Package "+folder+" ") || !code.MatchString(comment) {
			t.Errorf("the comment of package %s has no purpose or no code:\n%s", folder, comment)
		}
		if examples == 0 {
			t.Errorf("package %s has no example with output", folder)
		}
	}
	if packages < 15 {
		t.Errorf("only %d packages", packages)
	}
}

// countExamples returns the number of examples in a file whose output is tested.
func countExamples(file *ast.File) int {
	n := 0
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(f.Name.Name, "Example") {
			continue
		}
		for _, c := range file.Comments {
			if c.Pos() > f.Body.Pos() && c.End() < f.Body.End() && strings.HasPrefix(c.Text(), "Output:") {
				n++
			}
		}
	}
	return n
}
