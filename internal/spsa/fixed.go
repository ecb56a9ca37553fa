//go:build !tune

package spsa

import "errors"

var errFixed = errors.New("the parameters of the search are constants in this build; build with -tags tune")

// Tunables returns an error, because the parameters of this build are constants.
func Tunables() ([]Parameter, error) { return nil, errFixed }

// Untimed returns list, which is empty in this build.
func Untimed(list []Parameter) []Parameter { return list }

// setter returns the same error.
func setter([]string) (func([]int), error) { return nil, errFixed }
