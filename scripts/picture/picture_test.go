package main

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	lines := parse("a\x1b[1mb\x1b[0m\x1b[38;5;231;48;5;108m ♜ \x1b[39;49m<\x1b[2K\n\n\n")
	if len(lines) != 1 || len(lines[0]) != 6 {
		t.Fatalf("%v", lines)
	}
	square := style{foreground: "#ffffff", background: "#87af87"}
	want := []cell{{'a', style{}}, {'b', style{bold: true}}, {' ', square}, {'♜', square}, {' ', square},
		{'<', style{}}}
	for i, c := range lines[0] {
		if c != want[i] {
			t.Errorf("cell %d is %+v, want %+v", i, c, want[i])
		}
	}
}

func TestDraw(t *testing.T) {
	svg := string(draw(parse("one & two\x1b[48;5;108m ♜ \x1b[0m"+strings.Repeat("x", 100)), 80))
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"one &amp; two", ">♜<", `fill="#87af87"`, strings.Repeat("x", 80-12) + "<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in\n%s", want, svg)
		}
	}
}
