//go:build linux

package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// material is what a run needs before the server starts.
type material struct {
	options
	repositories map[string]string // folders by name: skein with branches main and tune, OpenBench
	runner       string            // the program fastchess
	commit       string            // hash of the commit under test
	bench        int               // bench signature that its message states
	parameters   string            // output of the command spsa
	network      network           // a weak one, to play against
	book         book
}

// network is a network to upload.
type network struct {
	name    string
	content []byte
	bench   int // bench signature of the engine with it
}

// sha returns the start of its hash, by which OpenBench identifies it.
func (n network) sha() string {
	sum := sha256.Sum256(n.content)
	return strings.ToUpper(hex.EncodeToString(sum[:4]))
}

// book is an opening book as workers download it.
type book struct {
	sha     string // of its text
	archive []byte // zip file
}

const (
	bookName    = "Skein.epd"
	networkName = "seed.nnue"
	openings    = 64
)

// prepare obtains everything that a run needs. It keeps the clones of OpenBench and
// fastchess that an earlier run left.
func prepare(ctx context.Context, o options) (*material, error) {
	for _, name := range []string{"git", "make", "g++", "pkill", o.python} {
		if _, err := exec.LookPath(name); err != nil {
			return nil, fmt.Errorf("OpenBench needs the program %s: %w", name, err)
		}
	}
	if err := os.MkdirAll(o.folder, 0o777); err != nil {
		return nil, err
	}
	m := &material{options: o, repositories: map[string]string{
		"skein":     filepath.Join(o.folder, "skein"),
		"OpenBench": filepath.Join(o.folder, "OpenBench"),
	}}
	fastchess := filepath.Join(o.folder, "fastchess")
	m.runner = filepath.Join(fastchess, "fastchess")
	for folder, from := range map[string]string{m.repositories["OpenBench"]: o.openbench, fastchess: o.fastchess} {
		if _, err := os.Stat(folder); err == nil {
			continue
		}
		if _, err := command(ctx, o.folder, "git", "clone", "--quiet", from, folder); err != nil {
			return nil, err
		}
	}
	if err := m.checkPython(ctx); err != nil {
		return nil, err
	}
	// A worker would use any number of processes.
	if _, err := command(ctx, fastchess, "make", "-j", strconv.Itoa(runtime.NumCPU()), "CXX=g++"); err != nil {
		return nil, err
	}
	if err := m.cloneSkein(ctx); err != nil {
		return nil, err
	}
	return m, m.useEngine(ctx)
}

// checkPython checks that Python has the modules that OpenBench imports.
func (m *material) checkPython(ctx context.Context) error {
	const imports = "import cpuinfo, django, numpy, psutil, requests, scipy"
	if _, err := command(ctx, m.folder, m.python, "-c", imports); err != nil {
		requirements := filepath.Join(m.repositories["OpenBench"], "requirements.txt")
		return fmt.Errorf("%w\nOpenBench needs more modules of Python: pip install -r %s psutil py-cpuinfo, or on "+
			"Debian apt-get install python3-cpuinfo python3-django python3-psutil python3-requests python3-scipy, "+
			"and -python /usr/bin/python3", err, requirements)
	}
	return nil
}

var benchLine = regexp.MustCompile(`(?m)^Bench: (\d+)$`)

// cloneSkein clones this repository: branch main is the last commit, branch tune a
// commit on top of it that builds an engine to tune.
func (m *material) cloneSkein(ctx context.Context) error {
	folder := m.repositories["skein"]
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	top, err := command(ctx, ".", "git", "rev-parse", "--show-toplevel", "HEAD")
	if err != nil {
		return err
	}
	root, commit, _ := strings.Cut(strings.TrimSpace(string(top)), "\n")
	m.commit = commit
	message, err := command(ctx, root, "git", "log", "-1", "--format=%B", m.commit)
	if err != nil {
		return err
	}
	line := benchLine.FindSubmatch(message)
	if line == nil {
		return fmt.Errorf("the message of commit %s has no line Bench: N", m.commit)
	}
	if m.bench, err = strconv.Atoi(string(line[1])); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"clone", "--quiet", "--no-checkout", root, folder},
		{"-C", folder, "checkout", "--quiet", "-B", "main", m.commit},
		{"-C", folder, "checkout", "--quiet", "-b", "tune"},
	} {
		if _, err := command(ctx, m.folder, "git", args...); err != nil {
			return err
		}
	}
	makefile := filepath.Join(folder, "Makefile")
	text, err := os.ReadFile(makefile)
	if err != nil {
		return err
	}
	changed := bytes.Replace(text, []byte("\nTUNE ?= 0\n"), []byte("\nTUNE ?= 1\n"), 1)
	if bytes.Equal(changed, text) {
		return fmt.Errorf("%s has no line TUNE ?= 0", makefile)
	}
	if err := os.WriteFile(makefile, changed, 0o666); err != nil {
		return err
	}
	_, err = command(ctx, folder, "git", "-c", "user.name=tuner", "-c", "user.email=tuner@localhost", "commit",
		"--quiet", "-a", "-m", fmt.Sprintf("Tune\n\nNo functional change\n\nBench: %d", m.bench))
	return err
}

// useEngine builds the engine of branch tune for its parameters, a book, and the
// bench signature with a network that values only pieces.
func (m *material) useEngine(ctx context.Context) error {
	folder, engine := m.repositories["skein"], filepath.Join(m.folder, "engine")
	if _, err := command(ctx, folder, "make", "--quiet", "EXE="+engine); err != nil {
		return err
	}
	out, err := command(ctx, m.folder, engine, "spsa")
	if err != nil {
		return err
	}
	m.parameters = string(out)
	genfens := fmt.Sprintf("genfens %d seed 1 book None", openings)
	if out, err = command(ctx, m.folder, engine, genfens, "quit"); err != nil {
		return err
	}
	if m.book, err = newBook(string(out)); err != nil {
		return err
	}

	m.network.name = networkName
	path := filepath.Join(m.folder, networkName)
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	if _, err := command(ctx, folder, "go", "run", "./cmd/tune", "seed", "-o", path); err != nil {
		return err
	}
	if m.network.content, err = os.ReadFile(path); err != nil {
		return err
	}
	if out, err = command(ctx, m.folder, engine, "setoption name EvalFile value "+path, "bench"); err != nil {
		return err
	}
	m.network.bench, err = benchOf(string(out))
	return err
}

// benchOf returns the bench signature at the end of the output of bench.
func benchOf(out string) (int, error) {
	last := lastLines(out)
	last = last[strings.LastIndex(last, "\n")+1:]
	var nodes, speed int
	if _, err := fmt.Sscanf(last, "%d nodes %d nps", &nodes, &speed); err != nil {
		return 0, fmt.Errorf("bench ends in %q, expected N nodes M nps", last)
	}
	return nodes, nil
}

// newBook makes a book of the output of genfens.
func newBook(out string) (book, error) {
	var text strings.Builder
	for line := range strings.Lines(out) {
		if fen, ok := strings.CutPrefix(line, "info string genfens "); ok {
			fmt.Fprintf(&text, "%s\n", strings.Join(strings.Fields(fen)[:4], " "))
		}
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.Create(bookName)
	if err == nil {
		_, err = w.Write([]byte(text.String()))
	}
	if err == nil {
		err = z.Close()
	}
	sum := sha256.Sum256([]byte(text.String()))
	return book{hex.EncodeToString(sum[:]), archive.Bytes()}, err
}
