// Command strength draws a chart of playing strength from a table of matches, and
// writes the same matches as a table into the README, between two comments.
package main

import (
	"cmp"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"skein/internal/plot"
)

//go:generate go run . -o ../../docs/strength.svg -readme ../../README.md ../../docs/strength.csv

func main() {
	log.SetFlags(0)
	log.SetPrefix("strength: ")
	out := flag.String("o", "strength.svg", "file to write the chart to")
	readme := flag.String("readme", "README.md", "file whose table is replaced")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: strength [-o FILE] [-readme FILE] CSV")
	}
	if err := run(flag.Arg(0), *out, *readme); err != nil {
		log.Fatal(err)
	}
}

// run writes the chart and the table.
func run(data, out, readme string) error {
	f, err := os.Open(data)
	if err != nil {
		return err
	}
	defer f.Close()
	matches, err := read(f)
	if err != nil {
		return fmt.Errorf("%s: %w", data, err)
	}
	text, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	changed, err := replaceTable(string(text), table(matches))
	if err != nil {
		return fmt.Errorf("%s: %w", readme, err)
	}
	if err := os.WriteFile(out, chart(matches).SVG(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(readme, []byte(changed), 0o644)
}

// match is a match of Skein.
type match struct {
	opponent, language string
	difference, error  float64 // Elo of Skein above the opponent, and half its 95 % interval
	games              int
	clock, network     string // of both sides, and of Skein
}

var columns = []string{"opponent", "language", "difference", "error", "games", "clock", "network"}

// read reads matches from a table with a heading.
func read(r io.Reader) ([]match, error) {
	in := csv.NewReader(r)
	in.Comment = '#'
	rows, err := in.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) < 2 || !slices.Equal(rows[0], columns) {
		return nil, fmt.Errorf("no rows below the columns %s", strings.Join(columns, ","))
	}
	var matches []match
	for _, row := range rows[1:] {
		m := match{opponent: row[0], language: row[1], clock: row[5], network: row[6]}
		if m.difference, err = number(row[2]); err != nil {
			return nil, fmt.Errorf("%s: the difference %w", m.opponent, err)
		}
		if m.error, err = number(row[3]); err != nil || m.error <= 0 {
			return nil, fmt.Errorf("%s: the error %q is not a positive number", m.opponent, row[3])
		}
		if m.games, err = strconv.Atoi(row[4]); err != nil || m.games < 1 {
			return nil, fmt.Errorf("%s: %q is not a number of games", m.opponent, row[4])
		}
		matches = append(matches, m)
	}
	return matches, nil
}

// number reads a finite number.
func number(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	return x, nil
}

// chart draws the first match with each opponent and Skein itself, from the
// strongest to the weakest.
func chart(matches []match) *plot.Chart {
	bars := []match{{opponent: "Skein", language: "Go"}}
	for _, m := range matches {
		if !slices.ContainsFunc(bars, func(b match) bool { return b.opponent == m.opponent }) {
			bars = append(bars, m)
		}
	}
	slices.SortStableFunc(bars, func(a, b match) int { return cmp.Compare(a.difference, b.difference) })
	c := &plot.Chart{
		Title: "Playing strength at equal time", XLabel: "engine", YLabel: "Elo above or below Skein", Bars: true,
		Series: []plot.Series{{Name: "written in Go"}, {Name: "in C or C++"}},
	}
	for i, m := range bars {
		c.Labels = append(c.Labels, m.opponent)
		for k := range c.Series {
			s := &c.Series[k]
			s.X, s.Y, s.Error = append(s.X, float64(i)), append(s.Y, 0), append(s.Error, 0)
			if (m.language == "Go") == (k == 0) {
				s.Y[i], s.Error[i] = -m.difference, m.error
			}
		}
	}
	return c
}

// table returns the matches as a table in Markdown.
func table(matches []match) string {
	var b strings.Builder
	b.WriteString("| opponent | written in | time control | Skein's network | games | Skein's difference, Elo |\n")
	b.WriteString("|---|---|---|---|---|---|\n")
	for _, m := range matches {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %+.0f ± %.0f |\n",
			m.opponent, m.language, m.clock, m.network, m.games, m.difference, m.error)
	}
	return b.String()
}

const begin, end = "<!-- matches: from docs/strength.csv -->\n", "<!-- end of matches -->\n"

// replaceTable replaces what is between the comments.
func replaceTable(text, table string) (string, error) {
	before, rest, ok := strings.Cut(text, begin)
	_, after, okEnd := strings.Cut(rest, end)
	if !ok || !okEnd {
		return "", fmt.Errorf("the comments %q and %q around the table are missing", begin, end)
	}
	return before + begin + table + end + after, nil
}
