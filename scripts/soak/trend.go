//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"skein/internal/plot"
)

// minSamples is the number of samples below which nothing is concluded.
const minSamples = 12

// steady returns the samples without the first fifth, in which caches fill.
func steady(samples []sample) []sample { return samples[len(samples)/5:] }

// judge compares the median of the last quarter of the steady samples with that of
// the first quarter, for each metric, and writes them to out. The error names what
// grew by more than its slack.
func judge(samples []sample, out io.Writer) error {
	if len(samples) < minSamples {
		fmt.Fprintf(out, "%d samples, too few for a trend\n", len(samples))
		return nil
	}
	var grown []error
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "median\tfirst quarter\tlast quarter\tmay grow by")
	for i, m := range metrics {
		first, last := ends(steady(samples), i)
		first, last = first/m.scale, last/m.scale
		fmt.Fprintf(w, "%s\t%.4g%s\t%.4g%s\t%g%s\n", m.name, first, m.unit, last, m.unit, m.slack, m.unit)
		if last-first > m.slack {
			grown = append(grown, fmt.Errorf("%s grew from %.4g%s to %.4g%s", m.name, first, m.unit, last, m.unit))
		}
	}
	return errors.Join(append(grown, w.Flush())...)
}

// ends returns the medians of a metric in the first and last quarter of samples.
func ends(samples []sample, metric int) (first, last float64) {
	quarter := max(len(samples)/4, 1)
	return median(samples[:quarter], metric), median(samples[len(samples)-quarter:], metric)
}

// median returns the median of a metric, the lower one of two.
func median(samples []sample, metric int) float64 {
	values := make([]uint64, len(samples))
	for i, s := range samples {
		values[i] = s.values[metric]
	}
	slices.Sort(values)
	return float64(values[(len(values)-1)/2])
}

// chart draws each metric as a share of its median in the first quarter of the steady
// samples, which the legend has.
func chart(samples []sample) *plot.Chart {
	c := &plot.Chart{Title: "Use of the process during a soak", XLabel: "minutes", YLabel: "relative to the beginning"}
	if len(samples) == 0 {
		return c
	}
	for i, m := range metrics {
		first, _ := ends(steady(samples), i)
		s := plot.Series{Name: fmt.Sprintf("%s, %.4g%s", m.name, first/m.scale, m.unit)}
		for _, sample := range samples {
			s.X, s.Y = append(s.X, sample.seconds/60), append(s.Y, float64(sample.values[i])/first)
		}
		c.Series = append(c.Series, s)
	}
	return c
}
