// Package meminfo tells how much memory the process can still use. Systems that
// grant more than they have end the process when it uses what they granted, and
// the Go heap ends it when it cannot grow, so callers ask before.
package meminfo

import "fmt"

// unknown is how many bytes are assumed to be available where the system does not
// tell.
const unknown = 4 << 30

// reserveShare is the share of the available memory, 1/reserveShare, that Check
// leaves to the rest of the process and to the system.
const reserveShare = 8

// Check returns an error if size bytes do not fit into the available memory,
// less a reserve of an eighth, after the release of freed bytes. Where the system
// does not tell what is available, 4 GiB are assumed.
func Check(size, freed uint64) error {
	free, limit, ok := available()
	if !ok {
		free, limit = unknown, "on this system"
	}
	return check(size, freed, free, limit)
}

// check is Check with what is available.
func check(size, freed, free uint64, limit string) error {
	usable := free - free/reserveShare
	if size <= usable || size-usable <= freed {
		return nil
	}
	return fmt.Errorf("%d MiB is available %s", (usable+freed)>>20, limit)
}
