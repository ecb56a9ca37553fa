//go:build tune

package main

import (
	"io"
	"strings"

	"skein/internal/spsa"
	"skein/search"
	"skein/uci"
)

// tunables returns the parameters of the search as options.
func tunables() (list []uci.Tunable) {
	for _, t := range search.Tunables() {
		list = append(list, uci.Tunable{Name: t.Name, Value: *t.Value, Min: t.Min, Max: t.Max, Set: func(v int) {
			*t.Value = v
			search.Retune()
		}})
	}
	return list
}

// tuneCommands returns the commands of an engine for tuning.
func tuneCommands() []uci.Command {
	return []uci.Command{{Name: "spsa",
		Help: "write the parameters of the search as OpenBench reads them for an SPSA test",
		Run:  writeSPSAInputs}}
}

// writeSPSAInputs writes the text for the form for SPSA tests: a line for each
// parameter. The last one has no line feed, after which OpenBench would expect
// another parameter.
func writeSPSAInputs(_ []string, out io.Writer) error {
	list, err := spsa.Tunables()
	if err != nil {
		return err
	}
	var lines []string
	for i := range list {
		lines = append(lines, list[i].String())
	}
	_, err = io.WriteString(out, strings.Join(lines, "\n"))
	return err
}
