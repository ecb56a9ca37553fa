//go:build !debug

package invariant

// Enabled reports whether this build checks invariants: it does not have the
// tag debug.
const Enabled = false

// State is a T that only checks use: in builds without the tag debug it takes
// no space, except as the last field of a struct, where it is padded.
type State[T any] struct{}

// Get returns the T, initially its zero value; nil without the tag debug.
func (*State[T]) Get() *T { return nil }
