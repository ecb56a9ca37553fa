package syzygy

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
)

// Suffixes of the names of files.
const (
	suffixWDL = ".rtbw"
	suffixDTZ = ".rtbz"
)

// Expected errors of probes. All others are of type *FileError.
var (
	// ErrMen means that the position has more men than any table found.
	ErrMen = errors.New("syzygy: too many men for the tables")
	// ErrCastling means that the position has castling rights, which tables do
	// not cover.
	ErrCastling = errors.New("syzygy: castling rights")
	// ErrIllegal means that the side to move can take the king, or that a pawn
	// is on the first or last rank.
	ErrIllegal = errors.New("syzygy: illegal position")
)

// Reasons of a FileError, besides those of the operating system.
var (
	ErrMissing  = errors.New("missing")
	ErrChecksum = errors.New("corrupt: wrong checksum")
	ErrClosed   = errors.New("closed")
)

// FileError is an error in a file or folder.
type FileError struct {
	Path string // the base name if a table was not found, "tables" after Close
	Err  error
}

func (e *FileError) Error() string { return "syzygy: " + e.Path + ": " + e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

// fileError names path once.
func fileError(path string, err error) *FileError {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return &FileError{path, err}
}

// Tables are the tables of one or more folders. Probing is safe for any number
// of goroutines at once. A nil *Tables has no tables.
type Tables struct {
	catalog            *catalog
	wdlFiles, dtzFiles []file // by number of the ending
	largest            int
	numWDL             int
	numDTZ             int
	report             func(error)
	// verified are the files up to this size when they are opened.
	verified int64
}

// file is a table that may be there. It is opened by the first probe that
// needs it.
type file struct {
	path  string // "" if none was found
	table atomic.Pointer[table]

	mu      sync.Mutex // for opening and closing
	mapping mapping
}

// verifiedSize is the size in bytes up to which a file's checksum is computed
// when it is opened, which takes about 10 ms for the largest.
const verifiedSize = 8 << 20

// Open finds the tables in the folders of path, a list as filepath.SplitList
// reads it: separated by colons, on Windows by semicolons. Of several files for
// the same table the first is used. Files are opened when they are first needed.
//
// Problems are reported once, now or later: a folder that cannot be read, a table
// that a probe needs and that is missing, a file that is truncated or corrupt. The
// error is a *FileError. report may be nil; it is called from the goroutines that
// probe, perhaps concurrently.
func Open(path string, report func(error)) *Tables {
	if report == nil {
		report = func(error) {}
	}
	c := endings()
	t := &Tables{
		catalog:  c,
		wdlFiles: make([]file, len(c.endings)),
		dtzFiles: make([]file, len(c.endings)),
		report:   report,
		verified: verifiedSize,
	}
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			report(fileError(dir, err))
		}
		for _, entry := range entries {
			t.add(dir, entry.Name())
		}
	}
	return t
}

// add registers the file if it has the name of a table.
func (t *Tables) add(dir, name string) {
	ending, suffix, _ := strings.Cut(name, ".")
	number, ok := t.catalog.numbers[ending]
	if !ok {
		return
	}
	switch path := filepath.Join(dir, name); "." + suffix {
	case suffixWDL:
		if t.wdlFiles[number].path == "" {
			t.wdlFiles[number].path = path
			t.numWDL++
			t.largest = max(t.largest, t.catalog.endings[number].men())
		}
	case suffixDTZ:
		if t.dtzFiles[number].path == "" {
			t.dtzFiles[number].path = path
			t.numDTZ++
		}
	}
}

// Largest returns the number of men, kings included, of the largest WDL table
// found, 0 if there is none.
func (t *Tables) Largest() int {
	if t == nil {
		return 0
	}
	return t.largest
}

// Count returns how many tables of either kind were found.
func (t *Tables) Count() (wdl, dtz int) {
	if t == nil {
		return 0, 0
	}
	return t.numWDL, t.numDTZ
}

// Close releases the memory of all tables. It must not be called during a probe;
// later probes fail with ErrClosed.
func (t *Tables) Close() error {
	if t == nil {
		return nil
	}
	var errs []error
	closed := &table{err: &FileError{"tables", ErrClosed}}
	for _, files := range [][]file{t.wdlFiles, t.dtzFiles} {
		for i := range files {
			f := &files[i]
			f.mu.Lock()
			f.table.Store(closed)
			if err := f.mapping.discard(); err != nil {
				errs = append(errs, fileError(f.path, err))
			}
			f.mu.Unlock()
		}
	}
	return errors.Join(errs...)
}

// Verify computes the checksums of all files found, large ones too, and returns
// an error that names each corrupt file. It reads all of them, which takes some
// minutes for the tables of six men.
func (t *Tables) Verify() error {
	if t == nil {
		return nil
	}
	var errs []error
	for number, m := range t.catalog.endings {
		for _, f := range []*file{&t.wdlFiles[number], &t.dtzFiles[number]} {
			if f.path == "" {
				continue
			}
			var data mapping
			_, err := data.load(f.path, m, f == &t.dtzFiles[number], math.MaxInt64)
			if err == nil {
				err = data.close()
			}
			if err != nil {
				errs = append(errs, fileError(f.path, err))
			}
		}
	}
	return errors.Join(errs...)
}

// get returns the table of an ending, or the error why there is none.
func (t *Tables) get(m material, dtz bool) (*table, *file, error) {
	number := t.catalog.number(m)
	if number < 0 {
		return nil, nil, ErrMen
	}
	f := &t.wdlFiles[number]
	if dtz {
		f = &t.dtzFiles[number]
	}
	table := f.table.Load()
	if table == nil {
		table = t.open(f, t.catalog.endings[number], dtz)
	}
	return table, f, table.err
}

// open opens the file, unless another goroutine was faster.
func (t *Tables) open(f *file, m material, dtz bool) *table {
	f.mu.Lock()
	tab := f.table.Load()
	if tab != nil {
		f.mu.Unlock()
		return tab
	}
	tab, err := f.mapping.load(f.path, m, dtz, t.verified)
	if err != nil {
		path := f.path
		if path == "" {
			path = m.String() + suffixWDL
			if dtz {
				path = m.String() + suffixDTZ
			}
		}
		tab = &table{err: fileError(path, err)}
	}
	f.table.Store(tab)
	f.mu.Unlock()
	if tab.err != nil {
		t.report(tab.err)
	}
	return tab
}

// condemn marks a table in which a probe has met corrupt data, and reports it
// if it is the first.
func (t *Tables) condemn(f *file, tab *table, err error) error {
	bad := &table{err: fileError(f.path, err)}
	if f.table.CompareAndSwap(tab, bad) {
		t.report(bad.err)
	}
	return bad.err
}

// load maps the file at path and reads its headers. The checksum is computed
// of files up to the size verified.
func (m *mapping) load(path string, ending material, dtz bool, verified int64) (*table, error) {
	if path == "" {
		return nil, ErrMissing
	}
	if err := m.openPath(path); err != nil {
		return nil, err
	}
	tab, err := m.read(ending, dtz, verified)
	if err != nil {
		return nil, errors.Join(err, m.discard())
	}
	m.readRandomly()
	return tab, nil
}

// read is the part of load that reads the mapping.
func (m *mapping) read(ending material, dtz bool, verified int64) (tab *table, err error) {
	defer m.catchFault(&err, debug.SetPanicOnFault(true))
	data := []byte(*m)
	tab, err = parse(data, ending, dtz)
	if err == nil && int64(len(data)) <= verified {
		end := len(data) - checksumSize
		if checksum(data[:end]) != [checksumSize]byte(data[end:]) {
			err = ErrChecksum
		}
	}
	return tab, err
}

// discard is close for a mapping that may be reopened.
func (m *mapping) discard() error {
	err := m.close()
	*m = nil
	return err
}

// openPath maps the file at path.
func (m *mapping) openPath(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("not a regular file")
	case info.Size()%64 != checksumSize:
		return fmt.Errorf("%w: its size of %d bytes cannot be that of a table", errTruncated, info.Size())
	case int64(int(info.Size())) != info.Size():
		return errors.New("too large for this system")
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return m.open(f, int(info.Size()))
}
