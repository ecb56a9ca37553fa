package uciclient

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestParseOption(t *testing.T) {
	for line, want := range map[string]Option{
		"name Clear Hash type button":                 {Name: "Clear Hash", Type: Button},
		"name A type check default true":              {Name: "A", Type: Check, Default: "true"},
		"name A B type spin default -1 min -5 max 10": {Name: "A B", Type: Spin, Default: "-1", Min: -5, Max: 10},
		"name A type check default true for now":      {Name: "A", Type: Check, Default: "true"},
		"name A type string default <empty>":          {Name: "A", Type: String},
		"name A type string default two words":        {Name: "A", Type: String, Default: "two words"},
		"name A type string default":                  {Name: "A", Type: String},
		"name A type spin default 1 min 0 max 10 step 1": {
			Name: "A", Type: Spin, Default: "1", Min: 0, Max: 10,
		},
		"name A type spin default 1": {
			Name: "A", Type: Spin, Default: "1", Min: math.MinInt64, Max: math.MaxInt64,
		},
		"name A type spin min 1 max 18446744073709551615": {
			Name: "A", Type: Spin, Min: 1, Max: math.MaxInt64,
		},
		"name A type string default /my name/var default min": {
			Name: "A", Type: String, Default: "/my name/var default min",
		},
		"name Log default max type check default true": {Name: "Log default max", Type: Check, Default: "true"},
		"name A type combo default default var default var max": {
			Name: "A", Type: Combo, Default: "default", Values: []string{"default", "max"},
		},
		"name A type combo default x var x var y z": {
			Name: "A", Type: Combo, Default: "x", Values: []string{"x", "y z"},
		},
	} {
		if got, err := parseOption(strings.Fields(line)); !reflect.DeepEqual(got, want) || err != nil {
			t.Errorf("%q: %+v, %v, want %+v", line, got, err, want)
		}
	}
	for line, want := range map[string]string{
		"":                             "unknown type",
		"type check":                   "the name is missing",
		"A type check":                 `"A" instead of name`,
		"name A type check on":         `option "A": "on" after the type check`,
		"name A type slider":           `option "A": unknown type "slider"`,
		"name A type spin min x max 1": `option "A": no range from "x" to "1"`,
		"name A type spin min 2 max 1": `option "A": no range from "2" to "1"`,
	} {
		if o, err := parseOption(strings.Fields(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v, want %s", line, o, err, want)
		}
	}
}

// TestTooManyOptions keeps the first options of an engine with too many of them.
func TestTooManyOptions(t *testing.T) {
	e := startFake(t, "has too many options")
	if n := len(e.Options()); n != maxOptions || e.Ignored() != 6 {
		t.Errorf("%d options, %d lines were ignored", n, e.Ignored())
	}
	if o, ok := e.Option("Hash"); !ok || o.Default != "16" {
		t.Errorf("Hash is %+v", o)
	}
}

func TestSetOption(t *testing.T) {
	e, sent := startLogged(t)
	*sent = nil
	set := func(name, value string) error { return e.SetOption(limit(t), name, value) }
	for _, c := range []struct {
		err  error
		want string // what is sent, or the end of the error
	}{
		{set("hash", "+64"), "setoption name Hash value 64"},
		{e.SetSpin(limit(t), "Hash", 1024), "setoption name Hash value 1024"},
		{set("Style", "very risky"), "setoption name Style value Very Risky"},
		{set("Book File", ""), "setoption name Book File value <empty>"},
		{set("Book File", "my book.bin"), "setoption name Book File value my book.bin"},
		{e.Press(limit(t), "Clear Hash"), "setoption name Clear Hash"},
		{e.SetCheck(limit(t), "UCI_Chess960", true), "setoption name UCI_Chess960 value true"},
		{set("Hush", "1"), `option "Hush": the engine has no such option`},
		{set("Hash", "0"), `option "Hash": 0 is not between 1 and 1024`},
		{set("Hash", "99999999999999999999"), `option "Hash": 99999999999999999999 is not between 1 and 1024`},
		{set("Hash", "much"), `option "Hash": "much" is not a number`},
		{set("Style", "Wild"), `option "Style": "Wild" is not one of ["Solid" "Normal" "Very Risky"]`},
		{set("Clear Hash", "now"), `option "Clear Hash": a button takes no value`},
		{set("UCI_Chess960", "yes"), `option "UCI_Chess960": "yes" is neither true nor false`},
		{set("Book File", "a\nquit"), `option "Book File": the value "a\nquit" has a line break`},
		{e.SetCheck(limit(t), "Hash", true), `option "Hash": is of type spin, not check`},
		{e.Press(limit(t), "Hash"), `option "Hash": is of type spin, not button`},
	} {
		got := ""
		if c.err != nil {
			var o *OptionError
			if got = c.err.Error(); !errors.As(c.err, &o) {
				t.Errorf("not an OptionError: %v", c.err)
			}
		} else if len(*sent) > 0 {
			got, *sent = (*sent)[0], (*sent)[1:]
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if len(e.Options()) != strings.Count(introduction, "option ") {
		t.Errorf("options %+v", e.Options())
	}
}
