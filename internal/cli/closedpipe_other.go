//go:build !windows

package cli

import (
	"errors"
	"syscall"
)

// IsClosedPipe reports whether err is that of writing to a pipe which nobody reads any
// more.
func IsClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
