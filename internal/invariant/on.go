//go:build debug

package invariant

// Enabled reports whether this build checks invariants: it has the tag debug.
const Enabled = true

// State is a T that only checks use: in builds without the tag debug it takes
// no space, except as the last field of a struct, where it is padded.
type State[T any] struct{ value T }

// Get returns the T, initially its zero value; nil without the tag debug.
func (s *State[T]) Get() *T { return &s.value }
