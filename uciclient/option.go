package uciclient

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// OptionType is the type of an option.
type OptionType string

// The types of options.
const (
	Check  OptionType = "check"  // true or false
	Spin   OptionType = "spin"   // an integer from Min to Max
	Combo  OptionType = "combo"  // one of Values
	Button OptionType = "button" // has no value
	String OptionType = "string" // any text on one line
)

// Option is an option that an engine offers.
type Option struct {
	Name     string
	Type     OptionType
	Default  string // as in UCI; "" for a button and for the text <empty>
	Min, Max int64  // of a Spin; those of int64 if the engine does not tell
	Values   []string
}

// emptyText stands for the empty text in UCI.
const emptyText = "<empty>"

// OptionError reports that an option cannot be set, or that an engine's line about it
// is invalid.
type OptionError struct {
	Name   string
	Reason string
}

func (e *OptionError) Error() string { return fmt.Sprintf("option %q: %s", e.Name, e.Reason) }

// Validate returns an *OptionError that names the option unless the value is one
// that it can be set to; a Button takes only "". The values true and false, and those
// of a Combo, may be of either case.
func (o *Option) Validate(value string) error {
	_, err := o.canonical(value)
	return err
}

// canonical returns a value as the engine spells it.
func (o *Option) canonical(value string) (string, error) {
	refuse := func(format string, args ...any) (string, error) {
		return "", &OptionError{o.Name, fmt.Sprintf(format, args...)}
	}
	switch o.Type {
	case Check:
		if lower := strings.ToLower(value); lower == "true" || lower == "false" {
			return lower, nil
		}
		return refuse("%.40q is neither true nor false", value)
	case Spin:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return refuse("%.40q is not a number", value)
		}
		if err != nil || n < o.Min || n > o.Max {
			return refuse("%.40s is not between %d and %d", value, o.Min, o.Max)
		}
		return strconv.FormatInt(n, 10), nil
	case Combo:
		for _, v := range o.Values {
			if strings.EqualFold(v, value) {
				return v, nil
			}
		}
		return refuse("%.40q is not one of %q", value, o.Values)
	case Button:
		if value != "" {
			return refuse("a button takes no value")
		}
		return "", nil
	}
	if strings.ContainsAny(value, "\r\n") {
		return refuse("the value %.40q has a line break", value)
	}
	if value == "" {
		return emptyText, nil
	}
	return value, nil
}

// optionWords returns the words that begin a part of an option line after its type. In
// the text of a Combo or String all others are text.
func optionWords(t OptionType) []string {
	switch t {
	case Combo:
		return []string{"default", "var"}
	case String:
		return []string{"default"}
	}
	return []string{"default", "min", "max", "var"}
}

// parseOption parses the words after option. The error names the option, if it has a
// name. The name ends with the first word type; a word right after default or var is
// text in a Combo or String.
func parseOption(words []string) (Option, error) {
	var o Option
	if len(words) > 0 && words[0] == "name" {
		words = words[1:]
	} else if len(words) > 0 && words[0] != "type" {
		return o, fmt.Errorf("option: %.40q instead of name", words[0])
	}
	nameLength := slices.Index(words, "type")
	if nameLength < 0 {
		nameLength = len(words)
	}
	o.Name, words = strings.Join(words[:nameLength], " "), words[nameLength:]
	if len(words) > 1 {
		o.Type = OptionType(words[1])
	}
	separators := optionWords(o.Type)
	parts := map[string]string{}
	for words = words[min(2, len(words)):]; len(words) > 0; {
		n := 1
		if o.Type == Combo || o.Type == String {
			n = min(2, len(words))
		}
		for n < len(words) && (o.Type == String || !slices.Contains(separators, words[n])) {
			n++
		}
		word, text := words[0], strings.Join(words[1:n], " ")
		if n > 1 && (o.Type == Check || o.Type == Spin) {
			text = words[1] // the rest is unknown
		}
		switch words = words[n:]; {
		case word == "var":
			o.Values = append(o.Values, text)
		case slices.Contains(separators, word):
			parts[word] = text
		default:
			return o, &OptionError{o.Name, fmt.Sprintf("%.40q after the type %s", word, o.Type)}
		}
	}
	if o.Default = parts["default"]; o.Default == emptyText {
		o.Default = ""
	}
	switch o.Type {
	case Check, Combo, Button, String:
	case Spin:
		var minOK, maxOK bool
		o.Min, minOK = parseLimit(parts["min"], math.MinInt64)
		o.Max, maxOK = parseLimit(parts["max"], math.MaxInt64)
		if !minOK || !maxOK || o.Min > o.Max {
			return o, &OptionError{o.Name, fmt.Sprintf("no range from %.40q to %.40q", parts["min"], parts["max"])}
		}
	default:
		return o, &OptionError{o.Name, fmt.Sprintf("unknown type %.40q", o.Type)}
	}
	if o.Name == "" {
		return o, errors.New("option: the name is missing")
	}
	return o, nil
}

// parseLimit parses a limit of a Spin, which is the extreme one if it is missing and the
// nearest int64 if it is out of range.
func parseLimit(text string, extreme int64) (n int64, ok bool) {
	if text == "" {
		return extreme, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}
