// Package ucicheck checks what a UCI engine writes: that every line is complete and
// legal, that the reports of a search are in order, and that each go is answered
// by exactly one bestmove, and not too early.
package ucicheck

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"skein/movegen"
	"skein/notation"
	"skein/position"
	"skein/uciclient"
)

// fullSkill is the highest Skill Level, which is the default and does not limit the
// playing strength.
const fullSkill = 20

// Session is a session with an engine. The zero Session is one at its beginning,
// with default options. Its methods may be called by several goroutines.
type Session struct {
	mu       sync.Mutex
	game     *position.Game // nil is the initial position
	multiPV  int            // 0 is 1
	threads  int            // 0 is 1
	chess960 bool
	wdl      bool
	book     bool      // OwnBook
	limited  bool      // UCI_LimitStrength
	lowSkill bool      // Skill Level is below the highest
	searches []*search // not answered, in order
	readies  int       // isready without an answer
	uci      int       // uci without an answer
}

// Sent takes note of a line before it is sent to the engine, or of quit before
// something else ends the engine. The error is about a position, option or go that
// is not valid, which the engine is not to be sent.
func (s *Session) Sent(line string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil
	}
	switch words[0] {
	case "uci":
		s.uci++
	case "isready":
		s.readies++
	case "setoption":
		return s.setOption(words[1:])
	case "position":
		game, err := s.parsePosition(words[1:])
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		s.game = game
	case "go":
		search, err := s.newSearch(words[1:])
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		s.searches = append(s.searches, search)
	case "stop", "quit":
		for _, search := range s.searches {
			search.stopped = true
		}
	case "ponderhit":
		for _, search := range s.searches {
			search.pondering = false
		}
	}
	return nil
}

// setOption takes note of an option that affects the output.
func (s *Session) setOption(words []string) error {
	name, text, _ := strings.Cut(strings.Join(words, " "), " value ")
	var err error
	switch strings.TrimPrefix(name, "name ") {
	case "MultiPV":
		s.multiPV, err = strconv.Atoi(text)
	case "Threads":
		s.threads, err = strconv.Atoi(text)
	case "UCI_Chess960":
		s.chess960, err = strconv.ParseBool(text)
	case "UCI_ShowWDL":
		s.wdl, err = strconv.ParseBool(text)
	case "OwnBook":
		s.book, err = strconv.ParseBool(text)
	case "UCI_LimitStrength":
		s.limited, err = strconv.ParseBool(text)
	case "Skill Level":
		var level int
		level, err = strconv.Atoi(text)
		s.lowSkill = level < fullSkill
	}
	return err
}

func (s *Session) parsePosition(words []string) (*position.Game, error) {
	setUp, moves, _ := strings.Cut(strings.Join(words, " "), " moves ")
	p := position.Start()
	if fen, ok := strings.CutPrefix(setUp, "fen "); ok {
		var err error
		if p, err = position.ParseLenient(fen, s.chess960); err != nil {
			return nil, err
		}
	}
	game := position.NewGame(p)
	for word := range strings.FieldsSeq(moves) {
		m, err := notation.ParseUCI(&game.Pos, word)
		if err != nil {
			return nil, err
		}
		game.Play(m)
	}
	return game, nil
}

// newSearch returns the state of a go with the given words.
func (s *Session) newSearch(words []string) (*search, error) {
	r := &search{
		root: position.Start(), lines: max(s.multiPV, 1), threads: max(s.threads, 1),
		chess960: s.chess960, wdl: s.wdl, book: s.book, weak: s.limited || s.lowSkill,
	}
	if s.game != nil {
		r.root = s.game.Pos
	}
	limited := false
	for i := 0; i < len(words); i++ {
		switch word := words[i]; word {
		case "infinite":
			r.infinite = true
		case "ponder":
			r.pondering = true
		case "searchmoves":
		case "depth", "nodes", "movetime", "mate", "wtime", "btime", "winc", "binc", "movestogo":
			if i++; i == len(words) {
				return nil, fmt.Errorf("%s: the number is missing", word)
			}
			n, err := strconv.Atoi(words[i])
			if err != nil {
				return nil, err
			}
			if word == "depth" {
				r.depth = n
			}
			limited = limited || word != "movestogo"
		default:
			m, err := notation.ParseUCI(&r.root, word)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(r.moves, m) {
				r.moves = append(r.moves, m)
			}
		}
	}
	if len(r.moves) == 0 {
		r.moves = movegen.Legal(&r.root)
	}
	r.infinite = r.infinite || !limited
	r.lines = min(r.lines, len(r.moves))
	r.depths = make([]int, r.lines)
	return r, nil
}

// Received checks a line that the engine wrote, without its line break. The error
// names the line.
func (s *Session) Received(line string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.receive(line); err != nil {
		return fmt.Errorf("%q: %w", line, err)
	}
	return nil
}

func (s *Session) receive(line string) error {
	words := strings.Fields(line)
	switch {
	case len(words) == 0:
		return errors.New("an empty line")
	case words[0] == "readyok" && s.readies > 0:
		s.readies--
		return nil
	case words[0] == "uciok" && s.uci > 0:
		s.uci--
		return nil
	case (words[0] == "id" || words[0] == "option") && s.uci > 0:
		return nil
	case strings.HasPrefix(line, "info string ERROR"):
		return errors.New("the engine reports an error")
	case strings.HasPrefix(line, "info string "):
		return nil
	case strings.Join(words, " ") != line:
		return errors.New("words are not separated by single spaces")
	case words[0] != "info" && words[0] != "bestmove":
		return errors.New("unexpected")
	case len(s.searches) == 0:
		return errors.New("no search is running")
	}
	r := s.searches[0]
	if words[0] == "bestmove" {
		s.searches = s.searches[1:]
		return r.checkBestMove(line)
	}
	in, err := uciclient.ParseInfo(&r.root, line, r.chess960)
	if err != nil {
		return err
	}
	return r.checkInfo(&in)
}

// End returns an error if the engine owes an answer.
func (s *Session) End() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.searches); n > 0 || s.readies > 0 || s.uci > 0 {
		return fmt.Errorf("no answer to %d go, %d isready, %d uci", n, s.readies, s.uci)
	}
	return nil
}

// Searching reports whether the engine owes an answer to a go.
func (s *Session) Searching() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.searches) > 0
}
