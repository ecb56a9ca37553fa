package main

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	params, err := parse("# a list\n\n## Windows\nwidth  19 6 57 2.5  half of it\nheight -3 -10 10 1\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []parameter{
		{heading: "Windows"},
		{name: "width", value: 19, least: 6, most: 57, step: 2.5, comment: "half of it"},
		{name: "height", value: -3, least: -10, most: 10, step: 1},
	}
	if len(params) != len(want) {
		t.Fatalf("%d parameters: %+v", len(params), params)
	}
	for i := range want {
		if params[i] != want[i] {
			t.Errorf("%+v, want %+v", params[i], want[i])
		}
	}
	for _, text := range []string{"const (", "// Windows.", "width = 19 // half of it", "height = -3\n"} {
		if !strings.Contains(constants(params), text) {
			t.Errorf("constants lack %q", text)
		}
	}
	for _, text := range []string{"var (", "width = 19 // half of it", `{"height", &height, -10, 10, 1, false},`} {
		if !strings.Contains(variables(params), text) {
			t.Errorf("variables lack %q", text)
		}
	}
}

func TestTiming(t *testing.T) {
	params, err := parse("## Time management\nshare 5 0 10 1\n## Windows\nwidth 5 0 10 1\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"share", &share, 0, 10, 1, true},`, `{"width", &width, 0, 10, 1, false},`} {
		if !strings.Contains(variables(params), text) {
			t.Errorf("variables lack %q", text)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"width 19 6 57":                      "line 1",
		"\nWidth 19 6 57 2":                  `line 2: "Width" is not the name`,
		"two words 6 57 2":                   `two: strconv.Atoi: parsing "words"`,
		"width 19 20 57 2":                   "19 is not within 20 and 57",
		"width 19 6 57 0.5":                  "a step of 0.5",
		"width 19 6 57 20":                   "a step of 20",
		"width 19 6 57 x":                    `width: strconv.ParseFloat: parsing "x"`,
		"width 19 6 57 2\nwidth 19 6 57 2 b": "line 2: there are two parameters width",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
