// Command release builds the engine for all platforms, as reproducible archives:
// their bytes depend only on the commit and the version of Go:
//
//	go run ./scripts/release [-version V] [-o DIR] [-only SUBSTRING]
//
// Version is that of git describe unless it is given. Each archive holds one
// folder with the engine, the license and the README. SHA256SUMS lists them all.
// The checkout must be clean, because the command compiler of an engine prints
// its commit.
//
// Engines are tested before they are packed, with a UCI session and the bench
// signature: those of this machine's platform natively, others if qemu-user or
// Wine is installed. Those that could not be tested are listed.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// target is a platform. Level is GOAMD64; engines of v1 choose faster kernels
// when they start, but their other code runs everywhere.
type target struct{ os, arch, level string }

var targets = []target{
	{"linux", "amd64", "v1"}, {"linux", "amd64", "v3"}, {"linux", "arm64", ""},
	{"windows", "amd64", "v1"}, {"windows", "amd64", "v3"}, {"windows", "arm64", ""},
	{"darwin", "amd64", "v1"}, {"darwin", "amd64", "v3"}, {"darwin", "arm64", ""},
}

// name returns what the platform is called in names of files.
func (t target) name() string {
	os := map[string]string{"darwin": "macos"}[t.os]
	if os == "" {
		os = t.os
	}
	name := os + "-" + t.arch
	if t.level != "" {
		name += "-" + t.level
	}
	return name
}

func main() {
	version := flag.String("version", "", "version to stamp (default: git describe)")
	dir := flag.String("o", "dist", "folder for the archives")
	only := flag.String("only", "", "build only platforms with this in their names")
	flag.Parse()
	if err := release(*version, *dir, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func release(version, dir, only string) error {
	dirty, err := git("status", "--porcelain")
	if err != nil {
		return err
	}
	if dirty != "" {
		return fmt.Errorf("the checkout is not clean:\n%s", dirty)
	}
	if version == "" {
		if version, err = git("describe", "--tags", "--always"); err != nil {
			return err
		}
	}
	if strings.ContainsAny(version, "/ \t\"'\\") {
		return fmt.Errorf("version %q cannot be part of the name of a file", version)
	}
	stamp, err := git("show", "--no-patch", "--format=%ct", "HEAD")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	smoke, err := newTester(version)
	if err != nil {
		return err
	}
	defer smoke.close()
	var sums bytes.Buffer
	for _, t := range targets {
		if !strings.Contains(t.name(), only) {
			continue
		}
		name, data, err := build(t, version, time.Unix(seconds, 0).UTC(), smoke)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name(), err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
		fmt.Println(name, len(data))
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), sums.Bytes(), 0o644)
}

// git returns what git writes.
func git(args ...string) (string, error) {
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}

// build makes the archive of one platform, of an engine that was tried.
func build(t target, version string, stamp time.Time, smoke *tester) (name string, data []byte, err error) {
	temp, err := os.MkdirTemp("", "release")
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(temp)
	exe := filepath.Join(temp, "skein")
	if t.os == "windows" {
		exe += ".exe"
	}
	cmd := exec.Command("go", "build", "-buildvcs=true", "-pgo=cmd/engine/bench.pgo", "-trimpath", "-ldflags",
		"-s -w -buildid= -X main.version="+version, "-o", exe, "./cmd/engine")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOOS="+t.os, "GOARCH="+t.arch)
	if t.level != "" {
		cmd.Env = append(cmd.Env, "GOAMD64="+t.level)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return "", nil, err
	}
	if err := checkStamp(exe); err != nil {
		return "", nil, err
	}
	if err := smoke.try(t, exe); err != nil {
		return "", nil, err
	}
	files, err := readFiles(exe, "LICENSE", "README.md")
	if err != nil {
		return "", nil, err
	}
	folder := "skein-" + version + "-" + t.name()
	var buf bytes.Buffer
	write, name := writeTar, folder+".tar.gz"
	if t.os == "windows" {
		write, name = writeZip, folder+".zip"
	}
	err = write(&buf, folder, files, stamp)
	return name, buf.Bytes(), err
}

// checkStamp makes sure that the program names its commit, which it does not
// if it was built in a worktree beside the repository.
func checkStamp(exe string) error {
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(exe)
	if err != nil {
		return err
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if settings["vcs.revision"] != commit || settings["vcs.modified"] != "false" {
		return fmt.Errorf("the engine names commit %q (modified: %s) and not %s; releases are built in a clone",
			settings["vcs.revision"], settings["vcs.modified"], commit)
	}
	return nil
}
