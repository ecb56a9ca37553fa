package cli

import (
	"slices"
	"strings"
	"testing"
)

// example returns flags of several kinds.
func example() *Flags {
	flags := NewFlags("program example")
	flags.StringP("output", "o", "", "`file` to write")
	flags.Group("Numbers")
	flags.Int("nodes", 100, "number of `nodes`")
	flags.Float64("least", 0, "a minimum")
	flags.Group("Others")
	flags.Bool("quiet", false, "print nothing")
	flags.StringArray("data", nil, "`folder` of data; may be repeated")
	return flags
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		args, want string // the latter: changed flags in the order of definition, then the other arguments
	}{
		{"", ""},
		{"--nodes 5 a", "nodes=5 a"},
		{"-nodes 5 a", "nodes=5 a"},
		{"-nodes=5 a", "nodes=5 a"},
		{"a --quiet b -nodes=7", "nodes=7 quiet=true a b"},
		{"-o x", "output=x"},
		{"--o x", "output=x"},
		{"-o=x", "output=x"},
		{"--output=x", "output=x"},
		{"-o -nodes -nodes 3", "output=-nodes nodes=3"},
		{"--output -- -nodes 3", "output=-- nodes=3"},
		{"-least -5 -quiet=false -", "least=-5 quiet=false -"},
		{"-nodes 5 -- -nodes 6 --", "nodes=5 -nodes 6 --"},
		{"--nodes 010", "nodes=10"},
		{"--nodes=08", "nodes=8"},
		{"--nodes -007", "nodes=-7"},
		{"--nodes 00", "nodes=0"},
		{"--nodes 0x10", "nodes=16"},
		{"-data x --data y,z", "data=[x,\"y,z\"]"},
	} {
		flags := example()
		if err := flags.Parse(strings.Fields(test.args)); err != nil {
			t.Errorf("%s: %v", test.args, err)
			continue
		}
		var got []string
		for _, f := range flags.all() {
			if f.Changed {
				got = append(got, f.Name+"="+f.Value.String())
			}
		}
		if got = append(got, flags.Args()...); strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %s", test.args, got, test.want)
		}
	}
	flags := example()
	if err := flags.Parse([]string{"", "-o", "", ""}); err != nil || !slices.Equal(flags.Args(), []string{"", ""}) {
		t.Errorf("empty arguments: %q, %v", flags.Args(), err)
	}
}

func TestParseErrors(t *testing.T) {
	for args, want := range map[string]string{
		"--nodse 3":    "unknown flag --nodse; did you mean --nodes?",
		"-nodse 3":     "unknown flag --nodse; did you mean --nodes?",
		"-ofile":       "unknown flag --ofile",
		"-x":           "unknown flag -x",
		"--nodes many": `--nodes: invalid value "many": `,
		"--nodes 0x":   `--nodes: invalid value "0x": `,
		"-quiet=maybe": `--quiet: invalid value "maybe": `,
		"--nodes":      "flag needs an argument: --nodes",
		"-o":           "flag needs an argument: 'o' in -o",
	} {
		if err := example().Parse(strings.Fields(args)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

func TestSet(t *testing.T) {
	flags := example()
	if err := flags.Set("nodes", "7"); err != nil || !flags.Changed("nodes") ||
		flags.Find("o") != flags.Lookup("output") || flags.Find("nodes") != flags.Lookup("nodes") ||
		flags.Find("x") != nil || flags.Find("") != nil {
		t.Error("flags are not found", err)
	}
	if err := flags.Set("node", "7"); err == nil || err.Error() != "unknown flag --node; did you mean --nodes?" {
		t.Error(err)
	}
}

// TestHelp wraps the help in the width of the terminal.
func TestHelp(t *testing.T) {
	for columns, want := range map[int]string{
		80: `Flags:
  -o, --output file  file to write

Numbers:
      --nodes nodes  number of nodes (default 100)
      --least float  a minimum

Others:
      --quiet        print nothing
      --data folder  folder of data; may be repeated

Help:
  -h, --help         show this help
`,
		40: `Flags:
  -o, --output file
        file to write

Numbers:
      --nodes nodes
        number of nodes (default 100)
      --least float
        a minimum

Others:
      --quiet
        print nothing
      --data folder
        folder of data; may be repeated

Help:
  -h, --help
        show this help
`,
		51: `Flags:
  -o, --output file  file to write

Numbers:
      --nodes nodes  number of nodes (default 100)
      --least float  a minimum

Others:
      --quiet        print nothing
      --data folder  folder of data; may be
                     repeated

Help:
  -h, --help         show this help
`,
	} {
		var s strings.Builder
		if example().write(&s, columns); s.String() != want {
			t.Errorf("in %d columns:\n%s", columns, &s)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"shuffle", "stats", "split", "play"}
	for word, want := range map[string]string{
		"shufle": "shuffle", "stat": "stats", "paly": "play", "xyz": "", "": "", "played": "play", "completely": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestNaturalVar(t *testing.T) {
	n := 3
	flags := NewFlags("program")
	NaturalVar(flags, &n, "number", "")
	for text, want := range map[string]string{"0": "", "12": "", "-1": "it is negative", "x": "invalid syntax"} {
		err := flags.Parse([]string{"--number", text})
		if (err == nil) != (want == "") || err != nil && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("--number %s: %v, want %q", text, err, want)
		}
	}
}
