package console

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"skein/chess"
	"skein/internal/terminal"
	"skein/notation"
)

// suiteWriter shows the progress and the results of a suite.
type suiteWriter interface {
	progress(done, all int, sum *totals, elapsed time.Duration)
	row(n int, t *test, o *outcome) error
	sum(sum *totals) error
}

func newSuiteWriter(c *call, asJSON, chess960 bool) suiteWriter {
	w := &table{call: c, bar: &live{w: c.Err}, barScreen: screenOf(c.Err)}
	c.live = w.bar
	if asJSON {
		return &jsonTable{table: w, encoder: json.NewEncoder(c.fromFiles()), chess960: chess960}
	}
	return w
}

// table writes a line for each position, and a bar on the terminal.
type table struct {
	*call
	bar       *live
	barScreen screen
	started   bool
}

const tableFormat = "%4s %-22s %-14s %-9s %-7s %8s %5s"

func (w *table) progress(done, all int, sum *totals, elapsed time.Duration) {
	if !w.barScreen.terminal {
		return
	}
	w.barScreen.measure(w.Err)
	const cells = 24
	filled := cells * done / max(all, 1)
	left := ""
	if done > 0 {
		left = "   about " + clock(elapsed/time.Duration(done)*time.Duration(all-done)) + " left"
	}
	w.bar.draw(fit(fmt.Sprintf("[%s%s] %d of %d   %d solved%s", strings.Repeat("#", filled),
		strings.Repeat(".", cells-filled),
		done+1, all, sum.solved, left), w.barScreen.width-1))
}

func (w *table) row(n int, t *test, o *outcome) error {
	w.bar.draw("")
	if !w.started {
		w.started = true
		fmt.Fprintf(w.Out, tableFormat+"\n", "", "position", "wanted", "found", "value", "time", "depth")
	}
	found := "-"
	if o.found != chess.NoMove {
		found = notation.FormatSAN(&t.epd.Position, o.found)
	}
	duration, depth := "not", fmt.Sprint(o.reached)
	if o.solved {
		duration, depth = clock(o.time), fmt.Sprint(o.depth)
	}
	if t.points != nil {
		found += fmt.Sprintf(" %d", o.points)
	}
	line := fmt.Sprintf(tableFormat, fmt.Sprint(n), shorten(terminal.Printable(t.name), 22), shorten(t.wanted(), 14),
		shorten(found, 9), o.value, duration, depth)
	if !o.solved {
		line = w.screen.styled(bold, line)
	}
	_, err := fmt.Fprintln(w.Out, strings.TrimRight(line, " "))
	return err
}

// wanted describes the expected result.
func (t *test) wanted() string {
	var words []string
	for _, m := range t.best {
		words = append(words, notation.FormatSAN(&t.epd.Position, m))
	}
	if len(t.avoid) > 0 {
		words = append(words, "not")
	}
	for _, m := range t.avoid {
		words = append(words, notation.FormatSAN(&t.epd.Position, m))
	}
	if len(words) == 0 && t.mate != 0 {
		words = append(words, fmt.Sprintf("mate %d", t.mate))
	}
	if len(words) == 0 {
		words = append(words, fmt.Sprintf("%d points", t.mostPoints))
	}
	return strings.Join(words, " ")
}

// shorten truncates text to n characters, the last two of which are dots.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-2]) + ".."
}

func (w *table) sum(s *totals) error {
	w.bar.draw("")
	if s.tests == 0 {
		return nil
	}
	text := fmt.Sprintf("\nsolved %d of %d (%.1f%%)", s.solved, s.tests, 100*float64(s.solved)/float64(s.tests))
	if s.solved > 0 {
		text += fmt.Sprintf(", each in %s on average", clock(s.solvedTime/time.Duration(s.solved)))
	}
	if s.scored > 0 {
		text += fmt.Sprintf("\npoints %d of %d (%.1f%%)", s.points, s.mostPoints,
			100*float64(s.points)/float64(max(s.mostPoints, 1)))
	}
	_, err := fmt.Fprintf(w.Out, "%s\n%s nodes in %s\n", text, count(s.nodes), clock(s.time))
	return err
}

// jsonTable writes the results as JSON objects.
type jsonTable struct {
	*table
	encoder  *json.Encoder
	chess960 bool
}

type testReport struct {
	N         int               `json:"n"`
	ID        string            `json:"id"`
	FEN       string            `json:"fen"`
	Wanted    string            `json:"wanted"`
	Found     string            `json:"found"` // UCI
	SAN       string            `json:"san,omitempty"`
	Solved    bool              `json:"solved"`
	Points    *int              `json:"points,omitempty"`
	MaxPoints int               `json:"max_points,omitempty"`
	CP        *chess.Centipawns `json:"cp,omitempty"` // White's view
	Mate      *int              `json:"mate,omitempty"`
	TimeMS    *int64            `json:"time_ms,omitempty"` // from which on the right move stood
	Depth     int               `json:"depth,omitempty"`   // from which on the right move stood
	Reached   int               `json:"reached_depth"`
	Nodes     uint64            `json:"nodes"`
	TBHits    uint64            `json:"tbhits"`
}

func (w *jsonTable) row(n int, t *test, o *outcome) error {
	w.bar.draw("")
	r := testReport{
		N: n, ID: t.name, FEN: t.epd.Position.FEN(), Wanted: t.wanted(),
		Found:  notation.FormatUCI(o.found, w.chess960),
		Solved: o.solved, MaxPoints: t.mostPoints, Reached: o.reached, Nodes: o.nodes, TBHits: o.tbHits,
	}
	if o.found != chess.NoMove {
		r.SAN = notation.FormatSAN(&t.epd.Position, o.found)
	}
	if o.solved {
		ms := o.time.Milliseconds()
		r.TimeMS, r.Depth = &ms, o.depth
	}
	if t.points != nil {
		r.Points = &o.points
	}
	r.CP, r.Mate = o.value.Shown()
	return w.encoder.Encode(r)
}

func (w *jsonTable) sum(s *totals) error {
	w.bar.draw("")
	return w.encoder.Encode(struct {
		Tests     int    `json:"tests"`
		Solved    int    `json:"solved"`
		Points    int    `json:"points"`
		MaxPoints int    `json:"max_points"`
		Nodes     uint64 `json:"nodes"`
		TimeMS    int64  `json:"time_ms"`
	}{s.tests, s.solved, s.points, s.mostPoints, s.nodes, s.time.Milliseconds()})
}
