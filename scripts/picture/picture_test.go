package main

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// checkXML parses a document to its end.
func checkXML(t *testing.T, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestDraw(t *testing.T) {
	svg := string(draw([]screen{{0, parse("one & two\x1b[48;5;108m ♜ \x1b[0m" + strings.Repeat("x", 100))}}, 0, 80))
	checkXML(t, svg)
	if strings.Contains(svg, "animation") {
		t.Error("a still picture moves")
	}
	for _, want := range []string{"one &amp; two", ">♜<", `fill="#87af87"`, strings.Repeat("x", 80-12) + "<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in\n%s", want, svg)
		}
	}
}

// TestMovie draws a line that stays, one that changes, and one that appears.
func TestMovie(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for name, text := range map[string]string{
		"1000.ansi": "stays\nfirst\n", "1500.ansi": "stays\nfirst\n", "2000.ansi": "stays\nsecond\n",
		"3000.ansi": "stays\nsecond\nthird\n",
	} {
		files = append(files, filepath.Join(dir, name))
		if err := os.WriteFile(files[len(files)-1], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	screens, err := readScreens(files)
	if err != nil {
		t.Fatal(err)
	}
	svg := string(draw(screens, 2*time.Second, 80))
	checkXML(t, svg)
	for word, class := range map[string]string{
		"stays": "", "first": `<g class="s0-1" visibility="hidden">`, "second": `<g class="s1-3">`,
		"third": `<g class="s2-3">`,
	} {
		before, _, ok := strings.Cut(svg, ">"+word+"<")
		lines := strings.Split(before, "\n")
		if group := lines[len(lines)-2]; !ok || class != "" && group != class || class == "" && group[:2] == "<g" {
			t.Errorf("%s is in %s", word, group)
		}
	}
	for _, want := range []string{
		"s0-1 4.00s", "@keyframes s0-1{0.00%{visibility:visible}25.00%{visibility:hidden}}",
		"@keyframes s2-3{0%{visibility:hidden}50.00%{visibility:visible}}",
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in\n%s", want, svg)
		}
	}
	if _, err := readScreens([]string{filepath.Join(dir, "one.ansi")}); err == nil {
		t.Error("a file without a time was read")
	}
}
