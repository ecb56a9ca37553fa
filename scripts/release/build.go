package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// folder returns the name of the folder in the archive.
func (t target) folder(version string) string { return "skein-" + version + "-" + t.name() }

// archive returns the name of the archive's file.
func (t target) archive(version string) string {
	if t.os == "windows" {
		return t.folder(version) + ".zip"
	}
	return t.folder(version) + ".tar.gz"
}

// program returns the name of the engine's file, that of the documents.
func (t target) program() string {
	if t.os == "windows" {
		return "engine.exe"
	}
	return "engine"
}

// buildArchive returns the archive of one platform, whose files have the time
// stamp.
func buildArchive(t target, version string, stamp time.Time) ([]byte, error) {
	temp, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	exe := filepath.Join(temp, t.program())
	cmd := exec.Command("go", "build", "-buildvcs=true", "-pgo=cmd/engine/bench.pgo", "-trimpath",
		"-ldflags", "-s -w -buildid=", "-o", exe, "./cmd/engine")
	// An empty variable would leave what go env -w has set; checkStamp refuses that of GOEXPERIMENT.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath", "GOEXPERIMENT=", "GOARM64=v8.0",
		"GOFIPS140=off", "GOWORK=off", "GOOS="+t.os, "GOARCH="+t.arch)
	if t.level != "" {
		cmd.Env = append(cmd.Env, "GOAMD64="+t.level)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	if err := checkStamp(exe); err != nil {
		return nil, err
	}
	documents, err := git(append([]string{"ls-files", "--"}, packed...)...)
	if err != nil {
		return nil, err
	}
	files, err := readFiles(exe, strings.Fields(documents)...)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	write := writeTar
	if t.os == "windows" {
		write = writeZip
	}
	err = write(&buf, t.folder(version), files, stamp)
	return buf.Bytes(), err
}

// packed are the files and folders of the repository in each archive.
var packed = []string{
	"README.md", "LICENSE", changelog, "ARCHITECTURE.md", "CONTRIBUTING.md", "docs", "nets/README.md",
}

// checkStamp makes sure that the program names its commit, which it does not
// if it was built in a worktree beside the repository, and no experiments.
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
	if e := settings["GOEXPERIMENT"]; e != "" {
		return fmt.Errorf("the engine was built with GOEXPERIMENT=%s, which go env -w has set", e)
	}
	return nil
}
