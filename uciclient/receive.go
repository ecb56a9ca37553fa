package uciclient

import (
	"errors"
	"fmt"
	"strings"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
	"skein/position"
)

// handle handles a line of output. The error is why it was ignored, at least in part.
func (e *Engine) handle(line string) error {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil
	}
	switch words[0] {
	case "id", "option":
		if isClosed(e.uciok) {
			return errors.New("after uciok")
		}
		return e.introduce(words)
	case "uciok":
		if isClosed(e.uciok) {
			return errors.New("unexpected")
		}
		close(e.uciok)
	case "readyok":
		e.mu.Lock()
		defer e.mu.Unlock()
		if len(e.readies) == 0 {
			return errors.New("unexpected")
		}
		close(e.readies[0])
		e.readies = e.readies[1:]
	case "info":
		return e.handleInfo(line)
	case "bestmove":
		return e.handleBestMove(words[1:])
	default:
		return errors.New("unknown")
	}
	return nil
}

// introduce handles the words of an id or option line.
func (e *Engine) introduce(words []string) error {
	if words[0] == "option" {
		o, err := parseOption(words[1:])
		if err == nil {
			e.options = append(e.options, o)
		}
		return err
	}
	if len(words) < 3 {
		return errors.New("incomplete")
	}
	switch text := strings.Join(words[2:], " "); words[1] {
	case "name":
		e.name = text
	case "author":
		e.author = text
	default:
		return errors.New("neither name nor author")
	}
	return nil
}

// handleInfo handles an info line. One without a search, such as a message about an
// option, is for the log only.
func (e *Engine) handleInfo(line string) error {
	e.mu.Lock()
	s := e.search
	e.mu.Unlock()
	if s == nil {
		return nil
	}
	info, err := ParseInfo(&s.root, s.chess960, line)
	if info.Fields != 0 {
		s.report(info)
	}
	return err
}

// handleBestMove handles the words after bestmove.
func (e *Engine) handleBestMove(words []string) error {
	e.mu.Lock()
	s := e.search
	e.search = nil
	e.mu.Unlock()
	if s == nil {
		return errors.New("no search is running")
	}
	result, err := parseBestMove(&s.root, words)
	ignored := err
	if err == nil && result.Best != chess.NoMove && len(words) == 3 && words[1] == "ponder" {
		result.Ponder, ignored = parsePonder(&s.root, result.Best, words[2])
	}
	e.mu.Lock()
	result.Info = s.last
	e.mu.Unlock()
	if err != nil {
		result = Result{}
	}
	close(s.answered)
	s.end(result, err)
	return ignored
}

// parseBestMove parses the words after bestmove in an answer about root, except the
// ponder move.
func parseBestMove(root *position.Position, words []string) (r Result, err error) {
	if len(words) == 0 {
		return r, errors.New("bestmove: the move is missing")
	}
	if words[0] == "(none)" || words[0] == chess.NoMove.String() {
		if movegen.Count(root) > 0 {
			err = fmt.Errorf("bestmove %s: there are legal moves in %s", words[0], root.FEN())
		}
		return r, err
	}
	if r.Best, err = notation.ParseUCI(root, words[0]); err != nil {
		err = fmt.Errorf("bestmove in %s: %w", root.FEN(), err)
	}
	return r, err
}

// parsePonder parses the move to ponder on after the move best in root.
func parsePonder(root *position.Position, best chess.Move, text string) (chess.Move, error) {
	var next position.Position
	root.Do(best, &next, new(position.Delta))
	m, err := notation.ParseUCI(&next, text)
	if err != nil {
		return chess.NoMove, fmt.Errorf("ponder: %w", err)
	}
	return m, nil
}
