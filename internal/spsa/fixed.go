//go:build !tune

package spsa

import "errors"

var errFixed = errors.New("the parameters of the search are fixed in this program; build it with -tags tune")

// Tunables returns an error: there are none to tune.
func Tunables() ([]Parameter, error) { return nil, errFixed }

func setter([]string) (func([]int), error) { return nil, errFixed }
