package main

import (
	"fmt"
	"os"

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

// regularSize returns the size of a file in bytes. It is an error if it is not a
// regular file.
func regularSize(name string) (int64, error) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s: not a regular file", name)
	}
	return info.Size(), nil
}
