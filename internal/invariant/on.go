//go:build debug

package invariant

// Enabled tells whether this build checks invariants: it has the tag debug.
const Enabled = true

// State is a T that only checks need: in builds without the tag debug it takes
// no space. As the last field of a struct it would nevertheless be padded.
type State[T any] struct{ value T }

// Get returns the T, at first its zero value; nil without the tag debug.
func (s *State[T]) Get() *T { return &s.value }
