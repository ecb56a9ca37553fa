package main

import (
	"cmp"
	"fmt"

	"skein/internal/atomicfile"
)

// checkOutput returns an error if the output is the same file as one of the inputs,
// by whatever name. The name "" means no file.
func checkOutput(output string, inputs ...string) error {
	for _, input := range inputs {
		if output != "" && input != "" && atomicfile.Same(output, input) {
			return fmt.Errorf("output %s is also an input (%s)", output, input)
		}
	}
	return nil
}

// checkNew is checkOutput for an output that must not exist, before the time for its
// content is spent.
func checkNew(output string, inputs ...string) error {
	if output == "" {
		return nil
	}
	return cmp.Or(checkOutput(output, inputs...), atomicfile.CheckNew(output))
}
