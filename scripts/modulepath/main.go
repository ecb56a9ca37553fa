// Command modulepath gives the module the path under which a fork publishes it:
//
//	go run ./scripts/modulepath HOST/OWNER/NAME
//
// It changes the path in go.mod, in imports, documents and scripts, in the profile
// for profile-guided optimization, and in the addresses of the repository, which
// are https://github.com/OWNER/skein as long as the module is called skein. It
// then prints what is left to do. A module that has the path already stays as it
// is, and one that has another path of this form can be given a new one.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("modulepath: ")
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		log.Fatal("usage: modulepath HOST/OWNER/NAME")
	}
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// run renames the module in the current folder.
func run(to string) error {
	if err := checkPath(to); err != nil {
		return err
	}
	text, err := os.ReadFile("go.mod")
	if err != nil {
		return fmt.Errorf("%w; run this command in the folder of go.mod", err)
	}
	found := moduleLine.FindSubmatch(text)
	if found == nil {
		return errors.New("go.mod has no line that begins with module")
	}
	r := &renamer{from: string(found[1]), to: to}
	files, err := trackedFiles()
	if err != nil {
		return err
	}
	r.folders = foldersOf(files)
	changed := 0
	for _, name := range files {
		ok, err := r.rewriteFile(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if ok {
			changed++
		}
	}
	fmt.Printf("%s is now %s: %d files changed\n", r.from, to, changed)
	fmt.Printf(leftToDo, to)
	return nil
}

const leftToDo = `
Left to do:

	gofmt -l . && go vet ./... && go test ./...    must print no file and pass
	git commit -a                                  with the changes
	git push https://%[1]s main
	git tag vVERSION && git push --tags            VERSION is in cmd/engine/version.go
	make release                                   then attach the files in dist/ to a
	                                               release whose text is dist/NOTES.md
`

var (
	moduleLine = regexp.MustCompile(`(?m)^module (\S+)$`)
	element    = regexp.MustCompile(`^[A-Za-z0-9_~-]+(\.[A-Za-z0-9_~-]+)*$`)
	host       = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+$`)
	major      = regexp.MustCompile(`^v\d+$`)
)

// checkPath checks that a path has the form HOST/OWNER/NAME, with any number of
// elements between HOST and NAME but none less.
func checkPath(to string) error {
	elements := strings.Split(to, "/")
	if len(elements) < 3 {
		return fmt.Errorf("the path %q is not of the form HOST/OWNER/NAME", to)
	}
	if !host.MatchString(elements[0]) {
		return fmt.Errorf("the path %q: %q is not the name of a host in lower case", to, elements[0])
	}
	for _, e := range elements[1:] {
		if !element.MatchString(e) {
			return fmt.Errorf("the path %q: %q must consist of letters, digits, and - _ ~ or single dots", to, e)
		}
	}
	switch last := path.Base(to); {
	case major.MatchString(last):
		return fmt.Errorf("the path %q must not end in a version", to)
	case strings.HasSuffix(last, ".git"):
		return fmt.Errorf("the path %q must not end in .git", to)
	}
	return nil
}

// trackedFiles returns the regular files that git tracks.
func trackedFiles() ([]string, error) {
	out, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	var files []string
	for name := range bytes.SplitSeq(out, []byte{0}) {
		if info, err := os.Lstat(string(name)); err == nil && info.Mode().IsRegular() {
			files = append(files, string(name))
		}
	}
	return files, nil
}

// foldersOf returns the folders of the top level that hold Go files, in which
// every package of the module is.
func foldersOf(files []string) []string {
	var folders []string
	for _, name := range files {
		folder, _, ok := strings.Cut(name, "/")
		if ok && path.Ext(name) == ".go" && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}
