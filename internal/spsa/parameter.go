package spsa

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"skein/internal/input"
)

// Parameter is an integer parameter to tune.
type Parameter struct {
	Name     string
	Start    int // initial value
	Min, Max int
	CEnd     float64 // perturbation in the last iteration, 0.5 to MaxGain
	REnd     float64 // learning rate of the last iteration, up to MaxGain
}

// MaxGain bounds perturbations and learning rates, so that their products are finite.
const MaxGain = 1e9

// leastChange is the least perturbation with which the values of the sides, which are
// rounded to integers, always differ.
const leastChange = 0.5

// String returns the parameter in the format of OpenBench: name, type, value,
// minimum, maximum, C_end, R_end.
func (p *Parameter) String() string {
	return fmt.Sprintf("%s, int, %d, %d, %d, %g, %g", p.Name, p.Start, p.Min, p.Max, p.CEnd, p.REnd)
}

// Select returns the parameters of the list whose name matches a pattern of
// path.Match, in the order of the list. It is an error if a pattern matches none.
func Select(patterns []string, list []Parameter) (chosen []Parameter, err error) {
	used := make([]bool, len(patterns))
	for _, p := range list {
		found := false
		for i, pattern := range patterns {
			match, err := path.Match(strings.TrimSpace(pattern), p.Name)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", pattern, err)
			}
			found, used[i] = found || match, used[i] || match
		}
		if found {
			chosen = append(chosen, p)
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return nil, fmt.Errorf("there is no parameter %q", patterns[i])
	}
	return chosen, nil
}

// Sides reads the values of parameters for each side of a match, both in the format
// NAME=VALUE,NAME=VALUE. It returns the names of all parameters in either, and the
// values of each side; what a side does not give has the value of the list.
func Sides(texts [2]string, list []Parameter) (names []string, values [2][]int, err error) {
	var given [2]map[string]int
	for side, text := range texts {
		if given[side], err = assignments(text, list); err != nil {
			return nil, values, err
		}
	}
	for _, p := range list {
		_, first := given[0][p.Name]
		_, second := given[1][p.Name]
		if !first && !second {
			continue
		}
		names = append(names, p.Name)
		for side := range values {
			value, ok := given[side][p.Name]
			if !ok {
				value = p.Start
			}
			values[side] = append(values[side], value)
		}
	}
	return names, values, nil
}

// assignments reads values of parameters in the format NAME=VALUE,NAME=VALUE.
func assignments(text string, list []Parameter) (map[string]int, error) {
	given := map[string]int{}
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		n, err := strconv.Atoi(value)
		if err != nil {
			return nil, fmt.Errorf("%q is not NAME=VALUE with an integer", field)
		}
		i := slices.IndexFunc(list, func(p Parameter) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no parameter %q", name)
		}
		if p := &list[i]; n < p.Min || n > p.Max {
			return nil, fmt.Errorf("%s is %d to %d, not %d", name, p.Min, p.Max, n)
		}
		if _, twice := given[name]; twice {
			return nil, fmt.Errorf("%s has two values", name)
		}
		given[name] = n
	}
	return given, nil
}

// ReadParameters reads a file of parameters in the format of OpenBench, one per
// line. Each must be among all, with no wider a range there, and have one line.
func ReadParameters(name string, all []Parameter) ([]Parameter, error) {
	var list []Parameter
	err := readLines(name, func(text string) error {
		p, err := parseParameter(text)
		if err != nil {
			return err
		}
		named := func(q Parameter) bool { return q.Name == p.Name }
		i := slices.IndexFunc(all, named)
		switch {
		case i < 0:
			return fmt.Errorf("there is no parameter %q", p.Name)
		case slices.ContainsFunc(list, named):
			return fmt.Errorf("%s is there twice", p.Name)
		case p.Min < all[i].Min || p.Max > all[i].Max:
			return fmt.Errorf("%s is %d to %d, not %d to %d", p.Name, all[i].Min, all[i].Max, p.Min, p.Max)
		}
		list = append(list, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no parameters", name)
	}
	return list, nil
}

// readLines calls use with the lines of a file, except empty ones and those that
// begin with #, until it returns an error.
func readLines(name string, use func(text string) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	n := 0
	for text, err := range input.Lines(f) {
		n++
		text = strings.TrimSpace(text)
		if err == nil && text != "" && text[0] != '#' {
			err = use(text)
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", name, n, err)
		}
	}
	return nil
}

// parseParameter is the inverse of String.
func parseParameter(line string) (p Parameter, err error) {
	fields := strings.Split(line, ",")
	if len(fields) != 7 {
		return p, fmt.Errorf("expected name, int, value, minimum, maximum, C_end, R_end, found %d fields", len(fields))
	}
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	p.Name = fields[0]
	if fields[1] != "int" {
		return p, fmt.Errorf("type %q is not int", fields[1])
	}
	for i, v := range []*int{&p.Start, &p.Min, &p.Max} {
		if *v, err = strconv.Atoi(fields[2+i]); err != nil {
			return p, fmt.Errorf("%q is not an integer", fields[2+i])
		}
	}
	for i, v := range []*float64{&p.CEnd, &p.REnd} {
		if *v, err = strconv.ParseFloat(fields[5+i], 64); err != nil || !(*v > 0 && *v <= MaxGain) {
			return p, fmt.Errorf("%q is not a positive number up to %g", fields[5+i], MaxGain)
		}
	}
	if p.CEnd < leastChange {
		return p, fmt.Errorf("a C_end of %g is less than %g: both sides can have the same value", p.CEnd, leastChange)
	}
	if p.Min > p.Start || p.Start > p.Max {
		return p, fmt.Errorf("%d is not between %d and %d", p.Start, p.Min, p.Max)
	}
	return p, nil
}
