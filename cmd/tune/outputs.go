package main

import (
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
