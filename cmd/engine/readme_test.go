//go:build !tune

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Engines to be tuned have more options, for which there is no table.

// TestOptionTable compares the README's table of options with what the engine
// answers to uci: names, defaults, and ranges of numbers.
func TestOptionTable(t *testing.T) {
	var out bytes.Buffer
	if status := run(context.Background(), []string{"uci"}, nil, &out, io.Discard); status != 0 {
		t.Fatalf("status %d\n%s", status, &out)
	}
	type option struct{ kind, initial, min, max string }
	options := map[string]option{}
	pattern := regexp.MustCompile(`(?m)^option name (.*) type (\w+)(?: default (.*?))?(?: min (\d+) max (\d+))?$`)
	for _, m := range pattern.FindAllStringSubmatch(out.String(), -1) {
		options[m[1]] = option{m[2], m[3], m[4], m[5]}
	}
	if len(options) < 10 {
		t.Fatalf("only %d options", len(options))
	}

	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "### Options\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 4 || strings.HasPrefix(cells[0], "---") || strings.TrimSpace(cells[0]) == "option" {
			continue
		}
		for name := range strings.SplitSeq(strings.TrimSpace(cells[0]), ", ") {
			o, ok := options[name]
			if !ok {
				t.Errorf("the README has an option %q, the engine has not", name)
				continue
			}
			delete(options, name)
			kind, initial := strings.TrimSpace(cells[1]), strings.Trim(strings.TrimSpace(cells[2]), "`")
			if kind != "" && o.kind != "button" && initial != o.initial {
				t.Errorf("%s: the default is %s, not %s", name, o.initial, initial)
			}
			if o.kind == "spin" && !strings.HasPrefix(kind, o.min+"–"+o.max) {
				t.Errorf("%s: the range is %s–%s, not %s", name, o.min, o.max, kind)
			}
		}
	}
	for name := range options {
		t.Errorf("the README lacks the option %s", name)
	}
}
