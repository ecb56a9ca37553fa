// Package invariant checks conditions that must hold whatever the input, and
// panics where they do not, so that a bug is found where it occurs. Checks
// exist only in builds with the tag debug; callers make them conditional on the
// constant Enabled, so that normal builds contain no code of them:
//
//	if invariant.Enabled {
//		invariant.NoError(p.Validate())
//	}
package invariant

import "fmt"

// Violation is the panic value of a failed check.
type Violation struct {
	Message string // the name of the checking package, and what is wrong
}

func (v *Violation) Error() string { return "invariant violated: " + v.Message }

// Check panics with a *Violation unless ok is true. The message is formatted as
// by fmt.Sprintf. Its arguments are evaluated, and possibly allocated, even if
// ok is true; where that is too slow, use NoError with a function that returns
// an error.
func Check(ok bool, format string, args ...any) {
	if !ok {
		panic(&Violation{fmt.Sprintf(format, args...)})
	}
}

// NoError panics with a *Violation with the message of err, unless err is nil.
func NoError(err error) {
	if err != nil {
		panic(&Violation{err.Error()})
	}
}

// Catch calls f and returns the *Violation that it panics with, nil if there is
// none. Other panics are not recovered. It is for tests.
func Catch(f func()) (v *Violation) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Violation:
			v = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}
