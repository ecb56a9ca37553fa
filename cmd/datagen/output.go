package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"skein/internal/dataset"
	"skein/internal/record"
)

// produce makes the file name by calling write with the name of a file that
// becomes name, compressed if that asks for it, once it is complete. A failure
// leaves nothing behind.
func produce(name string, write func(temporary string) error) error {
	if _, err := os.Stat(name); err == nil {
		return fmt.Errorf("%s exists already", name)
	}
	temporary := name + ".part"
	err := os.Remove(temporary) // of a run that was killed
	if err == nil || errors.Is(err, os.ErrNotExist) {
		err = write(temporary)
	}
	if err == nil && dataset.Compressed(name) {
		err = compress(temporary, name)
	}
	if err == nil {
		return os.Rename(temporary, name)
	}
	if removeErr := os.Remove(temporary); removeErr != nil && !errors.Is(removeErr, os.ErrNotExist) {
		err = errors.Join(err, removeErr)
	}
	return err
}

// compress replaces the file temporary by a compressed one, as name says.
func compress(temporary, name string) error {
	in, err := os.Open(temporary)
	if err != nil {
		return err
	}
	packed := temporary + ".z"
	out, err := os.Create(packed)
	if err != nil {
		return errors.Join(err, in.Close())
	}
	z, err := dataset.Compress(out, name)
	if err == nil {
		_, err = io.Copy(z, in)
		err = errors.Join(err, z.Close())
	}
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close(), in.Close()); err != nil {
		return errors.Join(err, os.Remove(packed))
	}
	return os.Rename(packed, temporary)
}

// produceStream is produce for a file that is written as a stream.
func produceStream(name string, write func(io.Writer) error) error {
	return produce(name, func(temporary string) error {
		f, err := os.Create(temporary)
		if err != nil {
			return err
		}
		b := bufio.NewWriterSize(f, 1<<20)
		err = write(b)
		if err == nil {
			err = b.Flush()
		}
		if err == nil {
			err = f.Sync()
		}
		return errors.Join(err, f.Close())
	})
}

// produceGames is produce for a file of games.
func produceGames(name, description string, write func(*record.Writer) error) error {
	return produce(name, func(temporary string) error {
		w, err := record.Create(temporary, description)
		if err != nil {
			return err
		}
		err = write(w)
		if closeErr := w.Close(); err == nil {
			err = closeErr // else Close has only the same to say
		}
		return err
	})
}
