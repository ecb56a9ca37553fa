package main

import (
	"reflect"
	"strings"
	"testing"
)

const table = `# Networks

| other | table |
|---|---|

| name | hash | gain |
|---|---|---|
| gen0 | 1 | 0 |
| gen1 | 2 | +300 ± 30 |
| gen2 | 3 | -20.5 ± 40 |

| name | gain |
`

func TestDraw(t *testing.T) {
	chart, err := draw(table)
	if err != nil {
		t.Fatal(err)
	}
	s := chart.Series[0]
	if want := []float64{0, 300, 279.5}; !reflect.DeepEqual(s.Y, want) {
		t.Errorf("%v, want %v", s.Y, want)
	}
	if want := []float64{0, 30, 50}; !reflect.DeepEqual(s.Error, want) {
		t.Errorf("errors %v, want %v", s.Error, want)
	}
	if want := []string{"gen0", "gen1", "gen2"}; !reflect.DeepEqual(chart.Labels, want) {
		t.Errorf("labels %v, want %v", chart.Labels, want)
	}
	for _, tt := range [][3]string{
		{"+300 ± 30", "300", `line 9: the gain "300"`}, {"+300 ± 30", "300 ± 30", "line 9"},
		{"| +300 ± 30 ", "", "line 9"},
		{"gain", "elo", "no table"}, {"-20.5 ± 40 |\n\n", "-20.5 ± 40 |\n", "line 11"},
	} {
		if _, err := draw(strings.ReplaceAll(table, tt[0], tt[1])); err == nil ||
			!strings.Contains(err.Error(), tt[2]) {
			t.Errorf("%q for %q: error %v, want %q", tt[1], tt[0], err, tt[2])
		}
	}
}
