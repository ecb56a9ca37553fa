package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"skein/internal/record"
)

func TestRun(t *testing.T) {
	failure := errors.New("did not work")
	p := &Program{Name: "program", Usage: "usage: program COMMAND\n", Commands: map[string]Command{
		"echo": func(_ context.Context, args []string, stdout, stderr io.Writer) error {
			flags := NewFlags("program echo", "WORD...", stderr)
			shout := flags.Bool("shout", false, "in capital letters")
			if err := flags.Parse(args); err != nil {
				return err
			}
			text := strings.Join(flags.Args(), " ")
			if *shout {
				text = strings.ToUpper(text)
			}
			_, err := fmt.Fprint(stdout, text)
			return err
		},
		"fail": func(context.Context, []string, io.Writer, io.Writer) error { return failure },
	}}
	for _, test := range []struct {
		args                  []string
		stdout, stderr, error string // "" means none
	}{
		{[]string{"echo", "-shout", "a", "b"}, "A B", "", ""},
		{[]string{"help"}, p.Usage, "", ""},
		{[]string{"echo", "-h"}, "", "usage: program echo [FLAG...] WORD...\n  -shout\n", ""},
		{[]string{"echo", "-loud"}, "", "-loud", "-loud"},
		{[]string{"fail"}, "", "", "did not work"},
		{[]string{"ecko"}, "", p.Usage, `unknown command "ecko"`},
		{nil, "", p.Usage, "no command given"},
	} {
		var stdout, stderr bytes.Buffer
		err := p.Run(t.Context(), test.args, &stdout, &stderr)
		if stdout.String() != test.stdout {
			t.Errorf("%q prints %q", test.args, &stdout)
		}
		if !strings.Contains(stderr.String(), test.stderr) || (test.stderr == "") != (stderr.Len() == 0) {
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
	p := &Program{Name: "program", Commands: map[string]Command{
		"print": func(_ context.Context, _ []string, stdout, _ io.Writer) error {
			fmt.Fprintln(stdout, "text")
			return nil
		},
	}}
	if err := p.Run(t.Context(), []string{"print"}, w, io.Discard); !errors.Is(err, full) {
		t.Error(err)
	}
}

func TestParseMixed(t *testing.T) {
	flags := NewFlags("program", "", io.Discard)
	var names Names
	flags.Var(&names, "data", "files")
	n := flags.Int("n", 0, "number")
	rest, err := ParseMixed(flags, []string{"a", "-data", "x", "b", "-n", "3", "-data", "y"})
	if err != nil || !slices.Equal(rest, []string{"a", "b"}) || names.String() != "x y" || *n != 3 {
		t.Errorf("rest %q, names %q, n %d, error %v", rest, names, *n, err)
	}
	if _, err := ParseMixed(flags, []string{"a", "-n", "many"}); err == nil {
		t.Error("no error about a number")
	}
}

func TestFilterFlags(t *testing.T) {
	f := record.DefaultFilter()
	want := f
	flags := NewFlags("program", "", io.Discard)
	FilterFlags(flags, &f)
	if err := flags.Parse([]string{"-max-score", "77"}); err != nil {
		t.Fatal(err)
	}
	if want.MaxScore = 77; f != want {
		t.Errorf("%+v, want %+v", f, want)
	}
}
