//go:build !windows

package console

import "os"

// understandsEscapes reports whether a terminal understands escape sequences.
func understandsEscapes(*os.File) bool { return true }
