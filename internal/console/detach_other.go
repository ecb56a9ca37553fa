//go:build !unix

package console

import "os/exec"

// detach does nothing: an interrupt is not known to reach programs that are started.
func detach(*exec.Cmd) {}
