package search

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// layers lists the files of this package from the lowest layer to the highest.
// A file may use those of its own and of lower layers.
var layers = [][]string{
	{"score", "limits", "strength", "end", "params_const", "params_tune", "tunables", "formulas"},
	{"timing"},
	{"shared"},
	{"worker", "alphabeta", "quiescence", "picker", "history", "correction", "probe", "rootmoves", "noteline",
		"variation", "invariants", "oversight", "technique", "thought"},
	{"vote", "limited", "deliberate", "pace", "tablebase", "report", "refutation", "currline", "iterate", "run"},
	{"engine", "memory"},
}

// TestLayers checks that no file uses a declaration of a higher layer.
func TestLayers(t *testing.T) {
	layer := map[string]int{}
	for i, names := range layers {
		for _, name := range names {
			layer[name+".go"] = i
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, entry := range entries {
		name := entry.Name()
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if _, ok := layer[name]; !ok {
			t.Errorf("%s is in no layer", name)
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	// Only declarations of this package matter, so nothing is imported and type
	// errors are ignored.
	config := types.Config{Error: func(error) {}}
	pkg, _ := config.Check("search", fset, files, info)
	home := func(pos token.Pos) string { return fset.Position(pos).Filename }
	uses := 0
	for ident, object := range info.Uses {
		if object.Pkg() != pkg {
			continue
		}
		user, used := home(ident.Pos()), home(object.Pos())
		if user != used {
			uses++
		}
		if layer[used] > layer[user] {
			t.Errorf("%v: %s is declared in %s, a layer above", fset.Position(ident.Pos()), ident.Name, used)
		}
	}
	if uses < 300 {
		t.Errorf("found only %d uses between files", uses)
	}
}
