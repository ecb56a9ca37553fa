package main

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isClosedPipe reports whether err is that of writing to a pipe which nobody reads any
// more.
func isClosedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
