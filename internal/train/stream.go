package train

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"skein/internal/input"
	"skein/internal/record"
)

// chunk is the number of records read at a time, and from one file before it is the turn
// of another: much less than a batch, so that each has records of all files.
const chunk = 512

// source is an open file of records.
type source struct {
	name    string
	f       *os.File
	info    os.FileInfo
	records int64
	start   int64  // number of the record with which a pass begins
	sum     string // of its ends, which tells files of the same length apart
}

// stream reads the records of several files alternately, in proportion to their
// lengths, and starts again at the end. A file that is named several times is read from
// as many places, evenly spaced, so that copies of a record are far apart.
type stream struct {
	files []source
	sieve sieve   // filter of the records read next
	total int64   // records of all files
	next  []int64 // number of records read since the start of the pass, by file
	read  int64   // records read since the start of the run, including those filtered out
	kept  int64   // records that passed the filter since the start of the pass

	file   int    // the one read last
	end    int64  // number of its record after those in buffer
	buffer []byte // records read from it
	left   []byte // unused part of buffer
}

// openStream opens the files. It returns an error if a file ends within a
// record or there are no records.
func openStream(names []string, sieve sieve) (_ *stream, err error) {
	s := &stream{sieve: sieve, next: make([]int64, len(names)), buffer: make([]byte, chunk*record.EntrySize)}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, source{name: name, f: f})
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		n := info.Size() / record.EntrySize
		if info.Size()%record.EntrySize != 0 {
			return nil, fmt.Errorf("%s: byte %d: the file ends within a record of %d bytes",
				name, n*record.EntrySize, record.EntrySize)
		}
		last := &s.files[len(s.files)-1]
		last.info, last.records = info, n
		sum, err := input.Ends(f, info.Size())
		if err != nil {
			return nil, err
		}
		last.sum = hex.EncodeToString(sum[:16])
		s.total += n
	}
	if s.total == 0 {
		return nil, fmt.Errorf("%q: no records", names)
	}
	s.space()
	return s, nil
}

// space sets where the passes over files that are named several times begin.
func (s *stream) space() {
	for i := range s.files {
		f, copies, before := &s.files[i], int64(0), int64(0)
		for j := range s.files {
			if !os.SameFile(f.info, s.files[j].info) {
				continue
			}
			copies++
			if j < i {
				before++
			}
		}
		f.start = f.records * before / copies
	}
}

// place returns the number of the next record of a file.
func (s *stream) place(file int) int64 {
	f := &s.files[file]
	return (f.start + s.next[file]) % f.records
}

func (s *stream) close() {
	for _, f := range s.files {
		f.f.Close() // only read
	}
}

// turn returns the file to read next, the one of which the smallest share was
// read, and the number of records to read.
func (s *stream) turn() (file int, n int64) {
	least := -1.0
	for i, f := range s.files {
		if s.next[i] == f.records {
			continue
		}
		if share := float64(s.next[i]) / float64(f.records); least < 0 || share < least {
			file, least = i, share
		}
	}
	if least < 0 { // end of a pass
		clear(s.next)
		s.kept = 0
		return s.turn()
	}
	records := s.files[file].records
	return file, min(chunk, records-s.next[file], records-s.place(file))
}

// seek moves to the state after reading the given number of records since the
// start of the run.
func (s *stream) seek(records int64) error {
	clear(s.next)
	s.left = nil
	passes := records / s.total
	s.read = passes * s.total
	s.kept = 1 // otherwise a pass could seem empty if its rest is filtered out
	for s.read < records {
		file, n := s.turn()
		if over := s.read + n - records; over > 0 {
			if err := s.fill(file, n); err != nil {
				return err
			}
			s.left = s.left[(n-over)*record.EntrySize:]
			s.read = records
			return nil
		}
		s.next[file] += n
		s.read += n
	}
	return nil
}

// fill reads n records of a file into the buffer.
func (s *stream) fill(file int, n int64) error {
	f := &s.files[file]
	s.file = file
	s.left = s.buffer[:n*record.EntrySize]
	at := s.place(file) * record.EntrySize
	if read, err := f.f.ReadAt(s.left, at); read < len(s.left) {
		if errors.Is(err, io.EOF) {
			err = errors.New("the file has become shorter")
		}
		return fmt.Errorf("%s: byte %d: %w", f.name, at+int64(read), err)
	}
	s.end = s.place(file) + n
	s.next[file] += n
	return nil
}

// errFiltered is the error of a pass in which no record passed the filter.
var errFiltered = errors.New("no position of the data passes the filter")

// batch is a batch of positions with their places.
type batch struct {
	records []record.Packed
	files   []int32
	numbers []int64 // by record: its number in the file
	end     int64   // records read since the start of the run, at the end of the batch
}

func newBatch(n int) *batch {
	return &batch{records: make([]record.Packed, 0, n), files: make([]int32, 0, n), numbers: make([]int64, 0, n)}
}

// fillBatch fills b up to its capacity, or until limit records were read since
// the start of the run; -1 is no limit.
func (s *stream) fillBatch(ctx context.Context, b *batch, limit int64) error {
	b.records, b.files, b.numbers = b.records[:0], b.files[:0], b.numbers[:0]
	for len(b.records) < cap(b.records) && s.read != limit {
		if len(s.left) == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if s.read > 0 && s.read%s.total == 0 && s.kept == 0 {
				return errFiltered
			}
			file, n := s.turn()
			if err := s.fill(file, n); err != nil {
				return err
			}
		}
		r := record.Packed(s.left[:record.EntrySize])
		if s.sieve.keep(&r) {
			b.records = append(b.records, r)
			b.files = append(b.files, int32(s.file))
			b.numbers = append(b.numbers, s.end-int64(len(s.left)/record.EntrySize))
			s.kept++
		}
		s.left = s.left[record.EntrySize:]
		s.read++
	}
	b.end = s.read
	return nil
}

// fault returns err with the file and the offset of record i of the batch.
func (s *stream) fault(b *batch, i int, err error) error {
	return fmt.Errorf("%s: byte %d: %w", s.files[b.files[i]].name, b.numbers[i]*record.EntrySize, err)
}
