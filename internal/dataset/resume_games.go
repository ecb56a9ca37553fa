package dataset

import (
	"context"
	"errors"
	"os"

	"skein/internal/atomicfile"
	"skein/internal/input"
	"skein/internal/record"
)

// ResumeGames calls write with a Writer of the new file of games called name, or of
// what an interrupted call with the same description has left: write is to add the
// games that come after w.Games() others. The file appears under its name once write
// returns nil; otherwise the error says how to continue, if there are games. It is an
// error if the file exists, ErrComplete if it has the same description, or if another
// process writes it. ctx ends the reading of what is left.
func ResumeGames(ctx context.Context, name, description string, write func(w *record.Writer) error) error {
	if err := CheckGames(name); err != nil {
		return err
	}
	if err := atomicfile.CheckNew(name); err != nil {
		if d, descErr := descriptionOf(name); descErr == nil && d == description {
			return ErrComplete
		}
		return err
	}
	if err := atomicfile.CheckNoPart(name); err != nil {
		return err
	}
	unfinished := name + unfinishedSuffix
	lock, err := atomicfile.NewLock(unfinished)
	if err != nil {
		return err
	}
	w, _, err := record.Open(ctx, unfinished, description)
	if other, ok := errors.AsType[*record.DescriptionError](err); ok {
		err = otherSettings(unfinished, other.Description)
	}
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	err = write(w)
	if closeErr := w.Close(); closeErr != nil && !errors.Is(err, closeErr) {
		err = errors.Join(err, closeErr)
	}
	switch {
	case err == nil:
		if err := finish(lock, unfinished, name); err != nil {
			return continued(err, unfinished)
		}
		return nil
	case w.Games() == 0:
		return errors.Join(err, os.Truncate(unfinished, 0), lock.Close()) // which removes an empty file
	}
	return continued(errors.Join(err, lock.Close()), unfinished)
}

// descriptionOf returns the description in the header of a file of games.
func descriptionOf(name string) (string, error) {
	if _, err := input.Stat(name); err != nil {
		return "", err
	}
	f, err := open(context.Background(), name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	r, err := record.NewReader(f)
	if err != nil {
		return "", err
	}
	return r.Description(), nil
}
