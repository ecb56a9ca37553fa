//go:build tune

package spsa

import (
	"fmt"
	"slices"

	"skein/search"
)

// defaultREnd is the usual learning rate of the last iteration.
const defaultREnd = 0.002

// Tunables returns the parameters of the search.
func Tunables() (list []Parameter, err error) {
	for _, t := range search.Tunables() {
		list = append(list, Parameter{t.Name, *t.Value, t.Min, t.Max, t.Step, defaultREnd})
	}
	return list, nil
}

// Untimed returns the parameters that are not about time management.
func Untimed(list []Parameter) []Parameter {
	timing := map[string]bool{}
	for _, t := range search.Tunables() {
		timing[t.Name] = t.Timing
	}
	return slices.DeleteFunc(slices.Clone(list), func(p Parameter) bool { return timing[p.Name] })
}

// setter returns a function that sets the parameters with the given names. It must
// not be called during a search.
func setter(names []string) (func(values []int), error) {
	all := map[string]*int{}
	for _, t := range search.Tunables() {
		all[t.Name] = t.Value
	}
	var targets []*int
	for _, name := range names {
		if all[name] == nil {
			return nil, fmt.Errorf("the search has no parameter %q", name)
		}
		targets = append(targets, all[name])
	}
	return func(values []int) {
		changed := false
		for i, v := range values {
			changed = changed || *targets[i] != v
			*targets[i] = v
		}
		if changed {
			search.Retune()
		}
	}, nil
}
