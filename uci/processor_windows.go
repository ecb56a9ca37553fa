package uci

import (
	"syscall"
	"time"
)

// processorTime returns the time this process has spent on processors so far.
func processorTime() (used time.Duration, ok bool) {
	var created, exited, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(self, &created, &exited, &kernel, &user) != nil {
		return 0, false
	}
	return span(kernel) + span(user), true
}

// span reads a length of time, which Windows counts in units of 100 ns.
func span(t syscall.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
}
