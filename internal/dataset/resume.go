package dataset

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"skein/internal/atomicfile"
	"skein/internal/input"
	"skein/internal/record"
)

// The files beside an output that is not complete: its positions so far, and a Mark. The
// last Mark stays beside a complete file of positions, which itself does not say how it
// was made.
const (
	unfinishedSuffix = ".unfinished"
	markSuffix       = ".unfinished.json"
	completeSuffix   = ".complete.json"
)

// ErrComplete is the error of Resume and ResumeGames if the file exists and was written
// with the same settings.
var ErrComplete = errors.New("the file is complete")

// markInterval is the time between two marks, which is the work that a killed
// process loses.
const markInterval = 5 * time.Second

// Mark says how much of the input an unfinished file of positions covers.
type Mark struct {
	Settings  string // of the command, and its input
	Batches   int    // of the input, from its beginning
	Bytes     int64  // of the file
	Games     int64  // of the input
	Positions int64  // in the file
	LeftOut   int64  // positions or games of the input that are not in the file
	Beyond    int64  // labels that are not in the file because they are beyond a limit
}

// Resumed is a new file of positions that an interrupted command can continue. It
// appears under its name once it is complete.
type Resumed struct {
	Mark
	name    string
	kind    Kind
	f       *os.File
	buffer  *bufio.Writer
	lock    *atomicfile.Lock
	mu      sync.Mutex
	batches int         // in the last mark
	marked  time.Time   // when that was written
	late    *time.Timer // for the next mark
	failed  error       // of that mark
	closed  bool
}

// Resume begins the file called name, of kind Records or Text, or continues it after
// the batches in its Mark. It is an error if the file exists, ErrComplete if it was
// written with these settings, if another process writes it, or if it was begun with
// other settings.
func Resume(name, settings string) (*Resumed, error) {
	kind, err := KindOf(name)
	if err != nil {
		return nil, err
	}
	if kind != Records && kind != Text {
		return nil, fmt.Errorf("cannot write positions to %s: its extension is neither .bin nor .txt", name)
	}
	if err := atomicfile.CheckNew(name); err != nil {
		if isComplete(name, settings) {
			return nil, ErrComplete
		}
		return nil, err
	}
	if err := atomicfile.CheckNoPart(name); err != nil {
		return nil, err
	}
	lock, err := atomicfile.NewLock(name + unfinishedSuffix)
	if err != nil {
		return nil, err
	}
	r := &Resumed{name: name, kind: kind, lock: lock, marked: time.Now()}
	if err := r.open(settings); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return r, nil
}

// open opens the unfinished file and cuts off what its mark does not cover.
func (r *Resumed) open(settings string) (err error) {
	if r.f, err = os.OpenFile(r.name+unfinishedSuffix, os.O_RDWR, 0); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.f.Close())
		}
	}()
	size, err := r.f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if size > 0 {
		err = r.readMark(settings, size)
	} else {
		r.Settings = settings
		err = r.writeMark(markSuffix) // instead of one that an earlier file may have left
	}
	if err != nil {
		return err
	}
	r.batches = r.Batches
	r.buffer = bufio.NewWriterSize(r.f, 1<<20)
	if err := r.f.Truncate(r.Bytes); err != nil {
		return err
	}
	_, err = r.f.Seek(r.Bytes, io.SeekStart)
	return err
}

// readMark reads the mark of a file of the given size.
func (r *Resumed) readMark(settings string, size int64) error {
	data, err := os.ReadFile(r.name + markSuffix)
	if err != nil {
		return fmt.Errorf("%s cannot be continued: %w", r.f.Name(), err)
	}
	if err := json.Unmarshal(data, &r.Mark); err != nil {
		return fmt.Errorf("%s: %w", r.name+markSuffix, err)
	}
	if r.Settings != settings {
		return otherSettings(r.f.Name(), r.Settings)
	}
	if min(int64(r.Batches), r.Bytes, r.Games, r.Positions, r.LeftOut, r.Beyond) < 0 ||
		r.kind == Records && r.Bytes != r.Positions*record.EntrySize {
		return fmt.Errorf("%s: its numbers are not those of an unfinished file", r.name+markSuffix)
	}
	if size < r.Bytes {
		return fmt.Errorf("%s: its last %d bytes are missing", r.f.Name(), r.Bytes-size)
	}
	return nil
}

// Write adds the positions of the next batch of the input, which come from a number
// of games; leftOut others of the batch are left out, and beyond is the number of labels
// that are.
func (r *Resumed) Write(entries []record.Entry, games, leftOut, beyond int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed != nil {
		return r.failed
	}
	for i := range entries {
		if err := WriteEntry(r.buffer, &entries[i], r.kind); err != nil {
			return err
		}
	}
	r.Batches++
	r.Games += games
	r.Positions += int64(len(entries))
	r.LeftOut += leftOut
	r.Beyond += beyond
	if r.late == nil {
		r.late = time.AfterFunc(markInterval-time.Since(r.marked), r.markLate)
	}
	return nil
}

// markLate writes a mark if batches have come since the last one: the next may take
// long.
func (r *Resumed) markLate() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.late = nil
	if !r.closed && r.failed == nil && r.Batches > r.batches {
		r.failed = r.mark()
	}
}

// mark writes what is buffered, and then the mark.
func (r *Resumed) mark() (err error) {
	if err := r.buffer.Flush(); err != nil {
		return err
	}
	if err := r.f.Sync(); err != nil {
		return err
	}
	if r.Bytes, err = r.f.Seek(0, io.SeekCurrent); err != nil {
		return err
	}
	if err := r.writeMark(markSuffix); err != nil {
		return err
	}
	r.batches, r.marked = r.Batches, time.Now()
	return nil
}

// writeMark writes the mark to the file with a suffix.
func (r *Resumed) writeMark(suffix string) error {
	data, err := json.MarshalIndent(&r.Mark, "", "\t")
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(r.name+suffix, append(data, '\n'))
}

// Close completes the file if err, the error of the command, is nil. Otherwise it
// returns err, and keeps what can be continued, if there is anything.
func (r *Resumed) Close(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	err = cmp.Or(err, r.failed)
	if err == nil || r.Batches > r.batches {
		if markErr := r.mark(); markErr != nil && !errors.Is(err, markErr) {
			err = errors.Join(err, markErr)
		}
	}
	if r.batches == 0 && err != nil {
		// The lock removes an empty file.
		return errors.Join(err, os.Remove(r.name+markSuffix), r.f.Truncate(0), r.f.Close(), r.lock.Close())
	}
	err = cmp.Or(err, r.f.Close())
	if err == nil {
		err = r.complete()
	} else {
		err = errors.Join(err, r.lock.Close())
	}
	if err != nil {
		return continued(err, r.f.Name())
	}
	return nil
}

// complete gives the closed file its name.
func (r *Resumed) complete() error {
	if err := r.writeMark(completeSuffix); err != nil {
		return err
	}
	if err := finish(r.lock, r.f.Name(), r.name); err != nil {
		return err
	}
	return os.Remove(r.name + markSuffix)
}

// isComplete reports whether the file called name was written by Resume with these
// settings: it has the size that its mark says, unless it is compressed.
func isComplete(name, settings string) bool {
	var m Mark
	data, err := os.ReadFile(name + completeSuffix)
	if err != nil || json.Unmarshal(data, &m) != nil || m.Settings != settings {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && (Compressed(name) || info.Size() == m.Bytes)
}

// finish gives an unfinished file, which is closed and locked, its name, compressed if
// that says so, and releases the lock.
func finish(lock *atomicfile.Lock, unfinished, name string) error {
	if !Compressed(name) {
		return lock.Rename(name)
	}
	err := create(name, func(w io.Writer) error {
		f, err := os.Open(unfinished)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, f)
		return errors.Join(err, f.Close())
	})
	if err == nil {
		err = os.Truncate(unfinished, 0) // the lock removes an empty file
	}
	return errors.Join(err, lock.Close())
}

// otherSettings returns the error of an unfinished file that is another's.
func otherSettings(unfinished, settings string) error {
	return fmt.Errorf("%s was begun with other settings or data; use another name, remove it, or use these:\n%s",
		unfinished, settings)
}

// continued adds to an error what is kept. The same command continues it at once only if
// it was interrupted: the error may be one of an input, which that command reads again.
func continued(err error, unfinished string) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w; the same command continues %s", err, unfinished)
	}
	return fmt.Errorf("%w; %s keeps what was done, for the same command with the same inputs", err, unfinished)
}

// Inputs describes files of positions or games, to tell whether they are the same: by
// size and a checksum of their beginning and end. Of pipes it tells only the names.
func Inputs(names []string) (string, error) {
	var text strings.Builder
	for _, name := range names {
		written := name
		if !utf8.ValidString(name) {
			written = strconv.Quote(name) // JSON would not keep it
		}
		info, err := os.Stat(name)
		if err != nil {
			return "", err
		}
		if !info.Mode().IsRegular() {
			fmt.Fprintln(&text, written)
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		sum, err := input.Ends(f, info.Size())
		if err = errors.Join(err, f.Close()); err != nil {
			return "", err
		}
		fmt.Fprintf(&text, "%s: %d bytes, %x\n", written, info.Size(), sum[:8])
	}
	return text.String(), nil
}
