package spsa

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"skein/internal/selfplay"
)

// letters are parameters to change.
func letters(names string) (list []Parameter) {
	for _, name := range names {
		list = append(list, Parameter{Name: string(name), Start: 5, Max: 10})
	}
	return list
}

// TestChanges reads changes and finds what is wrong with others.
func TestChanges(t *testing.T) {
	list := letters("abcd")
	file := filepath.Join(t.TempDir(), "changes.txt")
	if err := os.WriteFile(file, []byte("# two\n\n c=1, a=2\n\td=7\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var changes Changes
	if err := changes.Read(file, list); err != nil {
		t.Fatal(err)
	}
	if len(changes) != 2 || changes[0].String() != "a=2,c=1" || changes[1].String() != "d=7" {
		t.Error(changes)
	}
	names, values := changes.values(list)
	if !slices.Equal(names, []string{"a", "c", "d"}) || !slices.Equal(values, []int{5, 5, 5}) {
		t.Error(names, values)
	}
	for text, want := range map[string]string{
		"":            "without parameters",
		" , ":         `" "`,
		"b":           `"b"`,
		"b=x":         `"b=x"`,
		"e=1":         `no parameter "e"`,
		"b=11":        "0 to 10, not 11",
		"b=1,b=2":     "b has two values",
		"b=5":         "b is 5 without the change",
		"b=1,a=1":     "a is in two changes, a=2,c=1 and a=1,b=1",
		"d=7":         "d is in two changes",
		"b=1e1":       `"b=1e1"`,
		"b=1\ne=1":    "NAME=VALUE",
		"b=1 # noise": "NAME=VALUE",
	} {
		if err := changes.Add(text, list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if len(changes) != 2 {
		t.Error("changes with errors were added:", changes)
	}
	err := changes.Read(file, list)
	if err == nil || !strings.Contains(err.Error(), file+": line 3: a is in two changes") {
		t.Error(err)
	}
	if err := changes.Read(file+"x", list); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// screened returns a screen of changes of the parameters with these letters, in the
// files of a name.
func screened(name, parameters string, block, pairs int) (*Screen, error) {
	list := letters(parameters)
	var changes Changes
	for _, p := range list {
		if err := changes.Add(p.Name+"=6", list); err != nil {
			return nil, err
		}
	}
	return OpenScreen(name, Contest{Config: selfplay.DefaultConfig()}, changes, list, block, pairs)
}

// TestDesign checks that every change goes to one side of a pair, that pairs of a
// block have the same sides, and that the sides of different changes and blocks are
// independent.
func TestDesign(t *testing.T) {
	const changes, blocks = 10, 2000
	s, err := screened(filepath.Join(t.TempDir(), "run"), "abcdefghij", 3, 3*blocks)
	if err != nil {
		t.Fatal(err)
	}
	var sums [changes]int
	var products [changes][changes]int
	var before []int
	for block := range uint64(blocks) {
		design := s.design(3 * block)
		if !slices.Equal(design, s.design(3*block+2)) {
			t.Fatalf("the sides change within block %d", block)
		}
		values := s.sides(3*block + 1)
		for i, first := range design {
			if values[1-first][i] != 6 || values[first][i] != 5 {
				t.Fatalf("change %d of side %d: %v", i, 1-first, values)
			}
			sums[i] += 2*first - 1
			for k := range i {
				products[i][k] += (2*first - 1) * (2*design[k] - 1)
			}
			if before != nil {
				products[i][i] += (2*first - 1) * (2*before[i] - 1)
			}
		}
		before = design
	}
	limit := int(4.5 * math.Sqrt(blocks)) // standard deviations
	for i, sum := range sums {
		if max(sum, -sum) > limit || max(slices.Max(products[i][:]), -slices.Min(products[i][:])) > limit {
			t.Errorf("change %d: sum %d, products %v", i, sum, products[i])
		}
	}
}

// TestEstimates plants gains of changes in simulated results and finds them again.
func TestEstimates(t *testing.T) {
	const pairs = 6000
	s, err := screened(filepath.Join(t.TempDir(), "run"), "abcdefghij", 3, pairs)
	if err != nil {
		t.Fatal(err)
	}
	simulate := func(gains map[string]float64) (list []Estimate, spread float64) {
		random := rand.New(rand.NewPCG(1, 2))
		s.points = nil
		for number := range uint64(pairs) {
			gain := 0.0
			for i, first := range s.design(number) {
				gain += gains[s.Contest.Names[i]] * float64(2*first-1)
			}
			win := 1/(1+math.Pow(10, -gain/400)) - 0.2 // and 40 % draws
			points := 0
			for range 2 {
				if x := random.Float64(); x < win {
					points += 2
				} else if x < win+0.4 {
					points++
				}
			}
			s.points = append(s.points, points)
		}
		list, spread, err := s.Estimates()
		if err != nil {
			t.Fatal(err)
		}
		return list, spread
	}
	gains := map[string]float64{"a": 20, "c": -15, "h": 5}
	list, spread := simulate(gains)
	for _, e := range list {
		name, _, _ := strings.Cut(e.Change.String(), "=")
		// A game has a variance of 0.15, the mean of two half of it.
		want := 1.96 * eloPerPoint * math.Sqrt(0.15/2/pairs)
		if math.Abs(e.Elo-gains[name]) > 2*want || math.Abs(e.Margin-want) > 0.1*want {
			t.Errorf("%s: %.1f ± %.1f, want %.1f ± %.1f", name, e.Elo, e.Margin, gains[name], want)
		}
	}
	if list[0].Change["a"] != 6 || list[len(list)-1].Change["c"] != 6 || spread < 5 {
		t.Errorf("spread %.2f, %v", spread, list)
	}
	if _, spread := simulate(nil); spread < 0.2 || spread > 2.2 {
		t.Errorf("spread %.2f of changes without effect", spread)
	}
	all := s.points
	s.points = all[:10]
	if _, _, err := s.Estimates(); err == nil || !strings.Contains(err.Error(), "10 pairs are too few") {
		t.Error(err)
	}
	s.points = slices.Repeat([]int{2}, len(all))
	if _, _, err := s.Estimates(); err == nil || !strings.Contains(err.Error(), "no effect") {
		t.Error(err)
	}
}

// store adds results to the table of a screen, as Play does.
func store(t *testing.T, s *Screen, points ...int) {
	t.Helper()
	for _, n := range points {
		if err := appendRow(s.name+".csv", s.row(uint64(s.Played()), n)); err != nil {
			t.Fatal(err)
		}
		s.points = append(s.points, n)
	}
}

// TestOpenScreen continues a screen from its files, whole or not.
func TestOpenScreen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run")
	s, err := screened(name, "ab", 2, 8)
	if err != nil {
		t.Fatal(err)
	}
	results := []int{0, 4, 2, 3, 1, 2, 4}
	store(t, s, results...)
	table, err := os.ReadFile(name + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(table, []byte("pair,points,a=6,b=6\n1,0,")) {
		t.Errorf("%s", table)
	}
	want, _, err := s.Estimates()
	if err != nil {
		t.Fatal(err)
	}
	again, err := screened(name, "ab", 2, 10)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := again.Estimates(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v became %v, %v", want, got, err)
	}
	for cut := 1; cut <= len("7,4,0,1\n"); cut++ {
		if err := os.WriteFile(name+".csv", table[:len(table)-cut], 0o666); err != nil {
			t.Fatal(err)
		}
		again, err := screened(name, "ab", 2, 8)
		if err != nil || !slices.Equal(again.points, results[:6]) {
			t.Fatalf("without the last %d bytes: %v", cut, err)
		}
		store(t, again, 4)
		if whole, err := os.ReadFile(name + ".csv"); err != nil || !bytes.Equal(whole, table) {
			t.Fatalf("%s\nbecame\n%s, %v", table, whole, err)
		}
	}
	refused := func(want, parameters string, block, pairs int) {
		t.Helper()
		if _, err := screened(name, parameters, block, pairs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that contains %q", err, want)
		}
	}
	refused("has other settings", "ab", 3, 8)
	refused("has other settings", "abc", 2, 8)
	refused("has other settings", "ba", 2, 8)
	refused("has 7 pairs, more than 6", "ab", 2, 6)
	refused("no changes", "", 2, 8)
	refused("must be positive", "ab", 0, 8)
	refused("must be positive", "ab", 2, 0)
	refused("2 pairs in blocks of 1 are too few to tell the changes apart, which are 2", "ab", 1, 2)
	refused("3 pairs in blocks of 3 are too few to tell the changes apart, which are 2", "ab", 3, 3)
	if err := os.Remove(name + ".csv"); err != nil {
		t.Fatal(err)
	}
	refused("run.csv", "ab", 2, 8)
}

// TestDamagedScreen checks that the error names the file and what is wrong with it.
func TestDamagedScreen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run")
	s, err := screened(name, "ab", 2, 8)
	if err != nil {
		t.Fatal(err)
	}
	store(t, s, 0, 4, 2)
	table, err := os.ReadFile(name + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	settings, err := os.ReadFile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	row := strings.Join(s.row(1, 4), ",") + "\n"
	fails := func(extension, text, want string) {
		t.Helper()
		if err := os.WriteFile(name+extension, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := screened(name, "ab", 2, 8)
		if err == nil || !strings.Contains(err.Error(), name+extension) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for old, with := range map[string]string{
		row:             "",
		row[:3]:         "2,5",
		"2,4":           "2,-1",
		"2,4,":          "2,04,",
		row[3:] + "3,2": ",2,2\n3,2",
	} {
		fails(".csv", strings.Replace(string(table), old, with, 1), "is not the result of pair 2")
	}
	fails(".csv", strings.Replace(string(table), row, "2,4\n", 1), "wrong number of fields")
	fails(".csv", strings.Replace(string(table), "a=6", "a=7", 1), "header")
	fails(".csv", "pair,points", "header")
	fails(".json", "{", "not the settings of a screen: unexpected end of JSON")
	fails(".json", `{"Block": "x"}`, "not the settings of a screen")
	fails(".json", "{}", "other settings")
	fails(".json", strings.Replace(string(settings), s.Contest.Hashes.Net, "0000", 1), "other settings")
	fails(".json", strings.Replace(string(settings), "  5,", "  4,", 1), "other settings")
	if err := os.Remove(name + ".json"); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{string(table), "pair,points\n"} {
		if err := os.WriteFile(name+".csv", []byte(other), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := screened(name, "ab", 2, 8); err == nil || !strings.Contains(err.Error(), "is missing") {
			t.Errorf("%q: %v", other, err)
		}
	}
}

func TestStudentQuantile(t *testing.T) {
	for freedom, want := range map[float64]float64{3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 1000: 1.962} {
		if got := studentQuantile(freedom); math.Abs(got-want) > 0.03 {
			t.Errorf("%g degrees of freedom: %.3f, want %.3f", freedom, got, want)
		}
	}
}
