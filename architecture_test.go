package skein_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowedImports lists for each folder the packages of this module that its code
// outside tests may import; "*" is all of them. Folders below it may import the
// same unless they are listed themselves. ARCHITECTURE.md has the same table.
var allowedImports = map[string][]string{
	"chess":         {},
	"position":      {"chess"},
	"movegen":       {"chess", "position"},
	"rules":         {"chess", "position", "movegen"},
	"notation":      {"chess", "position", "movegen", "rules", "internal/input"},
	"polyglot":      {"chess", "position", "notation", "internal/input"},
	"board":         {"chess", "position"},
	"openings":      {"chess", "position", "notation"},
	"tt":            {"chess", "internal/meminfo", "internal/prefetch"},
	"internal/simd": {},
	"nnue":          {"chess", "position", "internal/hugepages", "internal/simd"},
	"nets":          {"nnue"},
	"syzygy":        {"chess", "position", "movegen"},
	"search": {"chess", "position", "movegen", "tt", "nnue", "syzygy", "internal/hugepages",
		"internal/meminfo", "internal/prefetch"},
	"bench": {"position", "search"},
	"uci": {"chess", "position", "movegen", "notation", "polyglot", "rules", "search", "syzygy",
		"internal/input"},
	"uciclient":       {"chess", "position", "movegen", "rules", "notation", "internal/process"},
	"internal/record": {"chess", "position", "rules", "internal/input"},
	"internal/selfplay": {"chess", "position", "movegen", "rules", "nnue", "search",
		"internal/input", "internal/record"},
	"internal/train": {"chess", "position", "nnue", "rules",
		"internal/atomicfile", "internal/difference", "internal/input", "internal/record", "internal/simd"},
	"internal/review": {"chess", "position", "movegen", "rules", "notation", "openings", "search"},
	"internal/console": {"board", "chess", "position", "movegen", "notation", "search", "syzygy",
		"internal/atomicfile", "internal/cli", "internal/corpora", "internal/input", "internal/meminfo",
		"internal/review", "internal/terminal", "internal/web"},
	"internal/web": {"board", "chess", "position", "movegen", "notation", "openings", "rules", "search", "syzygy",
		"internal/review"},
	"internal/dataset": {"chess", "position", "rules", "notation",
		"internal/atomicfile", "internal/input", "internal/record"},
	"internal/label": {"chess", "position", "movegen", "rules", "nnue", "search", "syzygy",
		"internal/dataset", "internal/record"},
	"internal/curate": {"chess", "position", "rules",
		"internal/atomicfile", "internal/dataset", "internal/plot", "internal/record"},
	"internal/fit": {"chess", "position", "nnue", "search",
		"internal/dataset", "internal/label", "internal/record", "internal/status"},
	"internal/inspect": {"chess", "position", "nnue", "internal/dataset", "internal/record"},
	"internal/spsa": {"nets", "search",
		"internal/atomicfile", "internal/difference", "internal/input", "internal/plot", "internal/selfplay",
		"internal/status"},
	"internal/cli":        {"internal/simd", "internal/terminal"},
	"internal/dataflags":  {"chess", "internal/cli", "internal/record"},
	"internal/invariant":  {},
	"internal/atomicfile": {},
	"internal/corpora":    {"internal/input"},
	"internal/difference": {},
	"internal/input":      {},
	"internal/hugepages":  {},
	"internal/prefetch":   {},
	"internal/meminfo":    {},
	"internal/plot":       {},
	"internal/process":    {"internal/input"},
	"internal/status":     {"internal/terminal"},
	"internal/terminal":   {},
	"internal/ucicheck":   {"chess", "position", "movegen", "rules", "notation", "uciclient"},
	"cmd":                 {"*"},
	"scripts":             {"*"},
}

// importableByAll lists what every package may import.
var importableByAll = []string{"internal/invariant"}

// modules lists the external modules and who may import them.
var modules = map[string][]string{
	"golang.org/x/sys":              {"*"},
	"github.com/klauspost/cpuid/v2": {"*"},
	"github.com/klauspost/compress": {"internal/dataset"},
	"github.com/spf13/pflag":        {"internal/cli", "internal/console", "cmd"},
	"github.com/cheggaaa/pb/v3":     {"internal/status"},
	"golang.org/x/term":             {"internal/terminal"},
}

// TestImports compares the imports of every Go file outside tests with the
// tables.
func TestImports(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name != "." && ignored(name) {
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

// ignored reports whether the go command passes over the folder: because of its
// name, or because it is a module of its own.
func ignored(dir string) bool {
	base := filepath.Base(dir)
	if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" {
		return true
	}
	found, err := filepath.Glob(filepath.Join(dir, "go.mod"))
	return err == nil && len(found) > 0
}

// refusal says why code in dir may not import the package, "" if it may.
func refusal(dir, imported string) string {
	if ours, ok := strings.CutPrefix(imported, "skein/"); ok {
		entry := tableEntry(dir)
		switch {
		case entry == "":
			return "folder " + dir + " is not in the table"
		case tableEntry(ours) == "":
			return "it is not in the table"
		case entry == tableEntry(ours) && entry != "cmd" && entry != "scripts":
			return "" // a package's own sub-packages
		case !allows(allowedImports[entry], ours) && !allows(importableByAll, ours):
			return "the table does not allow it"
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

// tableEntry returns the longest key of allowedImports that dir lies in, "" if
// there is none.
func tableEntry(dir string) string {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, ok := allowedImports[dir]; ok {
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

// within reports whether dir is the folder or lies in it.
func within(dir, folder string) bool { return dir == folder || strings.HasPrefix(dir, folder+"/") }

// TestArchitectureTable compares the table of packages in ARCHITECTURE.md with
// allowedImports, in both directions.
func TestArchitectureTable(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := packageTable(string(text))
	for folder, imports := range documented {
		want, ok := allowedImports[folder]
		if !ok {
			t.Errorf("ARCHITECTURE.md lists %s, architecture_test.go does not", folder)
			continue
		}
		slices.Sort(imports)
		if want := slices.Sorted(slices.Values(want)); !slices.Equal(imports, want) {
			t.Errorf("%s may import %v by ARCHITECTURE.md, %v by architecture_test.go", folder, imports, want)
		}
	}
	for folder := range allowedImports {
		if documented[folder] == nil {
			t.Errorf("ARCHITECTURE.md does not list %s", folder)
		}
	}
}

// packageTable reads the rows "| `folder` | purpose | imports |" of a document.
// The imports are folders separated by commas, "–" for none, or "all", which is
// returned as "*".
func packageTable(text string) map[string][]string {
	table := map[string][]string{}
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 || !strings.HasPrefix(cells[0], " `") {
			continue
		}
		imports := []string{}
		switch last := strings.TrimSpace(cells[2]); last {
		case "–":
		case "all":
			imports = append(imports, "*")
		default:
			imports = strings.Split(last, ", ")
		}
		table[strings.TrimSuffix(strings.Trim(cells[0], " `"), "/")] = imports
	}
	return table
}

// TestRefusal checks which imports TestImports refuses.
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
		{"newpackage", "skein/chess", true},
		{"chess", "skein/newpackage", true},
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
