// Command release builds the engine for all platforms, as reproducible archives:
// their bytes depend only on the commit, its tags and the version of Go.
//
//	go run ./scripts/release [-o DIR] [-only SUBSTRING] [-check]
//
// Each archive holds one folder with the engine, the license and the documents.
// SHA256SUMS lists the archives, with -only also those of this version that it
// already listed for the other platforms, and NOTES.md is the section of CHANGELOG.md about
// this version with a list of them. The version is that of cmd/engine/version.go;
// if the commit has tags of versions, one of them must be this version. The
// checkout must be clean, because the command compiler of an engine prints its
// commit.
//
// Each archive is then unpacked into an empty folder and checked: links between
// the documents, the signature of programs for macOS, a UCI session, an analysis
// and the bench signature of the engine. Engines of this machine's platform run
// natively, others if qemu-user or Wine is installed; those that could not be run
// are listed. With -check, the archives in the folder are checked and none is
// built.
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

const sumsFile = "SHA256SUMS"

// interrupted gets SIGINT.
var interrupted = make(chan os.Signal, 1)

// checkInterrupt returns an error if SIGINT came.
func checkInterrupt() error {
	select {
	case <-interrupted:
		return errors.New("interrupted")
	default:
		return nil
	}
}

func main() {
	dir := flag.String("o", "dist", "folder of the archives")
	only := flag.String("only", "", "only platforms with this in their names")
	check := flag.Bool("check", false, "check the archives in the folder instead of building them")
	flag.Parse()
	signal.Notify(interrupted, os.Interrupt) // it also ends what runs; temporary folders are still removed
	if err := run(*dir, *only, *check, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run builds the archives, unless they are only to be checked, and checks them.
func run(dir, only string, check bool, rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q", rest[0])
	}
	version, err := readVersion(versionFile)
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(slices.Clone(targets), func(t target) bool { return !strings.Contains(t.name(), only) })
	if len(chosen) == 0 {
		return fmt.Errorf("no platform has %q in its name", only)
	}
	if !check {
		if err := build(chosen, version, dir); err != nil {
			return err
		}
	}
	if err := checkSums(dir, chosen, version); err != nil {
		return err
	}
	smoke, err := newTester(version)
	if err != nil {
		return err
	}
	defer smoke.close()
	for _, t := range chosen {
		if err := checkInterrupt(); err != nil {
			return err
		}
		if err := checkArchive(filepath.Join(dir, t.archive(version)), t, smoke); err != nil {
			return fmt.Errorf("%s: %w", t.archive(version), err)
		}
	}
	return nil
}

// build writes the archives of the platforms, their checksums and the notes.
func build(chosen []target, version, dir string) error {
	notes, err := releaseNotes(version)
	if err != nil {
		return err
	}
	stamp, err := commitToRelease(version)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	built := map[string][sha256.Size]byte{}
	for _, t := range chosen {
		if err := checkInterrupt(); err != nil {
			return err
		}
		data, err := buildArchive(t, version, stamp)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name(), err)
		}
		name := t.archive(version)
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
		built[name] = sha256.Sum256(data)
		fmt.Printf("%s: %d bytes\n", name, len(data))
	}
	sums := listSums(string(old), version, built)
	if err := os.WriteFile(filepath.Join(dir, sumsFile), []byte(sums), 0o644); err != nil {
		return err
	}
	notes = fmt.Sprintf("%s\n## SHA-256\n\n```\n%s```\n", notes, sums)
	return os.WriteFile(filepath.Join(dir, "NOTES.md"), []byte(notes), 0o644)
}

// listSums returns the lines of the archives of a version: of those that were built, and
// as they were in old of the others.
func listSums(old, version string, built map[string][sha256.Size]byte) string {
	var sums strings.Builder
	for _, t := range targets {
		name := t.archive(version)
		if sum, ok := built[name]; ok {
			fmt.Fprintf(&sums, "%x  %s\n", sum, name)
			continue
		}
		for line := range strings.Lines(old) {
			if strings.HasSuffix(line, "  "+name+"\n") {
				sums.WriteString(line)
			}
		}
	}
	return sums.String()
}

// checkSums compares the archives of the platforms with their checksums.
func checkSums(dir string, chosen []target, version string) error {
	sums, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if err != nil {
		return err
	}
	for _, t := range chosen {
		name := t.archive(version)
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if line := fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name); !strings.Contains(string(sums), line) {
			return fmt.Errorf("%s lacks the line\n%s", sumsFile, line)
		}
	}
	return nil
}

// git returns what git writes.
func git(args ...string) (string, error) {
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
