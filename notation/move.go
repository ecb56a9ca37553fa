package notation

import "fmt"

// Fault is the kind of thing that is wrong with the text of a move.
type Fault uint8

// The faults. Malformed text is no move in any position, illegal text none in
// this one; ambiguous text stands for several legal moves.
const (
	Malformed Fault = iota
	Illegal
	Ambiguous
)

func (f Fault) String() string {
	switch f {
	case Malformed:
		return "malformed"
	case Illegal:
		return "illegal"
	}
	return "ambiguous"
}

// MoveError says why a text is not a move in a position.
type MoveError struct {
	Text   string // as given, shortened if overlong
	Fault  Fault
	Reason string // may be empty
}

func (e *MoveError) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("move %q: %s", e.Text, e.Fault)
	}
	return fmt.Sprintf("move %q: %s: %s", e.Text, e.Fault, e.Reason)
}

func moveError(text string, fault Fault, format string, args ...any) error {
	const limit = 16
	if len(text) > limit {
		text = text[:limit] + "..."
	}
	return &MoveError{text, fault, fmt.Sprintf(format, args...)}
}
