package uciclient

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// ErrSearching reports that a search runs, which has to end first.
var ErrSearching = errors.New("a search is running")

// ExitError reports that the engine has ended.
type ExitError struct {
	State  *os.ProcessState // nil if the system does not tell
	Stderr string           // what it wrote to standard error, at most its first and its last 4 KiB
}

func (e *ExitError) Error() string {
	const most = 500 // bytes
	words := strings.TrimSpace(e.Stderr)
	if len(words) > most {
		words = "..." + strings.ToValidUTF8(words[len(words)-most:], "")
	}
	if words != "" {
		words = ": " + words
	}
	state := ""
	if e.State != nil {
		state = ": " + e.State.String()
	}
	return "the engine has ended" + state + words
}

// TimeoutError reports that the engine did not answer a command.
type TimeoutError struct {
	Command string
	Limit   time.Duration
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("the engine did not answer %s within %v", e.Command, e.Limit)
}

// Timeout returns true, as do errors of package net about a deadline.
func (e *TimeoutError) Timeout() bool { return true }
