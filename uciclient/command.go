package uciclient

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ownMethods are the commands that Command refuses, as they have methods of their own.
var ownMethods = []string{
	"uci", "isready", "setoption", "ucinewgame", "position", "go", "stop", "ponderhit", "quit",
}

// answer is what an engine writes after a command.
type answer struct {
	lines []string
	size  int // bytes of lines
	cut   bool
}

// Command sends the position of a game and then a command that UCI does not define, such
// as eval or d, which many engines have. It returns the lines that the engine writes
// until it is ready again, which takes at most Config.Timeout, those about the position
// included. More than 16 MiB are an error. No search may run.
func (e *Engine) Command(ctx context.Context, game Game, command string) ([]string, error) {
	if err := checkCommand(command); err != nil {
		return nil, fmt.Errorf("command %.40q: %w", command, err)
	}
	if err := e.takeTurn(ctx); err != nil {
		return nil, err
	}
	defer e.endTurn()
	e.mu.Lock()
	chess960 := e.chess960
	e.mu.Unlock()
	positionLine, _, err := game.command(chess960)
	if err != nil {
		return nil, err
	}
	if err := e.Ready(ctx); err != nil { // what it still writes belongs to earlier commands
		return nil, err
	}
	a, err := e.exchange(ctx, positionLine, command)
	switch {
	case err != nil:
		return nil, err
	case a.cut:
		return nil, fmt.Errorf("command %.40q: the answer exceeds %d MiB", command, maxWaiting>>20)
	}
	return a.lines, nil
}

// exchange sends lines and returns what the engine writes until it is ready.
func (e *Engine) exchange(ctx context.Context, lines ...string) (*answer, error) {
	a := new(answer)
	e.mu.Lock()
	e.answer = a
	e.mu.Unlock()
	err := e.send(ctx, lines...)
	if err == nil {
		err = e.Ready(ctx)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answer, e.unsynced = nil, err != nil
	return a, err
}

// checkCommand returns an error unless Command may send the command.
func checkCommand(command string) error {
	words := strings.Fields(command)
	switch {
	case len(words) == 0:
		return errors.New("is empty")
	case strings.ContainsAny(command, "\r\n"):
		return errors.New("has a line break")
	case slices.Contains(ownMethods, words[0]):
		return fmt.Errorf("%s is one of UCI, for which there is a method", words[0])
	}
	return nil
}

// keep adds a line to the answer to a command and reports whether it belongs to one.
func (e *Engine) keep(line string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.answer
	if a == nil || strings.TrimSpace(line) == "readyok" {
		return false
	}
	const header = 16 // bytes of a string without its text
	if a.size += header + len(line); a.size > maxWaiting {
		a.cut = true
		return true
	}
	a.lines = append(a.lines, line)
	return true
}
