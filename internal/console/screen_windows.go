package console

import (
	"os"

	"golang.org/x/sys/windows"
)

// understandsEscapes reports whether a console understands escape sequences, after
// asking it to.
func understandsEscapes(f *os.File) bool {
	handle := windows.Handle(f.Fd())
	var mode uint32
	return windows.GetConsoleMode(handle, &mode) == nil &&
		windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
