//go:build !unix && !windows

package console

import "os"

// terminalSize knows no terminal here.
func terminalSize(*os.File) (width, height int, ok bool) { return 0, 0, false }
