package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// completedCommands are commands to complete; one has flags with all that has a
// meaning in a shell.
var completedCommands = []Command{
	{Name: "work", Alias: "labor", Summary: `do the "work": it's [some]`, Define: func(flags *Flags) Run {
		flags.StringP("output", "o", "", "`file` to write: it's [new]")
		flags.Int("nodes", 0, `number of nodes, \ $HOME and "more"`)
		flags.Bool("quiet", false, "print `nothing`")
		flags.String("data", "", "`folder` of data")
		return nil
	}},
	{Name: "wait", Summary: "wait"},
	{Name: "hidden", Hidden: true},
}

// script writes a completion script to a file and returns its name.
func script(t *testing.T, shell string) string {
	t.Helper()
	var s strings.Builder
	if err := writeCompletion(&s, shell, "some-program", completedCommands); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(name, []byte(s.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestBashCompletion asks bash for completions.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS == "windows" { // there bash may be one that knows no Windows paths
		t.Skip("no bash")
	}
	name := script(t, "bash")
	for line, want := range map[string]string{
		"some-program ":                 "work wait",
		"some-program wo":               "work",
		"some-program h":                "",
		"some-program work -":           "--output --nodes --quiet --data --help",
		"some-program work --o":         "--output",
		"some-program work --quiet --n": "--nodes",
		"some-program work --nodes -":   "", // a value
		"some-program work -o -":        "",
		"some-program work --data ":     "",
		"some-program work ":            "",
		"some-program wait --":          "",
		"some-program labor --o":        "--output",
	} {
		words := strings.Split(line, " ")
		command := exec.Command(bash, "--norc", "-c", `
			source "$1" || exit
			complete -p some-program >/dev/null || exit
			shift
			COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
			_some-program
			echo "${COMPREPLY[@]}"`, "bash", name)
		command.Args = append(command.Args, words...)
		out, err := command.CombinedOutput()
		if got := strings.TrimSuffix(string(out), "\n"); err != nil || got != want {
			t.Errorf("%q: %q, want %q (%v)", line, got, want, err)
		}
	}
}

// TestCalledAs expects the name of the executable if a script can have it.
func TestCalledAs(t *testing.T) {
	defer func(path string) { os.Args[0] = path }(os.Args[0])
	for path, want := range map[string]string{
		"/usr/bin/skein": "skein", "./engine-1.0.exe": "engine-1.0", "/opt/my engine": "engine", "-x": "engine",
		"": "engine",
	} {
		if os.Args[0] = path; calledAs("engine") != want {
			t.Errorf("%q: %q, want %q", path, calledAs("engine"), want)
		}
	}
}

// TestCompletionSyntax lets other shells read their scripts, where they exist.
func TestCompletionSyntax(t *testing.T) {
	for _, shell := range []string{"zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skip("no " + shell)
			}
			if out, err := exec.Command(path, "-n", script(t, shell)).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestCompletionScripts checks what the scripts say about flags that take files,
// other values, and none.
func TestCompletionScripts(t *testing.T) {
	for shell, want := range map[string][]string{
		"zsh": {
			`'work:do the "work"\: it'\''s [some]'`, `'*-o[file to write\: it'\''s \[new\]]:file:_files'`,
			`'*--nodes[number of nodes, \\ $HOME and "more"]:int: '`, `'*--quiet[print nothing]'`,
			"work|labor)", "compdef _some-program",
		},
		"fish": {
			`__fish_seen_subcommand_from work labor'`,
			`-a work -d 'do the "work": it\'s [some]'`, `-l output -s o -r -F -d 'file to write: it\'s [new]'`,
			`-l nodes -x -d 'number of nodes, \\ $HOME and "more"'`, `-l quiet -d 'print nothing'`,
		},
	} {
		text, err := os.ReadFile(script(t, shell))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s: no %s in\n%s", shell, part, text)
			}
		}
		if strings.Contains(string(text), "hidden") {
			t.Errorf("%s: names a hidden command", shell)
		}
	}
}
