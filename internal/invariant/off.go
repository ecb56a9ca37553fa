//go:build !debug

package invariant

// Enabled tells whether this build checks invariants: it lacks the tag debug.
const Enabled = false

// State is a T that only checks need: in builds without the tag debug it takes
// no space. As the last field of a struct it would nevertheless be padded.
type State[T any] struct{}

// Get returns the T, at first its zero value; nil without the tag debug.
func (*State[T]) Get() *T { return nil }
