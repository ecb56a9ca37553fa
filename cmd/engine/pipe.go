//go:build !js

package main

import (
	"os/signal"
	"syscall"
)

// ignoreClosedPipes makes a closed pipe end the engine quietly, as a failed write.
func ignoreClosedPipes() { signal.Ignore(syscall.SIGPIPE) }
