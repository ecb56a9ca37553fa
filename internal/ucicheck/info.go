package ucicheck

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// info is an info line without a string.
type info struct {
	numbers    map[string]int64 // by name of the field
	score      *score
	wdl        []int64 // nil if there is none
	currMove   string
	currLine   []string
	refutation []string
	pv         []string
}

// score is a score with its bound.
type score struct {
	mate  bool   // value is in moves, otherwise in centipawns
	bound string // lowerbound, upperbound, or "" if exact
	value int64
}

// rank returns a number that is higher for better scores.
func (s *score) rank() int64 {
	const mate = 1 << 40
	switch {
	case !s.mate:
		return s.value
	case s.value > 0:
		return mate - s.value
	}
	return -mate - s.value
}

// numberFields are the fields with one number, and their largest values; 0 is any.
var numberFields = map[string]int64{
	"depth": 0, "seldepth": 0, "multipv": 0, "nodes": 0, "nps": 0, "time": 0, "tbhits": 0, "currmovenumber": 0,
	"hashfull": 1000, "cpuload": 1000,
}

// parseInfo parses the words after info.
func parseInfo(words []string) (*info, error) {
	in := &info{numbers: map[string]int64{}}
	seen := map[string]bool{}
	for len(words) > 0 {
		name, rest := words[0], words[1:]
		if seen[name] {
			return nil, fmt.Errorf("%s occurs twice", name)
		}
		seen[name] = true
		var err error
		most, isNumber := numberFields[name]
		switch {
		case isNumber:
			in.numbers[name], rest, err = takeNumber(rest)
			if n := in.numbers[name]; err == nil && (n < 0 || most > 0 && n > most) {
				err = fmt.Errorf("%d is out of range", n)
			}
		case name == "score":
			in.score, rest, err = takeScore(rest)
		case name == "wdl":
			rest, err = in.takeWDL(rest)
		case name == "currmove" && len(rest) > 0:
			in.currMove, rest = rest[0], rest[1:]
		case name == "currline":
			in.currLine, rest = rest, nil
		case name == "refutation":
			in.refutation, rest = rest, nil
		case name == "pv":
			in.pv, rest = rest, nil
		default:
			err = fmt.Errorf("unknown field, or nothing follows")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		words = rest
	}
	return in, nil
}

func takeNumber(words []string) (n int64, rest []string, err error) {
	if len(words) == 0 {
		return 0, nil, fmt.Errorf("the number is missing")
	}
	n, err = strconv.ParseInt(words[0], 10, 64)
	return n, words[1:], err
}

func takeScore(words []string) (s *score, rest []string, err error) {
	if len(words) == 0 || words[0] != "cp" && words[0] != "mate" {
		return nil, nil, fmt.Errorf("neither cp nor mate")
	}
	s = &score{mate: words[0] == "mate"}
	if s.value, rest, err = takeNumber(words[1:]); err != nil {
		return nil, nil, err
	}
	if len(rest) > 0 && (rest[0] == "lowerbound" || rest[0] == "upperbound") {
		s.bound, rest = rest[0], rest[1:]
	}
	return s, rest, nil
}

// takeWDL parses win, draw and loss in permille.
func (in *info) takeWDL(words []string) (rest []string, err error) {
	sum := int64(0)
	for range 3 {
		var n int64
		if n, words, err = takeNumber(words); err != nil {
			return nil, err
		}
		if n < 0 {
			return nil, fmt.Errorf("%d is negative", n)
		}
		in.wdl = append(in.wdl, n)
		sum += n
	}
	if sum != 1000 {
		return nil, fmt.Errorf("the sum is %d", sum)
	}
	return words, nil
}

// require returns an error unless the line has exactly the numbers with these
// names, or beyond them some of the optional ones.
func (in *info) require(names string, optional ...string) error {
	required := strings.Fields(names)
	for _, name := range required {
		if _, ok := in.numbers[name]; !ok {
			return fmt.Errorf("%s is missing", name)
		}
	}
	for name := range in.numbers {
		if !slices.Contains(required, name) && !slices.Contains(optional, name) {
			return fmt.Errorf("%s does not belong here", name)
		}
	}
	return nil
}
