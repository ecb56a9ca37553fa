package dataset

import (
	"fmt"
	"io"

	"skein/internal/atomicfile"
	"skein/internal/record"
)

// Create writes a new file, compressed if its name asks for it. It appears once it
// is complete; a failure leaves nothing behind. It is an error if the file exists, or if
// another process writes it, here or as Resume and ResumeGames do.
func Create(name string, write func(io.Writer) error) error {
	if err := atomicfile.CheckFree(name + unfinishedSuffix); err != nil {
		return err
	}
	return create(name, write)
}

// create is Create for a process that may have an unfinished file of that name.
func create(name string, write func(io.Writer) error) error {
	return atomicfile.Create(name, func(w io.Writer) error {
		if !Compressed(name) {
			return write(w)
		}
		z, err := compress(w, name)
		if err != nil {
			return err
		}
		if err := write(z); err != nil {
			z.Close() // nobody wants what it has to write
			return err
		}
		return z.Close()
	})
}

// CreateGames is Create for a file of games with a description.
func CreateGames(name, description string, write func(*record.Writer) error) error {
	if err := CheckGames(name); err != nil {
		return err
	}
	return Create(name, func(w io.Writer) error {
		games, err := record.NewWriter(w, name, description)
		if err != nil {
			return err
		}
		if err := write(games); err != nil {
			return err
		}
		return games.Close()
	})
}

// CheckGames returns an error unless name has the extension of a file of games,
// without which none would be read from it.
func CheckGames(name string) error {
	if kind, err := KindOf(name); err != nil || kind != Games {
		return fmt.Errorf("cannot write games to %s: its extension is not .skr", name)
	}
	return nil
}

// WriteEntry writes e as a line of Text or as one of Records.
func WriteEntry(w io.Writer, e *record.Entry, kind Kind) error {
	if kind == Text {
		_, err := io.WriteString(w, e.String()+"\n")
		return err
	}
	b := e.Pack()
	_, err := w.Write(b[:])
	return err
}
