package uciclient

import (
	"errors"
	"fmt"
	"strings"

	"skein/chess"
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
		close(e.readies[0].answered)
		e.readies = e.readies[1:]
	case "info":
		return e.handleInfo(line)
	case "bestmove":
		return e.handleBestMove(line)
	case "copyprotection", "registration": // allowed, and of no use here
	default:
		return errors.New("unknown")
	}
	return nil
}

// maxOptions is the largest number of options that an engine may have.
const maxOptions = 1000

// introduce handles the words of an id or option line.
func (e *Engine) introduce(words []string) error {
	if words[0] == "option" {
		o, err := parseOption(words[1:])
		if err != nil {
			return err
		}
		if _, ok := e.Option(o.Name); ok || len(e.options) == maxOptions {
			return &OptionError{o.Name, "listed twice, or one of too many"}
		}
		e.options = append(e.options, o)
		return nil
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
	info, err := ParseInfo(&s.root, line, s.chess960)
	if info.Fields != 0 {
		s.report(info, len(line))
	}
	return err
}

// handleBestMove handles a bestmove line. An invalid ponder move does not make the
// result invalid.
func (e *Engine) handleBestMove(line string) error {
	e.mu.Lock()
	s := e.search
	e.search = nil
	e.mu.Unlock()
	if s == nil {
		return errors.New("no search is running")
	}
	best, ponder, err := ParseBestMove(&s.root, line, s.chess960)
	close(s.answered)
	if err != nil && best == chess.NoMove {
		s.end(Result{}, fmt.Errorf("%.40q in %s: %w", line, s.root.FEN(), err))
		return err
	}
	e.mu.Lock()
	last := s.last
	e.mu.Unlock()
	s.end(Result{best, ponder, last}, nil)
	return err
}
