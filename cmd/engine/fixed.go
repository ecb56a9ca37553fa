//go:build !tune

package main

import "skein/uci"

// Only builds with the tag tune can change the parameters of the search.

func tunables() []uci.Tunable { return nil }

func tuneCommands() []uci.Command { return nil }
