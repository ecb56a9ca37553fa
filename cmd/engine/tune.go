//go:build tune

package main

import (
	"fmt"
	"io"
	"strings"

	"skein/search"
	"skein/uci"
)

// learningRate is the R_end proposed for SPSA tests of OpenBench.
const learningRate = 0.002

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
		Run: func(_ []string, out io.Writer) error {
			_, err := io.WriteString(out, spsaInputs())
			return err
		}}}
}

// spsaInputs returns the text for the form for SPSA tests: a line for each
// parameter. The last one has no line feed, after which OpenBench would expect
// another parameter.
func spsaInputs() string {
	var lines []string
	for _, t := range search.Tunables() {
		lines = append(lines, fmt.Sprintf("%s, int, %d, %d, %d, %g, %g", t.Name, *t.Value, t.Min, t.Max, t.Step,
			learningRate))
	}
	return strings.Join(lines, "\n")
}
