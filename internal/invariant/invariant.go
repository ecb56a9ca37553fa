// Package invariant checks what must be true whatever the input, and panics
// where it is not: the search for a bug then begins where the bug is. Checks
// exist only in builds with the tag debug; callers make them conditional on the
// constant Enabled, so that a normal build contains nothing of them:
//
//	if invariant.Enabled {
//		invariant.NoError(p.Validate())
//	}
package invariant

import "fmt"

// Violation is what a failed check panics with.
type Violation struct {
	Message string // what is wrong, after the name of the package that says so
}

func (v *Violation) Error() string { return "invariant violated: " + v.Message }

// Check panics with a *Violation unless ok is true. The message is formatted as
// by fmt.Sprintf. The arguments are evaluated, and may be allocated, even if
// all is well; where that costs too much, let a function return an error and
// use NoError.
func Check(ok bool, format string, args ...any) {
	if !ok {
		panic(&Violation{fmt.Sprintf(format, args...)})
	}
}

// NoError panics with a *Violation that says what err says, unless err is nil.
func NoError(err error) {
	if err != nil {
		panic(&Violation{err.Error()})
	}
}

// Catch calls f and returns the violation it panics with, nil if there is none.
// Other panics pass. It is for tests.
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
