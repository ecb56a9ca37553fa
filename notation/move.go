package notation

import "fmt"

// Fault is the kind of an error in the text of a move.
type Fault uint8

// The faults. Malformed text is not a move in any position, illegal text is not
// one in this position, ambiguous text stands for several legal moves.
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

// MoveError is an error in the text of a move.
type MoveError struct {
	Text   string // as given, or its first 16 characters and "..."
	Fault  Fault
	Reason string
}

func (e *MoveError) Error() string {
	return fmt.Sprintf("move %q: %s: %s", e.Text, e.Fault, e.Reason)
}

func moveError(text string, fault Fault, format string, args ...any) error {
	if start := fmt.Sprintf("%.16s", text); len(start) < len(text) {
		text = start + "..."
	}
	return &MoveError{text, fault, fmt.Sprintf(format, args...)}
}
