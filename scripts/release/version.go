package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	versionFile = "cmd/engine/version.go"
	changelog   = "CHANGELOG.md"
)

var (
	versionLine = regexp.MustCompile(`(?m)^const version = "(.*)"$`)
	versionForm = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9a-z.]+)?$`)
)

// readVersion returns the version that a Go file declares.
func readVersion(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	found := versionLine.FindSubmatch(text)
	if found == nil {
		return "", fmt.Errorf("%s has no line that begins with const version", file)
	}
	version := string(found[1])
	if !versionForm.MatchString(version) {
		return "", fmt.Errorf("%s: the version %q is not of the form 1.2.3 or 1.2.3-rc1", file, version)
	}
	return version, nil
}

// commitToRelease returns the time of the commit that is checked out. It is an
// error if files differ from it, or if it is tagged with other versions only.
func commitToRelease(version string) (time.Time, error) {
	dirty, err := git("status", "--porcelain")
	if err != nil {
		return time.Time{}, err
	}
	if dirty != "" {
		return time.Time{}, fmt.Errorf("the checkout is not clean:\n%s", dirty)
	}
	tags, err := git("tag", "--points-at", "HEAD", "--list", "v*")
	if err != nil {
		return time.Time{}, err
	}
	if tagged := strings.Fields(tags); len(tagged) > 0 && !slices.Contains(tagged, "v"+version) {
		return time.Time{}, fmt.Errorf("the commit is tagged %s, %s says %s",
			strings.Join(tagged, ", "), versionFile, version)
	}
	stamp, err := git("show", "--no-patch", "--format=%ct", "HEAD")
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// releaseNotes returns what the changelog says about a version.
func releaseNotes(version string) (string, error) {
	text, err := os.ReadFile(changelog)
	if err != nil {
		return "", err
	}
	notes, err := changelogSection(string(text), version)
	if err != nil {
		return "", fmt.Errorf("%s: %w", changelog, err)
	}
	return notes, nil
}

// changelogSection returns the text below the heading "## VERSION" of a changelog,
// or below "## VERSION (DATE)".
func changelogSection(text, version string) (string, error) {
	var section strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			name, _, _ := strings.Cut(strings.TrimSpace(heading), " ")
			inside = name == version
		} else if inside {
			section.WriteString(line)
		}
	}
	if strings.TrimSpace(section.String()) == "" {
		return "", errors.New("there is nothing about version " + version)
	}
	return strings.TrimSpace(section.String()) + "\n", nil
}
