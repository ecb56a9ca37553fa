//go:build !unix

package console

import "os/exec"

// detach does nothing: on Windows an interrupt reaches only programs of the same console,
// and what opens a page has none.
func detach(*exec.Cmd) {}
