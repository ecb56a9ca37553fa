package main

import (
	"slices"
	"strings"
	"testing"
)

const heading = "opponent,language,difference,error,games,clock,network\n"

// TestRead reads matches, draws them and writes them as a table.
func TestRead(t *testing.T) {
	matches, err := read(strings.NewReader("# note\n" + heading +
		"C,C,50.9,20,100,2+0.04,g\nB,Go,50.4,20,150,2+0.04,g\nA,C,-100,30,200,2+0.04,g\nB,Go,70,40,100,8+0.08,g\n"))
	if err != nil {
		t.Fatal(err)
	}
	c := chart(matches)
	if want := []string{"A", "Skein", "B", "C"}; !slices.Equal(c.Labels, want) {
		t.Errorf("labels %q, want %q", c.Labels, want)
	}
	if go1, other := c.Series[0].Y, c.Series[1].Y; !slices.Equal(go1, []float64{0, 0, -50.4, 0}) ||
		!slices.Equal(other, []float64{100, 0, 0, -50.9}) {
		t.Errorf("heights %v and %v", go1, other)
	}
	text, err := replaceTable("one\n"+begin+"old\n"+end+"two\n", table(matches))
	if err != nil || strings.Contains(text, "old") || !strings.HasPrefix(text, "one\n"+begin+"| opponent") ||
		!strings.HasSuffix(text, end+"two\n") {
		t.Errorf("%v\n%s", err, text)
	}
	for _, want := range []string{
		"| B | Go | 2+0.04 | g | 150 | +50 ± 20 |\n", "| A | C | 2+0.04 | g | 200 | -100 ± 30 |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := replaceTable("one\n"+begin+"two\n", ""); err == nil {
		t.Error("a table without an end was replaced")
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		heading:                           "no rows",
		"a,b\n1,2\n":                      "no rows",
		heading + "A,C,x,30,200,1+1,g\n":  "the difference",
		heading + "A,C,NaN,30,,1+1,g\n":   "the difference",
		heading + "A,C,1,0,200,1+1,g\n":   "the error",
		heading + "A,C,1,30,-2,1+1,g\n":   "number of games",
		heading + "A,C,1,30,,1+1,g\n":     "number of games",
		heading + "A,C,1,30,200,1+1,g,\n": "wrong number of fields",
	} {
		if _, err := read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
