package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/pflag"
)

const (
	completionName    = "completion"
	completionSummary = "write a script that makes a shell complete commands and flags"
)

// CompletionCommand returns the command that writes completion scripts for the
// program and the commands that list returns.
func CompletionCommand(program string, list func() []Command) Command {
	return Command{
		Name: completionName, Arguments: "bash|zsh|fish", Summary: completionSummary,
		Help: "Writes a script that makes a shell complete the commands and flags of this program under the name by " +
			"which it was called. Load it in the startup file of the shell: eval \"$(" + program +
			" completion bash)\" in ~/.bashrc, source <(" + program + " completion zsh) in ~/.zshrc after compinit, " +
			"or " + program + " completion fish | source in ~/.config/fish/config.fish.",
		Define: func(*Flags) Run {
			return func(_ context.Context, args []string, stdout, _ io.Writer) error {
				if len(args) != 1 {
					return errors.New("expected one of bash, zsh and fish")
				}
				return writeCompletion(stdout, args[0], calledAs(program), list())
			}
		},
	}
}

// calledAs returns the name by which the program was called, if it can be part of a
// script, otherwise its own.
func calledAs(program string) string {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(name) {
		return name
	}
	return program
}

// completion is what a script says about a command.
type completion struct {
	name, alias, summary string
	flags                []completedFlag
}

// spellings returns the names of the command, separated by separator.
func (c *completion) spellings(separator string) string {
	if c.alias == "" {
		return c.name
	}
	return c.name + separator + c.alias
}

// completedFlag is what a script says about a flag.
type completedFlag struct {
	name, letter string // without dashes; the letter may be empty
	usage        string
	value        string // what the value is; "" if there is none
}

// spellings returns the flag as it is typed.
func (f *completedFlag) spellings() []string {
	if f.letter == "" {
		return []string{"--" + f.name}
	}
	return []string{"--" + f.name, "-" + f.letter}
}

// isPath reports whether the value is the name of a file or a folder.
func (f *completedFlag) isPath() bool {
	return strings.HasPrefix(f.value, "file") || strings.HasPrefix(f.value, "folder")
}

// writeCompletion writes the script for a shell and a program called by that name.
func writeCompletion(w io.Writer, shell, name string, commands []Command) error {
	write, ok := map[string]func(*strings.Builder, string, []completion){
		"bash": writeBash, "zsh": writeZsh, "fish": writeFish,
	}[shell]
	if !ok {
		return fmt.Errorf("unknown shell %q; expected bash, zsh or fish", shell)
	}
	var list []completion
	for i := range commands {
		if c := &commands[i]; !c.Hidden {
			list = append(list, c.completion())
		}
	}
	var s strings.Builder
	write(&s, name, list)
	_, err := io.WriteString(w, s.String())
	return err
}

// completion returns what a script says about the command.
func (c *Command) completion() completion {
	list := completion{name: c.Name, alias: c.Alias, summary: c.Summary}
	if c.Define == nil {
		return list
	}
	flags := NewFlags(c.Name)
	c.Define(flags)
	for _, flag := range flags.all() {
		value, usage := pflag.UnquoteUsage(flag)
		if flag.NoOptDefVal != "" {
			value = ""
		}
		list.flags = append(list.flags, completedFlag{flag.Name, flag.Shorthand, usage, strings.ToLower(value)})
	}
	list.flags = append(list.flags, completedFlag{name: "help", letter: "h", usage: "show the flags"})
	return list
}
