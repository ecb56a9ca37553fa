//go:build !linux && !darwin && !dragonfly && !freebsd && !windows

package meminfo

// available is not ok: these systems do not tell.
func available() (free uint64, limit string, ok bool) { return 0, "", false }
