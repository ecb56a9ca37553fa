package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	failure := errors.New("did not work")
	p := &Program{Name: "program", Purpose: "Does things.", Commands: []Command{
		{Name: "echo", Alias: "print", Arguments: "WORD...", Summary: "print words", Define: func(flags *Flags) Run {
			flags.Group("Output")
			shout := flags.BoolP("shout", "s", false, "in capital letters")
			return func(_ context.Context, args []string, stdout, _ io.Writer) error {
				text := strings.Join(args, " ")
				if *shout {
					text = strings.ToUpper(text)
				}
				_, err := fmt.Fprint(stdout, text)
				return err
			}
		}},
		{Name: "fail", Summary: "fail", Define: func(*Flags) Run {
			return func(context.Context, []string, io.Writer, io.Writer) error { return failure }
		}},
		{Name: "secret", Hidden: true, Define: func(*Flags) Run {
			return func(context.Context, []string, io.Writer, io.Writer) error { return nil }
		}},
	}}
	const help = "usage: program COMMAND [FLAG...] [ARGUMENT...]\n\nDoes things.\n\nCommands:\n" +
		"  echo        print words\n  fail        fail\n" +
		"  completion  write a script that makes a shell complete commands and flags\n\n" +
		"program COMMAND --help lists the flags of a command.\n"
	const echoHelp = "usage: program echo [FLAG...] WORD...\n\nPrint words.\n\n" +
		"Output:\n  -s, --shout  in capital letters\n\nHelp:\n  -h, --help   show this help\n"
	for _, test := range []struct {
		args                  []string
		stdout, stderr, error string // "" means none
	}{
		{[]string{"echo", "--shout", "a", "b"}, "A B", "", ""},
		{[]string{"echo", "-shout", "a", "b"}, "A B", "", ""},
		{[]string{"echo", "a", "-s", "b"}, "A B", "", ""},
		{[]string{"print", "a", "-s"}, "A", "", ""},
		{[]string{"secret"}, "", "", ""},
		{[]string{"help"}, help, "", ""},
		{[]string{"--help"}, help, "", ""},
		{[]string{"echo", "-h"}, echoHelp, "", ""},
		{[]string{"echo", "-help"}, echoHelp, "", ""},
		{[]string{"help", "echo"}, echoHelp, "", ""},
		{[]string{"echo", "--loud"}, "", "", "echo: unknown flag --loud"},
		{[]string{"echo", "--shuot"}, "", "", "echo: unknown flag --shuot; did you mean --shout?"},
		{[]string{"fail"}, "", "", "fail: did not work"},
		{[]string{"ecko"}, "", "", `unknown command "ecko"; did you mean echo?; program --help lists them`},
		{[]string{"sekret"}, "", "", `unknown command "sekret"; program --help lists them`},
		{[]string{"completion"}, "", "", "completion: expected one of bash, zsh and fish"},
		{[]string{"completion", "tcsh"}, "", "", `completion: unknown shell "tcsh"`},
		{nil, "", help, "no command given"},
	} {
		var stdout, stderr bytes.Buffer
		err := p.Run(t.Context(), test.args, &stdout, &stderr)
		if stdout.String() != test.stdout {
			t.Errorf("%q prints %q", test.args, &stdout)
		}
		if stderr.String() != test.stderr {
			t.Errorf("%q prints the errors %q", test.args, &stderr)
		}
		if (err != nil) != (test.error != "") || err != nil && !strings.Contains(err.Error(), test.error) {
			t.Errorf("%q: error %v", test.args, err)
		}
	}
}

// TestOutputError checks that a write error is reported, whether the command
// returns it or not.
func TestOutputError(t *testing.T) {
	full := errors.New("no space left")
	r, w := io.Pipe()
	r.CloseWithError(full)
	p := &Program{Name: "program", Commands: []Command{{Name: "print", Define: func(*Flags) Run {
		return func(_ context.Context, _ []string, stdout, _ io.Writer) error {
			fmt.Fprintln(stdout, "text")
			return nil
		}
	}}}}
	if err := p.Run(t.Context(), []string{"print"}, w, io.Discard); !errors.Is(err, full) {
		t.Error(err)
	}
}
