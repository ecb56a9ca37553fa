package console

import (
	"errors"
	"fmt"
	"io"
	"os"

	"skein/internal/atomicfile"
)

// reviewFile is an output that a later run can continue.
type reviewFile struct {
	file *os.File
	lock *atomicfile.Lock
}

// openReviewFile opens an output, which must be new or empty unless resume is set.
func openReviewFile(name string, resume bool) (*reviewFile, error) {
	lock, err := atomicfile.NewLock(name)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	f := &reviewFile{file, lock}
	info, err := file.Stat()
	if err == nil && info.Size() > 0 && !resume {
		err = fmt.Errorf("%s exists already; --resume continues it", name)
	}
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// after returns what comes after the first size bytes.
func (f *reviewFile) after(size int64) ([]byte, error) {
	info, err := f.file.Stat()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.NewSectionReader(f.file, size, info.Size()-size))
}

// truncate removes what comes after the first size bytes, and writes from there on.
func (f *reviewFile) truncate(size int64) error {
	if err := f.file.Truncate(size); err != nil {
		return err
	}
	_, err := f.file.Seek(size, io.SeekStart)
	return err
}

// close closes the file. If it is empty it is removed.
func (f *reviewFile) close() error { return errors.Join(f.file.Close(), f.lock.Close()) }
