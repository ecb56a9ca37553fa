package cli

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// IsClosedPipe reports whether err is that of writing to a pipe which nobody reads any
// more.
func IsClosedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) ||
		errors.Is(err, syscall.EPIPE)
}
