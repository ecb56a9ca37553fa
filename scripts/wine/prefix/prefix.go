// Package prefix prepares Wine to run Go programs for 64-bit Windows.
package prefix

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// New creates a Wine prefix in the folder dir, and returns what to add to the
// environment of programs that use it. The prefix has the library that Go programs
// load and Wine up to version 8 lacks, and its server runs until End, so that no program
// starts one that keeps the program's output open. The error is about Wine, or the folder.
func New(dir string) (env []string, err error) {
	env = []string{"WINEPREFIX=" + dir, "WINEDEBUG=-all", "WINEDLLOVERRIDES=winemenubuilder.exe,mscoree,mshtml="}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for _, command := range [][]string{{"wineserver", "--persistent"}, {"wineboot", "--init"}} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env = append(os.Environ(), env...)
		if err := cmd.Run(); err != nil {
			End(env)
			return nil, fmt.Errorf("%q: %w", command, err)
		}
	}
	const library = "bcryptprimitives.dll"
	path := filepath.Join(dir, "drive_c", "windows", "system32", library)
	if _, err := os.Stat(path); err == nil {
		return env, nil
	}
	dll, err := forwarder(library, "ProcessPrng", "advapi32.SystemFunction036") // RtlGenRandom
	if err == nil {
		err = os.WriteFile(path, dll, 0o644)
	}
	if err != nil {
		End(env)
		return nil, err
	}
	return env, nil
}

// End ends the processes of the prefix with the environment env, so that its folder
// can be removed.
func End(env []string) {
	for _, flag := range []string{"--kill", "--wait"} {
		cmd := exec.Command("wineserver", flag)
		cmd.Env = append(os.Environ(), env...)
		cmd.Run() // fails if none runs
	}
}
