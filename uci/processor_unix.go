//go:build unix

package uci

import (
	"syscall"
	"time"
)

// processorTime returns the time this process has spent on processors so far.
func processorTime() (used time.Duration, ok bool) {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}
