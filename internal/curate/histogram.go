package curate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"skein/internal/plot"
)

// histogram is a list of counts with labels.
type histogram struct {
	title  string
	labels []string
	counts []int64
}

// newHistogram returns a histogram whose counts are zero.
func newHistogram(title string, labels []string) *histogram {
	return &histogram{title, labels, make([]int64, len(labels))}
}

// merge adds the counts of a histogram with the same labels.
func (h *histogram) merge(other *histogram) {
	for i, n := range other.counts {
		h.counts[i] += n
	}
}

// empty reports whether all counts are zero.
func (h *histogram) empty() bool { return slices.Max(h.counts) == 0 }

// chart returns an SVG bar chart from the first to the last nonzero count.
func (h *histogram) chart() []byte {
	first, last := len(h.counts), 0
	for i, n := range h.counts {
		if n > 0 {
			first, last = min(first, i), i
		}
	}
	c := plot.Chart{Title: h.title, YLabel: "count", Bars: true, Series: make([]plot.Series, 1)}
	for i := first; i <= last; i++ {
		c.Labels = append(c.Labels, h.labels[i])
		c.Series[0].X = append(c.Series[0].X, float64(i-first))
		c.Series[0].Y = append(c.Series[0].Y, float64(h.counts[i]))
	}
	return c.SVG()
}

// write prints the nonzero counts with their shares and bars.
func (h *histogram) write(out io.Writer) error {
	if h.empty() {
		return nil
	}
	total, most, width := int64(0), int64(1), 0
	for i, n := range h.counts {
		total += n
		most = max(most, n)
		width = max(width, len(h.labels[i]))
	}
	var s strings.Builder
	fmt.Fprintf(&s, "\n%s\n", h.title)
	for i, n := range h.counts {
		if n > 0 {
			bar := strings.Repeat("#", int(40*n/most))
			fmt.Fprintf(&s, "  %*s %12d %5.1f %%  %s\n", width, h.labels[i], n, 100*float64(n)/float64(total), bar)
		}
	}
	_, err := io.WriteString(out, s.String())
	return err
}
