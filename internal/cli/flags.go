package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// Flags are the flags of a command, in groups.
type Flags struct {
	*pflag.FlagSet
	groups []group
}

// group is a heading of the help and the number of flags defined before it.
type group struct {
	heading string
	first   int
}

// NewFlags returns the flags of a command, whose name is as in "tune eval".
func NewFlags(command string) *Flags {
	flags := &Flags{FlagSet: pflag.NewFlagSet(command, pflag.ContinueOnError)}
	flags.SortFlags = false
	flags.Usage = func() {} // Parse returns pflag.ErrHelp
	return flags
}

// Group puts the flags that are defined next under a heading in the help.
func (f *Flags) Group(heading string) {
	f.groups = append(f.groups, group{heading, len(f.all())})
}

// all returns all flags in the order of their definition.
func (f *Flags) all() (list []*pflag.Flag) {
	f.VisitAll(func(flag *pflag.Flag) { list = append(list, flag) })
	return list
}

// Find returns the flag with a name or a letter, nil if there is none.
func (f *Flags) Find(name string) *pflag.Flag {
	if flag := f.Lookup(name); flag != nil || len(name) != 1 {
		return flag
	}
	return f.ShorthandLookup(name)
}

// Parse parses flags that may be mixed with other arguments, which Args returns
// afterwards; all arguments after -- are such. Names of more than one letter may
// have one dash as well as two. The error is pflag.ErrHelp if --help or -h is given.
func (f *Flags) Parse(args []string) error {
	f.takeDecimals()
	return f.explain(f.FlagSet.Parse(f.normalize(args)))
}

// Set sets the flag with a name.
func (f *Flags) Set(name, value string) error {
	f.takeDecimals()
	return f.explain(f.FlagSet.Set(name, value))
}

// takeDecimals lets numbers begin with zeros, which would make them octal for pflag.
func (f *Flags) takeDecimals() {
	for _, flag := range f.all() {
		switch flag.Value.Type() {
		case "int", "int32", "int64", "uint", "uint32", "uint64":
			if _, done := flag.Value.(decimal); !done {
				flag.Value = decimal{flag.Value}
			}
		}
	}
}

// decimal is the value of a flag that is a whole number.
type decimal struct{ pflag.Value }

// Set sets the number without the zeros before its first digit.
func (d decimal) Set(text string) error {
	number := strings.TrimLeft(text, "+-")
	sign := strings.TrimSuffix(text, number)
	for len(number) > 1 && number[0] == '0' && number[1] >= '0' && number[1] <= '9' {
		number = number[1:]
	}
	return d.Value.Set(sign + number)
}

// normalize returns the arguments with two dashes before the names of flags and one
// before letters. Values of flags, which may begin with a dash, stay as they are.
func (f *Flags) normalize(args []string) []string {
	var list []string
	for i := 0; i < len(args); i++ {
		text := strings.TrimLeft(args[i], "-")
		dashes := len(args[i]) - len(text)
		if args[i] == "--" {
			return append(list, args[i:]...)
		}
		if text == "" || dashes == 0 || dashes > 2 {
			list = append(list, args[i])
			continue
		}
		name, _, assigned := strings.Cut(text, "=")
		prefix := "--"
		if utf8.RuneCountInString(name) == 1 {
			prefix = "-"
		}
		list = append(list, prefix+text)
		if flag := f.Find(name); flag != nil && flag.NoOptDefVal == "" && !assigned && i+1 < len(args) {
			i++
			list = append(list, args[i])
		}
	}
	return list
}

// explain rewords the errors of the parser.
func (f *Flags) explain(err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("unknown flag -%s", name)
		}
		var names []string
		for _, flag := range f.all() {
			names = append(names, flag.Name)
		}
		return fmt.Errorf("unknown flag --%s%s", name, suggestion(name, "--", names))
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fmt.Errorf("--%s: invalid value %q: %w", invalid.GetFlag().Name, invalid.GetValue(), invalid.Unwrap())
	}
	return err
}

// Useless returns an error that names the first of the flags that was given, if any was.
// They have no effect in the case that when tells, such as "with --book".
func Useless(flags *Flags, when string, names ...string) error {
	for _, name := range names {
		if flags.Changed(name) {
			return fmt.Errorf("--%s has no effect %s", name, when)
		}
	}
	return nil
}

// NaturalVar adds a flag that sets p, whose value is the default, to a number that is not
// negative.
func NaturalVar(flags *Flags, p *int, name, usage string) {
	flags.Var((*natural)(p), name, usage)
}

// natural is the value of a flag of NaturalVar.
type natural int

func (n *natural) String() string { return strconv.Itoa(int(*n)) }
func (n *natural) Type() string   { return "int" }

func (n *natural) Set(text string) error {
	number, err := strconv.Atoi(text)
	if err == nil && number < 0 {
		err = errors.New("it is negative")
	}
	if err == nil {
		*n = natural(number)
	}
	return err
}
