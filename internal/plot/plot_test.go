package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

// elements returns the start elements of the picture, which must be whole XML.
func elements(t *testing.T, svg []byte) (found []xml.StartElement, words string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found, words
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			found = append(found, token.Copy())
			for _, a := range token.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("%s has %s=%q", token.Name.Local, a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			words += string(token) + "|"
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// TestLines looks at where points are drawn.
func TestLines(t *testing.T) {
	c := Chart{
		Title: "loss & <more>", XLabel: "superbatch", YLabel: "loss",
		Series: []Series{
			{Name: "training", X: []float64{0, 5, 10}, Y: []float64{0, 100, 50}},
			{Name: "validation", X: []float64{0, 10, 11}, Y: []float64{100, 0, math.NaN()}},
		},
	}
	found, words := elements(t, c.SVG())
	for _, want := range []string{"loss & <more>", "superbatch", "training", "validation", "|0|", "|60|", "|10|"} {
		if !strings.Contains(words, want) {
			t.Errorf("%q is not in the words %q", want, words)
		}
	}
	var lines []string
	for _, e := range found {
		if e.Name.Local == "polyline" {
			lines = append(lines, strings.TrimSpace(attribute(e, "points")))
		}
	}
	// The y axis has a twentieth of 100 of room on both sides.
	want := []string{"80.0,402.9 430.0,61.1 780.0,232.0", "80.0,61.1 780.0,402.9"}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("lines %q instead of %q", lines, want)
	}
}

// TestBars counts bars and their heights.
func TestBars(t *testing.T) {
	c := Chart{Bars: true, Labels: []string{"a", "b", "c"},
		Series: []Series{{X: []float64{0, 1, 2}, Y: []float64{10, 20, 0}}}}
	found, words := elements(t, c.SVG())
	var heights []string
	for _, e := range found {
		if attribute(e, "fill-opacity") != "" {
			heights = append(heights, attribute(e, "height"))
		}
	}
	// 376 pixels for 21.
	if want := []string{"179.0", "358.1", "0.0"}; !reflect.DeepEqual(heights, want) {
		t.Errorf("heights %q instead of %q", heights, want)
	}
	if !strings.Contains(words, "|b|") {
		t.Errorf("no label in %q", words)
	}
}

// TestWhiskers finds the ends of the one whisker that has a length. The y axis
// ends a twentieth above it.
func TestWhiskers(t *testing.T) {
	c := Chart{Bars: true, Series: []Series{{X: []float64{0, 1, 2, 3}, Y: []float64{0, 10, 20, 5},
		Error: []float64{0, 10, math.NaN()}}}}
	found, _ := elements(t, c.SVG())
	var paths []string
	for _, e := range found {
		if e.Name.Local == "path" {
			paths = append(paths, attribute(e, "d"))
		}
	}
	if want := []string{"M342.50,420.0V61.9M334.50,420.0h16M334.50,61.9h16"}; !reflect.DeepEqual(paths, want) {
		t.Errorf("whiskers %q instead of %q", paths, want)
	}
	c = Chart{Bars: true, Series: []Series{{X: []float64{0, 1}, Y: []float64{1, 2}, Error: []float64{3, 1}}}}
	if _, words := elements(t, c.SVG()); !strings.Contains(words, "|-2|") {
		t.Errorf("the axis does not reach the end of a whisker below zero: %q", words)
	}
}

// TestOdd draws what is hardly a chart: it must be a whole picture.
func TestOdd(t *testing.T) {
	inf := math.Inf(1)
	for _, bars := range []bool{false, true} {
		for _, s := range [][]Series{
			nil, {{}}, {{X: []float64{1}, Y: []float64{2}}}, {{X: []float64{1, 1}, Y: []float64{0, 0}}},
			{{X: []float64{math.NaN(), inf}, Y: []float64{1, -inf}}},
			{{X: []float64{1, 2, 3}, Y: []float64{1e-9, -1e12}}},
			{{X: []float64{1e15, 1e15 + 1}, Y: []float64{1e-300, 1e300}}},
			{{X: []float64{-5, 5}, Y: []float64{-3, -1}}},
		} {
			for _, log := range []bool{false, true} {
				c := Chart{Series: s, Bars: bars, LogY: log}
				if found, _ := elements(t, c.SVG()); len(found) < 3 || len(found) > 200 {
					t.Errorf("%v: %d elements", s, len(found))
				}
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64
		log    bool
		n      int
		want   string
	}{
		{0, 10, false, 5, "0 2 4 6 8 10"}, {0, 1, false, 5, "0 0.2 0.4 0.6 0.8 1.0"},
		{-0.03, 0.03, false, 6, "-0.03 -0.02 -0.01 0 0.01 0.02 0.03"},
		{0, 2e6, false, 4, "0 500k 1.0M 1.5M 2.0M"}, {0, 50000, false, 5, "0 10k 20k 30k 40k 50k"},
		{3.2, 3.9, false, 7, "3.2 3.3 3.4 3.5 3.6 3.7 3.8 3.9"},
		{-2.2, -0.9, true, 5, "0.01 0.02 0.05 0.1"}, {-2.6, -2.3, true, 5, "0.0030 0.0035 0.0040 0.0045 0.0050"},
		{-3, 3, true, 6, "0.001 0.01 0.1 1 10 100 1000"},
	} {
		a := axis{lo: test.lo, hi: test.hi, log: test.log}
		var got []string
		for _, v := range a.ticks(test.n) {
			got = append(got, v.String())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%g to %g: %q instead of %q", test.lo, test.hi, got, test.want)
		}
	}
}

// TestLabels draws labels that do not fit side by side at a slant, inside the
// picture.
func TestLabels(t *testing.T) {
	for _, test := range []struct {
		labels  []string
		slanted bool
	}{
		{[]string{"a win", "a draw", "a loss"}, false},
		{[]string{"threefold repetition", "b", "c", "d", "e", "f"}, true},
		{strings.Fields(strings.Repeat("100-119 ", 20)), true},
	} {
		c := Chart{Bars: true, Labels: test.labels, Series: make([]Series, 1)}
		for i := range test.labels {
			c.Series[0].X = append(c.Series[0].X, float64(i))
			c.Series[0].Y = append(c.Series[0].Y, 1)
		}
		found, words := elements(t, c.SVG())
		slanted := 0
		for _, e := range found {
			if strings.HasPrefix(attribute(e, "transform"), "rotate(-45 ") {
				slanted++
			}
		}
		if (slanted > 0) != test.slanted || slanted > 0 && slanted != len(test.labels) {
			t.Errorf("%q: %d labels are slanted", test.labels, slanted)
		}
		if taller := attribute(found[0], "viewBox") != "0 0 800 480"; taller != test.slanted {
			t.Errorf("%q: the picture has the size %s", test.labels, attribute(found[0], "viewBox"))
		}
		if !strings.Contains(words, "|"+test.labels[0]+"|") {
			t.Errorf("%q is not in the words %q", test.labels[0], words)
		}
	}
}
