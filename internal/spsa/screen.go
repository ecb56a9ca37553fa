package spsa

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"skein/internal/difference"
	"skein/internal/selfplay"
	"skein/internal/status"
)

// Screen measures many changes of parameters in the same games, a factorial
// experiment with two levels: in each block of pairs every change is given to one of
// the sides at random, and a regression of the results tells the changes apart. Its
// files are NAME.json with the settings and NAME.csv with the result of every pair,
// from which it can be continued.
type Screen struct {
	Contest Contest
	Changes Changes
	Base    []int // values of the contest's parameters without changes
	Block   int   // pairs of games with the same sides

	name   string
	pairs  int   // in total
	points []int // of the first side in each pair played, in half points
}

// OpenScreen returns a screen of changes of the parameters in list, over a number of
// pairs of games. If the files exist, it continues their screen, which must have the
// same settings but for the number of pairs. Settings with which the first game would
// fail are an error as well.
func OpenScreen(name string, c Contest, changes Changes, list []Parameter, block, pairs int) (*Screen, error) {
	switch {
	case len(changes) == 0:
		return nil, errors.New("there are no changes")
	case block < 1 || pairs < 1:
		return nil, fmt.Errorf("%d pairs in blocks of %d: both must be positive", pairs, block)
	case pairs <= len(changes) || (pairs-1)/block+1 < len(changes):
		return nil, fmt.Errorf("%d pairs in blocks of %d are too few to tell the changes apart, which are %d",
			pairs, block, len(changes))
	}
	s := &Screen{Contest: c, Changes: changes, Block: block, name: name, pairs: pairs}
	s.Contest.Names, s.Base = changes.values(list)
	if err := s.Contest.check(pairs); err != nil {
		return nil, err
	}
	return s, s.open()
}

// open reads the results from the files if they exist, and writes the files without
// a result that was cut off.
func (s *Screen) open() error {
	data, err := os.ReadFile(s.name + ".json")
	if errors.Is(err, os.ErrNotExist) {
		// The header is written before the settings.
		if err := unused(s.name, s.header(), 1); err != nil {
			return err
		}
		if err := s.writeResults(); err != nil {
			return err
		}
		return writeJSON(s.name+".json", s)
	} else if err != nil {
		return err
	}
	old := Screen{name: s.name, pairs: s.pairs}
	if err := json.Unmarshal(data, &old); err != nil {
		return fmt.Errorf("%s.json: not the settings of a screen: %w", s.name, err)
	}
	if what := difference.First(old, *s); what != "" {
		return fmt.Errorf("%s.json has other settings, %s; use another name or the same settings", s.name, what)
	}
	if err := s.readResults(); err != nil {
		return err
	}
	return s.writeResults()
}

// readResults reads the results of the pairs played. A last line without an end was
// cut off; its pair is played again.
func (s *Screen) readResults() error {
	data, err := os.ReadFile(s.name + ".csv")
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(bytes.NewReader(data[:bytes.LastIndexByte(data, '\n')+1])).ReadAll()
	if err != nil {
		return fmt.Errorf("%s.csv: %w", s.name, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], s.header()) {
		return fmt.Errorf("%s.csv: the header is not that of the changes", s.name)
	}
	if n := len(rows) - 1; n > s.pairs {
		return fmt.Errorf("%s.csv has %d pairs, more than %d", s.name, n, s.pairs)
	}
	for i, row := range rows[1:] {
		points, err := strconv.Atoi(row[1])
		if err != nil || points < 0 || points > 4 || !slices.Equal(row, s.row(uint64(i), points)) {
			return fmt.Errorf("%s.csv: %q is not the result of pair %d", s.name, row, i+1)
		}
		s.points = append(s.points, points)
	}
	return nil
}

// writeResults writes the whole table.
func (s *Screen) writeResults() error {
	rows := [][]string{s.header()}
	for i, points := range s.points {
		rows = append(rows, s.row(uint64(i), points))
	}
	return writeTable(s.name+".csv", rows)
}

// header returns the first row of the table.
func (s *Screen) header() []string {
	header := []string{"pair", "points"}
	for _, c := range s.Changes {
		header = append(header, c.String())
	}
	return header
}

// row returns the row of a pair. Numbers of pairs begin with 1 in the table.
func (s *Screen) row(number uint64, points int) []string {
	row := []string{strconv.FormatUint(number+1, 10), strconv.Itoa(points)}
	for _, first := range s.design(number) {
		row = append(row, strconv.Itoa(first))
	}
	return row
}

// design returns for every change 1 if the first side has it in the pair with that
// number, and 0 if the second has it. It depends only on the seed and the number of
// the pair's block.
func (s *Screen) design(number uint64) []int {
	r := rand.New(rand.NewPCG(s.Contest.Config.Seed, number/uint64(s.Block)))
	list := make([]int, len(s.Changes))
	for i := range list {
		list[i] = r.IntN(2)
	}
	return list
}

// sides returns the values of both sides in the pair with that number.
func (s *Screen) sides(number uint64) [2][]int {
	values := [2][]int{slices.Clone(s.Base), slices.Clone(s.Base)}
	for i, first := range s.design(number) {
		for name, value := range s.Changes[i] {
			values[1-first][slices.Index(s.Contest.Names, name)] = value
		}
	}
	return values
}

// Play plays the remaining pairs with the given number of worker processes, which
// does not affect the result. It reports its progress to stderr, and returns early,
// without an error, when ctx is done.
func (s *Screen) Play(ctx context.Context, workers int, stderr io.Writer) error {
	line, start, first := status.New(stderr), time.Now(), s.Played()
	defer line.End()
	emit := func(result *selfplay.Standing) error {
		points := int(2*result.Wins + result.Draws)
		if err := appendRow(s.name+".csv", s.row(uint64(s.Played()), points)); err != nil {
			return err
		}
		s.points = append(s.points, points)
		line.Update(func() status.Report {
			elapsed, done := time.Since(start), s.Played()-first
			return status.Report{
				Facts: []string{
					fmt.Sprintf("pair %d of %d", s.Played(), s.pairs),
					fmt.Sprintf("%.2f games/s", float64(2*done)/elapsed.Seconds()),
				},
				Done: int64(s.Played()), Total: int64(s.pairs),
				Left: status.Left(elapsed, int64(done), int64(s.pairs-s.Played())),
			}
		})
		return nil
	}
	err := s.Contest.play(ctx, s.sides, uint64(first), s.pairs-first, workers, stderr, emit)
	if ctx.Err() != nil {
		return nil // the files have the results of the pairs completed in order
	}
	return err
}

// Played returns the number of pairs played.
func (s *Screen) Played() int { return len(s.points) }

// Estimate is the measured gain of a change.
type Estimate struct {
	Change      Change
	Elo, Margin float64 // the margin is half of the 95 % confidence interval
}

// eloPerPoint is the slope of the Elo difference as a function of the score, 0 to 1,
// at an even score.
var eloPerPoint = 1600 / math.Ln10

// studentQuantile approximates the 97.5 % quantile of Student's t distribution, within
// 0.03 from three degrees of freedom on.
//
// Source: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 1964, 26.7.5.
func studentQuantile(freedom float64) float64 {
	const z = 1.96 // of the normal distribution
	z3 := z * z * z
	return z + (z3+z)/(4*freedom) + (5*z3*z*z+16*z3+3*z)/(96*freedom*freedom) +
		(3*z3*z3*z+19*z3*z*z+17*z3-15*z)/(384*freedom*freedom*freedom)
}

// Estimates returns the gains of the changes, the largest first, and their spread:
// the mean square of the gains in units of their standard errors. If no change has an
// effect, the spread is 1 on average, with a standard deviation of the square root of
// 2/n for n changes. It is an error if too few pairs were played to tell the changes
// apart, or if their results leave nothing to chance, as where every pair ended 1-1.
//
// A side is better than even by the sum of the gains of its changes, less that of the
// changes of the other side. An input of the regression is therefore 1 for a change of
// the first side and -1 for one of the second. There is no intercept, because the
// sides of a pair play both colors and differ in nothing else.
func (s *Screen) Estimates() (list []Estimate, spread float64, err error) {
	r := newRegression(len(s.Changes))
	inputs := make([]float64, len(s.Changes))
	for number, points := range s.points {
		for i, first := range s.design(uint64(number)) {
			inputs[i] = float64(2*first - 1)
		}
		r.add(inputs, float64(points)/4-0.5)
	}
	coefficients, deviations, err := r.solve()
	switch {
	case errors.Is(err, errNoNoise):
		return nil, 0, fmt.Errorf("the results of %d pairs leave nothing to chance: "+
			"the changes had no effect in these games, or decided all of them", s.Played())
	case err != nil:
		return nil, 0, fmt.Errorf("%d pairs are too few to tell the changes apart; play more", s.Played())
	}
	quantile := studentQuantile(float64(s.Played() - len(s.Changes)))
	for i, c := range s.Changes {
		list = append(list, Estimate{c, eloPerPoint * coefficients[i], quantile * eloPerPoint * deviations[i]})
		ratio := coefficients[i] / deviations[i]
		spread += ratio * ratio / float64(len(s.Changes))
	}
	slices.SortStableFunc(list, func(a, b Estimate) int { return cmp.Compare(b.Elo, a.Elo) })
	return list, spread, nil
}
