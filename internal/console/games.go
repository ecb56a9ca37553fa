package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"

	"skein/notation"
)

// gameSource reads the games of several files, one after the other. Problems with
// files and games are reported, and the next game is read.
type gameSource struct {
	*call
	reading context.Context // when it is done, reading ends
	names   []string        // of the files that are left, the one that is read first
	file    io.ReadCloser
	reader  *notation.Reader
	waiting []*notation.Game // read, but not yet returned by next
	cut     sync.Map         // *notation.Game to the error that ended it, for games that were not read to their end
}

// several reports whether there are at least two games that next has not returned.
func (s *gameSource) several() (bool, error) {
	for len(s.waiting) < 2 {
		g, err := s.read()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		s.waiting = append(s.waiting, g)
	}
	return true, nil
}

// next returns the next game, or the error io.EOF if there is none.
func (s *gameSource) next() (*notation.Game, error) {
	if len(s.waiting) > 0 {
		g := s.waiting[0]
		s.waiting = s.waiting[1:]
		return g, nil
	}
	return s.read()
}

// read reads the next game.
func (s *gameSource) read() (*notation.Game, error) {
	for len(s.names) > 0 {
		if err := s.openFirst(); err != nil {
			if s.reading.Err() != nil {
				return nil, err
			}
			s.complain("%v", err)
			s.names = s.names[1:]
			continue
		}
		g, err := s.reader.Read()
		switch {
		case err == io.EOF:
			if s.reader.Games() == 0 {
				s.complain("%s: no games", s.names[0])
			}
			if err := s.close(); err != nil {
				return nil, err
			}
			s.names = s.names[1:]
			continue
		case err != nil && g == nil:
			return nil, fmt.Errorf("%s: %w", s.names[0], err)
		case err != nil:
			s.complain("%s: %v", s.names[0], err)
			s.cut.Store(g, err)
		}
		return g, nil
	}
	return nil, io.EOF
}

// noteCut tells in a comment at the end of g why the rest could not be read.
func noteCut(g *notation.Game, why string) {
	comment := &g.Main.Comment
	if n := len(g.Main.Moves); n > 0 {
		comment = &g.Main.Moves[n-1].Annotate().Comment
	}
	const note = "Not everything could be read: "
	given, _, _ := strings.Cut(*comment, note) // without that of an earlier review
	*comment = strings.TrimSpace(strings.TrimSpace(given) + " " + note + why)
}

// openFirst opens the first file, unless it is open.
func (s *gameSource) openFirst() (err error) {
	if s.file == nil {
		if s.file, err = s.open(s.reading, s.names[0]); err == nil {
			s.reader = notation.NewReader(s.file)
		}
	}
	return err
}

// close closes the file that is open.
func (s *gameSource) close() error {
	if s.file == nil {
		return nil
	}
	file := s.file
	s.file = nil
	return file.Close()
}

// positions returns the number of positions of a game that are searched.
func positions(g *notation.Game) int {
	if len(g.Main.Moves) == 0 {
		return 0
	}
	return len(g.Main.Moves) + 1
}

// countGames returns the number of games and positions in files, 0 if that cannot be
// told without reading a file to the end that can be read only once.
func (c *call) countGames(names []string) (games, searches int, err error) {
	for _, name := range names {
		if name == "-" {
			return 0, 0, nil
		}
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || !info.Mode().IsRegular() {
			return 0, 0, nil
		}
		n, m, err := c.countFile(name)
		if err != nil {
			return 0, 0, err
		}
		games, searches = games+n, searches+m
	}
	return games, searches, nil
}

// countFile returns the number of games and positions in a file, up to an error of
// reading.
func (c *call) countFile(name string) (games, searches int, err error) {
	file, err := c.open(c.ctx, name)
	if err != nil {
		return 0, 0, context.Cause(c.ctx)
	}
	defer file.Close()
	reader := notation.NewReader(file)
	reader.ReuseGame = true
	for g := range reader.All() {
		if g != nil {
			games++
			searches += positions(g)
		}
	}
	return games, searches, context.Cause(c.ctx)
}
