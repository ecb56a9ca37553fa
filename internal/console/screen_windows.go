package console

import (
	"os"

	"golang.org/x/sys/windows"
)

// terminalSize returns the size of the console that f is, if it is one that
// understands escape sequences.
func terminalSize(f *os.File) (width, height int, ok bool) {
	handle := windows.Handle(f.Fd())
	var mode uint32
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleMode(handle, &mode) != nil ||
		windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil ||
		windows.GetConsoleScreenBufferInfo(handle, &info) != nil {
		return 0, 0, false
	}
	return int(info.Window.Right-info.Window.Left) + 1, int(info.Window.Bottom-info.Window.Top) + 1, true
}
