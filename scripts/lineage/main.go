// Command lineage draws a chart of the cumulative gains of the networks from the
// table in nets/README.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"slices"
	"strings"

	"skein/internal/plot"
)

//go:generate go run . -o ../../docs/lineage.svg ../../nets/README.md

func main() {
	log.SetFlags(0)
	log.SetPrefix("lineage: ")
	out := flag.String("o", "lineage.svg", "file to write")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: lineage [-o FILE] README")
	}
	text, err := os.ReadFile(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	chart, err := draw(string(text))
	if err != nil {
		log.Fatalf("%s: %v", flag.Arg(0), err)
	}
	if err := os.WriteFile(*out, chart.SVG(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// draw reads the columns name and gain of the first table that has them.
func draw(text string) (*plot.Chart, error) {
	chart := &plot.Chart{Title: "Strength of the networks, gains at fixed nodes added up", XLabel: "network",
		YLabel: "Elo", Bars: true}
	s := plot.Series{}
	name, gain, total, variance := -1, -1, 0.0, 0.0
	for i, line := range strings.Split(text, "\n") {
		cells := cellsOf(line)
		switch {
		case gain < 0:
			name, gain = slices.Index(cells, "name"), slices.Index(cells, "gain")
			continue
		case len(cells) == 0:
			chart.Series = []plot.Series{s}
			return chart, nil
		case strings.Trim(cells[0], "-") == "":
			continue
		case len(cells) <= max(name, gain) || name < 0:
			return nil, fmt.Errorf("line %d: no name and gain", i+1)
		}
		var elo, margin float64
		if cells[gain] != "0" {
			if _, err := fmt.Sscanf(cells[gain], "%f ± %f", &elo, &margin); err != nil ||
				!strings.ContainsAny(cells[gain][:1], "+-") {
				return nil, fmt.Errorf("line %d: the gain %q is not of the form +123 ± 45", i+1, cells[gain])
			}
		}
		total += elo
		variance += margin * margin
		s.X, s.Y, s.Error = append(s.X, float64(len(s.X))), append(s.Y, total), append(s.Error, math.Sqrt(variance))
		chart.Labels = append(chart.Labels, cells[name])
	}
	return nil, errors.New("no table of networks with a column gain, or no end of it")
}

// cellsOf cuts a line of a table into its cells. Other lines have none.
func cellsOf(line string) []string {
	line, ok := strings.CutPrefix(strings.TrimSpace(line), "|")
	if !ok {
		return nil
	}
	cells := strings.Split(strings.TrimSuffix(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}
