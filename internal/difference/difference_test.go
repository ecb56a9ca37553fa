package difference

import "testing"

type inner struct {
	Name  string
	Start float64
}

type settings struct {
	Pairs int
	Rate  inner
	Sizes [2]int
	List  []inner
	More  *inner
	state int
}

// TestFirst names the field in which values differ.
func TestFirst(t *testing.T) {
	base := func() settings {
		return settings{Pairs: 2, List: []inner{{"a", 1}, {"b", 5}}, More: &inner{Name: "c"}}
	}
	for want, change := range map[string]func(*settings){
		"":                                   func(s *settings) { s.state = 1 },
		"Pairs was 2 and is 7":               func(s *settings) { s.Pairs, s.Rate.Start = 7, 3 },
		"Rate.Start was 0 and is 0.5":        func(s *settings) { s.Rate.Start = 0.5 },
		"Rate.Name was  and is x":            func(s *settings) { s.Rate.Name = "x" },
		"Sizes was [0 0] and is [0 1]":       func(s *settings) { s.Sizes[1] = 1 },
		"List[1].Start was 5 and is 6":       func(s *settings) { s.List[1].Start = 6 },
		"List had 2 elements and has 1":      func(s *settings) { s.List = s.List[:1] },
		"More.Name was c and is d":           func(s *settings) { s.More.Name = "d" },
		"More was &{c 0} and is <nil>":       func(s *settings) { s.More = nil },
		"List[0].Name was a and is \"a, b\"": func(s *settings) { s.List[0].Name = `"a, b"` },
	} {
		changed := base()
		change(&changed)
		if got := First(base(), changed); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := First(&changed, &changed); got != "" {
			t.Errorf("%q in the same value", got)
		}
	}
}
