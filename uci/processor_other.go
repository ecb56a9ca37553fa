//go:build !unix && !windows

package uci

import "time"

// processorTime would return the time this process has spent on processors.
func processorTime() (used time.Duration, ok bool) { return 0, false }
