package spsa

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Change is other values of one or more parameters, by name.
type Change map[string]int

// String returns the change in the format NAME=VALUE,NAME=VALUE.
func (c Change) String() string {
	var fields []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		fields = append(fields, fmt.Sprintf("%s=%d", name, c[name]))
	}
	return strings.Join(fields, ",")
}

// Changes is a list of changes, no two of which have a parameter in common.
type Changes []Change

// Add reads a change in the format NAME=VALUE,NAME=VALUE and appends it. Its values
// must differ from those of the list of parameters.
func (c *Changes) Add(text string, list []Parameter) error {
	change, err := assignments(text, list)
	if err != nil {
		return err
	}
	if len(change) == 0 {
		return errors.New("a change without parameters")
	}
	for _, p := range list {
		value, ok := change[p.Name]
		if !ok {
			continue
		}
		if value == p.Start {
			return fmt.Errorf("%s is %d without the change", p.Name, value)
		}
		for _, other := range *c {
			if _, ok := other[p.Name]; ok {
				return fmt.Errorf("%s is in two changes, %v and %v", p.Name, other, Change(change))
			}
		}
	}
	*c = append(*c, change)
	return nil
}

// Read appends the changes of a file, one per line.
func (c *Changes) Read(name string, list []Parameter) error {
	return readLines(name, func(text string) error { return c.Add(text, list) })
}

// values returns the names of all parameters in the changes, in the order of the
// list, and their values there.
func (c Changes) values(list []Parameter) (names []string, values []int) {
	for _, p := range list {
		if slices.ContainsFunc(c, func(change Change) bool { _, ok := change[p.Name]; return ok }) {
			names, values = append(names, p.Name), append(values, p.Start)
		}
	}
	return names, values
}
