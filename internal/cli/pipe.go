//go:build !js

package cli

import (
	"os/signal"
	"syscall"
)

// IgnoreClosedPipes makes a closed pipe a failed write instead of the end of the
// process, which could lose what it has yet to save.
func IgnoreClosedPipes() { signal.Ignore(syscall.SIGPIPE) }
