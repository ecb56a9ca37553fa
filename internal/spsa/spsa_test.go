package spsa

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestTuner tunes toward a known optimum.
func TestTuner(t *testing.T) {
	parameters := []Parameter{{"a", 0, -100, 100, 5, 0.02}, {"b", 50, 0, 60, 3, 0.02}, {"c", 7, 0, 20, 1, 0.002}}
	optimum := []float64{60, 10, 40} // the last is above the maximum
	loss := func(values []int) (sum float64) {
		for i, v := range values {
			d := (float64(v) - optimum[i]) / 10
			sum += d * d
		}
		return sum
	}
	tuner := NewTuner(parameters, 3000, 1)
	for range tuner.Iterations {
		plus, minus := tuner.sides()
		for i, p := range parameters {
			if min(plus[i], minus[i]) < p.Min || max(plus[i], minus[i]) > p.Max {
				t.Fatalf("%s: %d and %d are out of range", p.Name, plus[i], minus[i])
			}
		}
		again, _ := tuner.sides()
		if !reflect.DeepEqual(plus, again) {
			t.Fatal("the values of an iteration change")
		}
		share := 1 / (1 + math.Exp(loss(plus)-loss(minus)))
		wins := int64(math.Round(16 * share))
		tuner.learn(wins, 0, 16-wins)
	}
	if v := tuner.Values; math.Abs(v[0]-60) > 6 || math.Abs(v[1]-10) > 4 || v[2] < 12 || v[2] > 20 {
		t.Errorf("found %v, want %v", v, optimum)
	}
	for i, p := range tuner.Tuned() {
		if math.Abs(float64(p.Start)-tuner.Values[i]) > 0.5 {
			t.Errorf("%s: %g became %d", p.Name, tuner.Values[i], p.Start)
		}
	}
	if tuner.Done != 3000 || tuner.Wins+tuner.Losses != 16*3000 {
		t.Errorf("%d iterations, %d games", tuner.Done, tuner.Wins+tuner.Losses)
	}
}

// TestGains checks the gains of the last iteration, which C_end and R_end define, and those
// of the first: 5 * 1000^0.101, and 0.02 * 5² * (1100/101)^0.602 divided by it.
func TestGains(t *testing.T) {
	tuner := NewTuner([]Parameter{{"a", 0, -100, 100, 5, 0.02}}, 1000, 1)
	first, early := tuner.gains(&tuner.Parameters[0])
	if math.Abs(first-10.0455) > 0.001 || math.Abs(early-0.2096) > 0.001 {
		t.Errorf("perturbation %g with rate %g", first, early)
	}
	tuner.Done = 999
	change, rate := tuner.gains(&tuner.Parameters[0])
	if math.Abs(change-5) > 1e-9 || math.Abs(rate-0.02*5) > 1e-9 {
		t.Errorf("perturbation %g at the end with rate %g", change, rate)
	}
}

func TestParameterText(t *testing.T) {
	p := Parameter{"nullMoveBase", 4, 1, 12, 0.55, 0.002}
	text := p.String()
	if got, err := parseParameter(text); err != nil || got != p || text != "nullMoveBase, int, 4, 1, 12, 0.55, 0.002" {
		t.Errorf("%v became %v, %v", text, got, err)
	}
	for line, want := range map[string]string{
		"a, int, 1, 0, 2, 1":               "6 fields",
		"a, float, 1, 0, 2, 1, 0.002":      "float",
		"a, int, x, 0, 2, 1, 0.002":        `"x"`,
		"a, int, 1, 0, 2, 0, 0.002":        `"0"`,
		"a, int, 1, 0, 2, 1, NaN":          `"NaN"`,
		"a, int, 1, 0, 2, 0.49, 0.002":     "C_end of 0.49 is less than 0.5",
		"a, int, 5, 0, 2, 1, 0.002":        "5 is not between 0 and 2",
		"a, int, -1, 0, 2, 1, 0.002":       "-1 is not between 0 and 2",
		"a, int, 1, 0, 2, 1, 0.002, extra": "8 fields",
		"a, int, 1, 0, 2, 1, inf":          `"inf" is not a positive number`,
		"a, int, 1, 0, 2, 1e10, 1":         `"1e10" is not a positive number up to 1e+09`,
	} {
		if _, err := parseParameter(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", line, err)
		}
	}
	file := filepath.Join(t.TempDir(), "p.txt")
	text = "\ufeff# two\r\n" + p.String() + "\nb, int, 1, 0, 2, 1, 0.002\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	b := Parameter{Name: "b", Max: 2}
	list, err := ReadParameters(file, []Parameter{b, p})
	if err != nil || len(list) != 2 || list[1].Name != "b" {
		t.Error(list, err)
	}
	for line, want := range map[string]string{
		"c, int, 1, 0, 2, 1, 0.002":  `line 2: there is no parameter "c"`,
		"b, int, 1, 0, 2, 1, 0.002":  "line 2: b is there twice",
		"b, int, 1, 0, 3, 1, 0.002":  "line 2: b is 0 to 2, not 0 to 3",
		"b, int, 1, -1, 2, 1, 0.002": "line 2: b is 0 to 2, not -1 to 2",
	} {
		first := p.String()
		if strings.Contains(want, "twice") {
			first = line
		}
		if err := os.WriteFile(file, []byte(first+"\n"+line+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadParameters(file, []Parameter{b, p}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestSelectParameters(t *testing.T) {
	all := []Parameter{{Name: "razorBase"}, {Name: "bonusBase"}, {Name: "bonusMax"}}
	names := func(patterns ...string) string {
		list, err := Select(patterns, all)
		if err != nil {
			return err.Error()
		}
		text := ""
		for _, p := range list {
			text += p.Name + " "
		}
		return text
	}
	for _, test := range []struct{ got, want string }{
		{names("bonusMax", "razorBase"), "razorBase bonusMax "},
		{names("bonus*", " *Base"), "razorBase bonusBase bonusMax "},
		{names("*Base", "malus*"), `there is no parameter "malus*"`},
		{names("["), `"[": syntax error in pattern`},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

// TestSides reads the parameters of the sides of a match.
func TestSides(t *testing.T) {
	list := []Parameter{{Name: "a", Start: 5, Max: 10}, {Name: "b", Start: 6, Max: 10}, {Name: "c", Start: 7, Max: 10}}
	names, values, err := Sides([2]string{"c=1, a=2", "a=3"}, list)
	if err != nil || !slices.Equal(names, []string{"a", "c"}) ||
		!slices.Equal(values[0], []int{2, 1}) || !slices.Equal(values[1], []int{3, 7}) {
		t.Error(names, values, err)
	}
	for text, want := range map[string]string{"a": `"a"`, "a=x": `"a=x"`, "d=1": `"d"`, "a=11": "0 to 10, not 11"} {
		if _, _, err := Sides([2]string{"", text}, list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
