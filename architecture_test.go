package skein_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// rooms says for each folder which of our packages its code, tests aside, may
// import; the folders below it have the same rights unless they are listed
// themselves. Whoever wants a new arrow draws it here and in ARCHITECTURE.md.
var rooms = map[string][]string{
	"chess":             {},
	"position":          {"chess"},
	"movegen":           {"chess", "position"},
	"rules":             {"chess", "position", "movegen"},
	"notation":          {"chess", "position", "movegen", "rules"},
	"polyglot":          {"chess", "position", "notation"},
	"tt":                {"chess"},
	"internal/simd":     {},
	"nnue":              {"chess", "position", "internal/simd"},
	"nets":              {"nnue"},
	"syzygy":            {"chess", "position", "movegen"},
	"search":            {"chess", "position", "movegen", "tt", "nnue", "syzygy"},
	"bench":             {"position", "search"},
	"uci":               {"chess", "position", "movegen", "notation", "polyglot", "rules", "search", "syzygy"},
	"internal/record":   {"chess", "position", "rules"},
	"internal/selfplay": {"chess", "position", "movegen", "rules", "nnue", "search", "internal/record"},
	"internal/train":    {"chess", "nnue", "rules", "internal/atomicfile", "internal/record", "internal/simd"},
	"internal/console":  {"chess", "position", "movegen", "notation", "search", "syzygy", "internal/corpora"},
	"internal/dataset":  {"chess", "position", "rules", "notation", "internal/atomicfile", "internal/record"},
	"internal/label": {"chess", "position", "movegen", "rules", "nnue", "search", "syzygy",
		"internal/dataset", "internal/record", "internal/selfplay"},
	"internal/curate": {"chess", "position", "rules",
		"internal/atomicfile", "internal/dataset", "internal/plot", "internal/record"},
	"internal/fit":     {"chess", "position", "nnue", "search", "internal/dataset", "internal/record", "internal/status"},
	"internal/inspect": {"chess", "position", "nnue", "internal/dataset", "internal/record"},
	"internal/spsa": {"nets", "search",
		"internal/atomicfile", "internal/plot", "internal/selfplay", "internal/status"},
	// Command lines of the tools.
	"internal/cli": {"internal/record", "internal/simd"},
	// Any room may switch on checks.
	"internal/invariant": {},
	// Files that appear whole or not at all.
	"internal/atomicfile": {},
	// Text for tests.
	"internal/corpora": {},
	// Pictures of numbers.
	"internal/plot": {},
	// Reports of long runs.
	"internal/status": {},
	"cmd":             {"*"},
	"scripts":         {"*"},
}

// fromAnywhere lists what every room may import.
var fromAnywhere = []string{"internal/invariant"}

// modules lists the external modules and who may import them.
var modules = map[string][]string{
	"golang.org/x/sys":              {"*"},
	"github.com/klauspost/cpuid/v2": {"*"},
	"github.com/klauspost/compress": {"internal/dataset"},
}

// TestImports parses the imports of every Go file outside tests and compares
// them with the tables.
func TestImports(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if base := entry.Name(); name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || nested(name)) {
				return filepath.SkipDir
			}
			return nil
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if reason := refusal(dir, imported); reason != "" {
				t.Errorf("%s imports %q: %s", filepath.ToSlash(name), imported, reason)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Errorf("only %d files found", files)
	}
}

// nested reports whether the folder is a module of its own.
func nested(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, "go.mod"))
	return err == nil && len(found) > 0
}

// refusal says why code in dir may not import the package, "" if it may.
func refusal(dir, imported string) string {
	if ours, ok := strings.CutPrefix(imported, "skein/"); ok {
		home := room(dir)
		switch {
		case home == "":
			return "folder " + dir + " is in no room"
		case room(ours) == "":
			return "it is in no room"
		case home == room(ours) && home != "cmd" && home != "scripts":
			return "" // a room's own sub-packages
		case !allows(rooms[home], ours) && !allows(fromAnywhere, ours):
			return "the table of rooms has no such arrow"
		}
		return ""
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return "" // the standard library
	}
	for module, users := range modules {
		if within(imported, module) {
			if allows(users, dir) {
				return ""
			}
			return "only " + strings.Join(users, ", ") + " may"
		}
	}
	return "the module is not in the table"
}

// room returns the longest entry of rooms that holds dir.
func room(dir string) string {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, ok := rooms[dir]; ok {
			return dir
		}
	}
	return ""
}

// allows reports whether dir lies in one of the folders; "*" holds all.
func allows(folders []string, dir string) bool {
	for _, f := range folders {
		if f == "*" || within(dir, f) {
			return true
		}
	}
	return false
}

func within(dir, folder string) bool { return dir == folder || strings.HasPrefix(dir, folder+"/") }

// TestRefusal keeps the test above able to fail.
func TestRefusal(t *testing.T) {
	for _, test := range []struct {
		dir, imported string
		refused       bool
	}{
		{"position", "skein/chess", false},
		{"chess", "skein/position", true},
		{"position", "skein/nnue", true},
		{"search", "skein/uci", true},
		{"uci", "skein/search", false},
		{"search", "skein/internal/invariant", false},
		{"nnue/gen", "skein/internal/simd", false},
		{"nnue/gen", "skein/search", true},
		{"cmd/engine", "skein/uci", false},
		{"scripts/pgo", "skein/movegen", false},
		{"chess", "skein/scripts/pgo", true},
		{"newroom", "skein/chess", true},
		{"chess", "skein/newroom", true},
		{"search", "math/bits", false},
		{"internal/simd", "github.com/klauspost/cpuid/v2", false},
		{"tt", "golang.org/x/sys/unix", false},
		{"internal/dataset", "github.com/klauspost/compress/zstd", false},
		{"search", "github.com/klauspost/compress/zstd", true},
		{"search", "github.com/klauspost/cpuidx", true},
		{"search", "example.org/other", true},
	} {
		if got := refusal(test.dir, test.imported); (got != "") != test.refused {
			t.Errorf("%s imports %s: %q", test.dir, test.imported, got)
		}
	}
}
