package skein_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestFlags compares the flags that the documents name with those in the help
// of the commands.
func TestFlags(t *testing.T) {
	help := newCommandHelp(t)
	t.Run("command lines", func(t *testing.T) { testCommandLines(t, help) })
	t.Run("names", func(t *testing.T) { testFlagNames(t, help) })
	t.Run("tune train", func(t *testing.T) { testTrainFlags(t, help) })
}

// testCommandLines checks the flags of the command lines in the documents.
// nets/README.md is left out: its commands are those of the versions that the
// networks were made with.
func testCommandLines(t *testing.T, help *commandHelp) {
	found := 0
	for _, name := range documents(t) {
		if name == "nets/README.md" {
			continue
		}
		for _, c := range commandLines(readDocument(t, name)) {
			known := help.flags(t, c.program, c.command)
			for _, f := range c.flags {
				found++
				if !slices.Contains(known, f) {
					t.Errorf("%s: %s %s has no flag %s", name, c.program, c.command, f)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no flags found")
	}
}

// testFlagNames checks that every flag that the documents about our programs
// name alone, as in `--seed`, is one of some command.
func testFlagNames(t *testing.T, help *commandHelp) {
	known := []string{"-tags", "-mini"} // of the go command and of scripts/pipeline/run
	for program, commands := range flagCommands {
		for _, command := range commands {
			known = append(known, help.flags(t, program, command)...)
		}
	}
	for _, name := range []string{"README.md", "docs/data-format.md", "docs/training.md", "docs/tune.md"} {
		for _, m := range codeSpan.FindAllStringSubmatch(readDocument(t, name), -1) {
			word, _, _ := strings.Cut(m[1], " ")
			if flagWord.MatchString(word) && !slices.Contains(known, word) {
				t.Errorf("%s: no command has a flag %s", name, word)
			}
		}
	}
}

// testTrainFlags compares the section about flags in docs/training.md with the
// flags of tune train, in both directions.
func testTrainFlags(t *testing.T, help *commandHelp) {
	_, section, ok := strings.Cut(readDocument(t, "docs/training.md"), "\n## Flags\n")
	if !ok {
		t.Fatal("docs/training.md has no section Flags")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	documented := []string{"-h", "--help", "--output"} // the last is -o
	for _, m := range regexp.MustCompile("`(--?[a-z-]+)[ `]").FindAllStringSubmatch(section, -1) {
		documented = append(documented, m[1])
	}
	known := help.flags(t, "tune", "train")
	for _, f := range documented {
		if !slices.Contains(known, f) {
			t.Errorf("docs/training.md describes %s, which tune train does not have", f)
		}
	}
	for _, f := range known {
		if !slices.Contains(documented, f) {
			t.Errorf("docs/training.md does not describe %s of tune train", f)
		}
	}
}

// commandLine is a call of one of our programs with a command that has flags.
type commandLine struct {
	program, command string
	flags            []string // with dashes
}

var (
	programCall = regexp.MustCompile(
		"(?:^|[\\s`/])(engine|datagen|tune) ([a-z]+)((?:\\s+[^\\s`|]+)*)")
	flagWord = regexp.MustCompile(`^--?[a-z][a-z0-9-]*$`)
)

// flagCommands are the commands with flags, by program.
var flagCommands = map[string][]string{
	"engine": {"analyse", "epd", "perft", "serve"},
	"datagen": {
		"play", "verify", "stats", "recover", "merge", "split",
		"filter", "convert", "label", "rescore", "shuffle",
	},
	"tune": {
		"seed", "train", "match", "eval", "wdl", "normalise",
		"average", "widen", "narrow", "inspect", "spsa", "screen",
	},
}

// commandLines returns the calls of our programs in the code of a document: in
// backquotes, in fences, and in indented lines.
func commandLines(text string) []commandLine {
	var lines []commandLine
	for _, code := range codeOf(strings.ReplaceAll(text, "\\\n", " ")) {
		for _, m := range programCall.FindAllStringSubmatch(code, -1) {
			if !slices.Contains(flagCommands[m[1]], m[2]) {
				continue
			}
			c := commandLine{program: m[1], command: m[2]}
			for word := range strings.FieldsSeq(m[3]) {
				if strings.HasPrefix(word, "#") || word == ">" {
					break
				}
				if flagWord.MatchString(word) {
					c.flags = append(c.flags, word)
				}
			}
			lines = append(lines, c)
		}
	}
	return lines
}

// codeOf returns the lines of code of a document and its spans in backquotes.
func codeOf(text string) []string {
	var code []string
	fenced := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
		case fenced || strings.HasPrefix(line, "    "):
			code = append(code, strings.TrimSpace(line))
		default:
			for _, m := range codeSpan.FindAllStringSubmatch(line, -1) {
				code = append(code, m[1])
			}
		}
	}
	return code
}

// commandHelp runs our programs for their help.
type commandHelp struct {
	folder string // of the programs
	known  map[string][]string
}

func newCommandHelp(t *testing.T) *commandHelp {
	h := &commandHelp{folder: t.TempDir(), known: map[string][]string{}}
	build := exec.Command("go", "build", "-o", h.folder+string(filepath.Separator), "./cmd/...")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, out)
	}
	return h
}

// flags returns the flags in the help of a command, with dashes.
func (h *commandHelp) flags(t *testing.T, program, command string) []string {
	key := program + " " + command
	if known, ok := h.known[key]; ok {
		return known
	}
	path := filepath.Join(h.folder, program)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	out, err := exec.Command(path, command, "--help").Output()
	if err != nil {
		t.Fatalf("%s %s --help: %v\n%s", program, command, err, out)
	}
	var known []string
	line := regexp.MustCompile(`(?m)^  (-.)?(?:, |    )(--[a-z0-9-]+)`)
	for _, m := range line.FindAllStringSubmatch(string(out), -1) {
		if known = append(known, m[2]); m[1] != "" {
			known = append(known, m[1])
		}
	}
	if len(known) == 0 {
		t.Fatalf("%s %s --help lists no flags:\n%s", program, command, out)
	}
	h.known[key] = known
	return known
}
