//go:build unix

package console

import (
	"os/exec"
	"syscall"
)

// detach keeps the signals of the terminal, such as an interrupt, from a program.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
