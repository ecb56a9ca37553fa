package skein_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxColumns = 120
	tabColumns = 4
)

// TestLineLength checks that lines have at most maxColumns columns in Go files
// and in the prose of the documents.
func TestLineLength(t *testing.T) {
	for _, name := range sourceFiles(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		reportLongLines(t, name, string(text))
	}
	for _, name := range documents(t) {
		reportLongLines(t, name, proseOf(readDocument(t, name)))
	}
}

// reportLongLines reports the lines of a text that are too long.
func reportLongLines(t *testing.T, name, text string) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if columns := utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t"); columns > maxColumns {
			t.Errorf("%s:%d: %d columns", name, n, columns)
		}
	}
}

// proseOf returns a document with empty lines in place of those that cannot be
// wrapped: rows of tables and code.
func proseOf(text string) string {
	var prose strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		code := strings.HasPrefix(line, "    ")
		if strings.HasPrefix(line, "```") {
			fenced, code = !fenced, true
		}
		if fenced || code || strings.HasPrefix(line, "|") {
			line = "\n"
		}
		prose.WriteString(line)
	}
	return prose.String()
}

// sourceFiles returns all Go files of the module.
func sourceFiles(t *testing.T) []string {
	var files []string
	err := filepath.WalkDir(".", func(name string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && ignored(name):
			return filepath.SkipDir
		case !entry.IsDir() && filepath.Ext(name) == ".go":
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 10 {
		t.Fatalf("only %d Go files found", len(files))
	}
	return files
}

// TestDocComments checks that every package and every exported name has a
// comment; that of a function or type must begin with its name.
func TestDocComments(t *testing.T) {
	packages := map[string]bool{}
	for _, name := range sourceFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.ToSlash(filepath.Dir(name))
		packages[folder] = packages[folder] || file.Doc != nil
		for _, fault := range docFaults(file) {
			t.Errorf("%s: %s", name, fault)
		}
	}
	for folder, documented := range packages {
		if !documented {
			t.Errorf("package %s has no comment", folder)
		}
	}
}

// selfExplaining are methods of well-known interfaces, which need no comment.
var selfExplaining = []string{"Error", "String", "Unwrap"}

// docFaults returns what is wrong with the comments of exported names.
func docFaults(file *ast.File) []string {
	var faults []string
	check := func(name *ast.Ident, doc *ast.CommentGroup, named bool) {
		first, _, _ := strings.Cut(doc.Text(), " ")
		switch {
		case !name.IsExported():
		case first == "":
			faults = append(faults, name.Name+" has no comment")
		case named && first != name.Name:
			faults = append(faults, "the comment of "+name.Name+" does not begin with the name")
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || exportedReceiver(d.Recv.List[0].Type) && !slices.Contains(selfExplaining, d.Name.Name) {
				check(d.Name, d.Doc, true)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					check(s.Name, either(s.Doc, d.Doc), true)
				case *ast.ValueSpec:
					check(s.Names[0], either(s.Doc, either(s.Comment, d.Doc)), false)
				}
			}
		}
	}
	return faults
}

// either returns a, or b if a is nil.
func either(a, b *ast.CommentGroup) *ast.CommentGroup {
	if a != nil {
		return a
	}
	return b
}

// exportedReceiver reports whether the type of a receiver is exported.
func exportedReceiver(expr ast.Expr) bool {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return exportedReceiver(e.X)
	case *ast.IndexExpr:
		return exportedReceiver(e.X)
	case *ast.Ident:
		return e.IsExported()
	}
	return false
}

// TestDocFaults checks which comments TestDocComments rejects.
func TestDocFaults(t *testing.T) {
	for declaration, faults := range map[string]int{
		"// F is a function.\nfunc F() {}":                    0,
		"func F() {}":                                         1,
		"// A function.\nfunc F() {}":                         1,
		"func f() {}":                                         0,
		"// T is a type.\ntype T int\nfunc (t *T) M() {}":     1,
		"type t int\nfunc (t) M() {}":                         0,
		"// E is an error.\ntype E int\nfunc (E) Error() {}":  0,
		"// Sizes.\nconst (\n\tA = 1\n\tB = 2 // not A\n)":    0,
		"const (\n\tA = 1\n\tB = 2 // not A\n)":               1,
		"type (\n\t// T is a type.\n\tT int\n\tU int\n)":      1,
		"// G is a type.\ntype G[P any] int\nfunc (G[P]) M()": 1,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n\n"+declaration, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := docFaults(file); len(got) != faults {
			t.Errorf("%q: faults %q, want %d", declaration, got, faults)
		}
	}
}

// maxFunction is the largest number of lines of a function, but for those listed
// and those of generated files.
const maxFunction = 120

var longFunctions = map[string]int{"alphaBeta": 300}

// TestFunctionLength checks that functions fit a large screen.
func TestFunctionLength(t *testing.T) {
	for _, name := range sourceFiles(t) {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if ast.IsGenerated(file) {
			continue
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			limit := maxFunction
			if n, ok := longFunctions[f.Name.Name]; ok {
				limit = n
			}
			if n := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1; n > limit {
				t.Errorf("%s: %s has %d lines, more than %d", name, f.Name.Name, n, limit)
			}
		}
	}
}
