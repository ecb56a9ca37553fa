//go:build !windows

package main

import (
	"errors"
	"syscall"
)

// isClosedPipe reports whether err is that of writing to a pipe which nobody reads any
// more.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
