package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// checkArchive unpacks an archive into an empty folder and checks what is in it.
func checkArchive(archive string, t target, smoke *tester) error {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := unpack(archive, dir); err != nil {
		return err
	}
	folder := filepath.Join(dir, t.folder(smoke.version))
	if err := checkLinks(folder); err != nil {
		return err
	}
	exe := filepath.Join(folder, t.program())
	if t.os == "darwin" && t.arch == "arm64" { // other Macs run programs without a signature
		if err := checkSignature(exe); err != nil {
			return err
		}
		fmt.Printf("%s: signed ad hoc\n", t.name())
	}
	return smoke.try(t, exe)
}

// link matches the targets of links and pictures, in Markdown and in HTML; codeBlock
// matches blocks of code, which have none.
var (
	link      = regexp.MustCompile(`\]\(([^()\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	codeBlock = regexp.MustCompile("(?ms)^```.*?^```")
)

// checkLinks checks that the relative links of all documents in a folder lead to
// files in it.
func checkLinks(folder string) error {
	found := 0
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		for _, m := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(string(text), ""), -1) {
			goal, _, _ := strings.Cut(m[1]+m[2], "#")
			if goal == "" || strings.Contains(goal, "://") {
				continue
			}
			found++
			goal = filepath.Join(filepath.Dir(name), filepath.FromSlash(goal))
			if !filepath.IsLocal(goal) {
				return fmt.Errorf("%s: the link to %s leads out of the archive", name, m[1]+m[2])
			}
			if _, err := os.Stat(filepath.Join(folder, goal)); err != nil {
				return fmt.Errorf("%s: the link to %s: %w", name, m[1]+m[2], err)
			}
		}
		return nil
	})
	if err == nil && found == 0 {
		return fmt.Errorf("no document in %s has links", filepath.Base(folder))
	}
	return err
}
