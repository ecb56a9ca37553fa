package console

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"skein/chess"
	"skein/internal/review"
	"skein/notation"
	"skein/position"
	"skein/search"
)

const (
	epdArguments = "FILE..."
	epdHelp      = `Runs test suites of best moves (bm), moves to avoid (am), and mates (dm, or bm
#N), and counts the points that comments give to moves (as c0 "f5=10, Bf2=6" of
the STS). Each position is searched for the whole time, one second by default,
or until the mate of a test is found. It is solved if the final move is right;
the time and depth shown are those from which on it was. A FILE of - is standard
input. Scores are from White's point of view. The exit status reports errors,
not failed tests.
`
)

// suite is a run of test positions.
type suite struct {
	*call
	engine   *engine
	effort   *effort
	early    int
	chess960 bool
	out      suiteWriter
	tests    []test
	total    totals
}

// test is a position with its expected result.
type test struct {
	epd        notation.EPD
	name       string
	best       []chess.Move
	avoid      []chess.Move
	mate       int // moves to mate, negative if the side to move is mated; 0 if not tested
	points     map[chess.Move]int
	mostPoints int
}

// outcome is the result of a test.
type outcome struct {
	found   chess.Move
	solved  bool
	points  int
	value   review.Score
	time    time.Duration // from which on the move was right
	depth   int           // from which on the move was right
	elapsed time.Duration
	reached int // depth at the end
	nodes   uint64
	tbHits  uint64
}

// totals is the sum of outcomes.
type totals struct {
	tests, solved      int
	scored             int // tests that give points
	points, mostPoints int
	time, solvedTime   time.Duration
	nodes              uint64
}

func runEPD(c *call) func([]string) error {
	s := suite{call: c}
	c.flags.Group("Input")
	c.flags.BoolVar(&s.chess960, "chess960", false, "use the castling rules of Chess960")
	s.effort = c.limitFlags()
	c.flags.IntVar(&s.early, "early", 0, "end a search once the move was right for `N` iterations; 0: never")
	c.engineFlags(s.effort, 1, 64)
	c.flags.Group("Output")
	json := c.flags.Bool("json", false, "write JSON, one object per position and one for the totals")
	return func(files []string) error {
		if err := s.effort.check(c.flags); err != nil {
			return err
		}
		switch {
		case len(files) == 0:
			return usagef("missing file name")
		case s.early < 0:
			return usagef("--early %d is negative", s.early)
		}
		if !s.effort.limited() {
			s.effort.time = time.Second
		}
		for _, name := range files {
			if err := s.load(name); err != nil {
				return err
			}
		}
		if len(s.tests) == 0 {
			return fmt.Errorf("%s: no test positions", strings.Join(files, ", "))
		}
		engine, err := c.newEngine(s.effort)
		if err != nil {
			return err
		}
		s.engine = engine
		s.out = newSuiteWriter(c, *json, s.chess960)
		return errors.Join(s.run(), s.engine.Close())
	}
}

// load reads the tests of a file and reports invalid lines.
func (s *suite) load(name string) error {
	file, err := s.open(s.ctx, name)
	if err != nil {
		return err
	}
	defer file.Close()
	n := 0
	for e, err := range notation.ReadEPD(file, s.chess960) {
		n++
		var lineErr *notation.EPDError
		if err != nil && !errors.As(err, &lineErr) {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err == nil {
			var t test
			if t, err = newTest(e); err == nil {
				if t.name == "" {
					t.name = "no. " + strconv.Itoa(n)
				}
				s.tests = append(s.tests, t)
				continue
			}
			if !errors.As(err, &lineErr) {
				err = fmt.Errorf("line %d: %w", e.LineNumber, err)
			}
		}
		s.complain("%s: %v", name, err)
	}
	return nil
}

// newTest returns the test of an EPD line.
func newTest(e notation.EPD) (t test, err error) {
	t = test{epd: e, name: e.Text("id")}
	best := e.Text("bm")
	if text, ok := strings.CutPrefix(best, "#"); ok {
		if t.mate, err = strconv.Atoi(text); err != nil || t.mate == 0 {
			return t, fmt.Errorf("bm %.40q is not a number of moves to mate", best)
		}
	} else if t.best, err = e.Moves("bm"); err != nil {
		return t, err
	}
	if t.avoid, err = e.Moves("am"); err != nil {
		return t, err
	}
	if t.mate == 0 {
		if t.mate, _, err = e.Int("dm"); err != nil {
			return t, err
		}
	}
	t.points = readPoints(&e.Position, e.Text("c0"))
	for _, n := range t.points {
		t.mostPoints = max(t.mostPoints, n)
	}
	if len(t.best)+len(t.avoid) == 0 && t.mate == 0 && t.points == nil {
		return t, errors.New("nothing to test: neither bm, am, dm nor points in c0")
	}
	return t, nil
}

// readPoints parses "f5=10, Bf2=6"; it returns nil if the text has another form.
func readPoints(p *position.Position, text string) map[chess.Move]int {
	points := map[chess.Move]int{}
	for entry := range strings.SplitSeq(text, ",") {
		i := strings.LastIndexByte(entry, '=')
		if i < 0 {
			return nil
		}
		m, err := notation.ParseSAN(p, strings.TrimSpace(entry[:i]))
		n, numErr := strconv.Atoi(strings.TrimSpace(entry[i+1:]))
		if err != nil || numErr != nil || n < 0 {
			return nil
		}
		points[m] = n
	}
	return points
}

// solvedBy reports whether the move and the score solve the test.
func (t *test) solvedBy(m chess.Move, score chess.Score) bool {
	switch {
	case slices.Contains(t.avoid, m):
		return false
	case len(t.best) > 0:
		return slices.Contains(t.best, m)
	case t.mate != 0:
		moves, ok := score.Mate()
		return ok && (moves == t.mate || t.mate > 0 && 0 < moves && moves < t.mate)
	case len(t.avoid) > 0:
		return m != chess.NoMove
	}
	return t.mostPoints > 0 && t.points[m] == t.mostPoints
}

// run runs the tests in order.
func (s *suite) run() error {
	start := time.Now()
	for i := range s.tests {
		t := &s.tests[i]
		s.out.progress(i, len(s.tests), &s.total, time.Since(start))
		o := s.search(t)
		if s.ctx.Err() != nil {
			s.out.sum(&s.total)
			return context.Cause(s.ctx)
		}
		s.total.add(t, &o)
		if err := s.out.row(i+1, t, &o); err != nil {
			return err
		}
	}
	return s.out.sum(&s.total)
}

func (c *totals) add(t *test, o *outcome) {
	c.tests++
	c.time += o.elapsed
	c.nodes += o.nodes
	if o.solved {
		c.solved++
		c.solvedTime += o.time
	}
	if t.points != nil {
		c.scored++
		c.points += o.points
		c.mostPoints += t.mostPoints
	}
}

// search runs one test.
func (s *suite) search(t *test) outcome {
	s.engine.NewGame()
	lim := s.effort.limits()
	lim.Control = search.NewControl(false)
	if len(t.best) == 0 { // the mate decides, as in solvedBy
		lim.Mate = max(t.mate, -t.mate)
	}
	var o outcome
	stood, since := false, 0 // whether the move is right, and from which depth on
	lastDepth, start := 0, time.Now()
	game := position.NewGame(t.epd.Position)
	result := s.engine.SearchContext(s.ctx, game, lim, search.OnLine(func(info *search.Line) {
		if info.MultiPV > 1 || len(info.PV) == 0 {
			return
		}
		lastDepth = info.Depth
		if info.Bound != search.Exact && info.PV[0] == o.found {
			return // says nothing new about the move
		}
		o.found = info.PV[0]
		right := t.solvedBy(o.found, info.Score)
		if right && !stood {
			since, o.time, o.depth = info.Depth, info.Elapsed, info.Depth
		}
		stood = right
		if stood && s.early > 0 && info.Depth-since >= s.early {
			lim.Control.Stop()
		}
	}))
	o.elapsed = time.Since(start)
	o.found, o.nodes, o.tbHits, o.reached = result.Best, result.Nodes, result.TBHits, max(lastDepth, result.Depth)
	o.value = review.ScoreOf(result.Score, t.epd.Position.SideToMove())
	o.solved = t.solvedBy(result.Best, result.Score)
	if o.solved && !stood { // by a bound, which no line reported
		o.time, o.depth = o.elapsed, o.reached
	}
	o.points = t.points[result.Best]
	return o
}
