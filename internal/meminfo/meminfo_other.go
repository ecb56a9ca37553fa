//go:build !linux && !darwin && !dragonfly && !freebsd

package meminfo

func available() (free uint64, limit string, ok bool) { return 0, "", false }
