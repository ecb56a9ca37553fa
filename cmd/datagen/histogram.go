package main

import (
	"fmt"
	"io"
	"strings"
)

// histogram counts in rows with labels.
type histogram struct {
	title  string
	labels []string
	counts []int64
}

func newHistogram(title string, labels []string) *histogram {
	return &histogram{title, labels, make([]int64, len(labels))}
}

// write prints the rows that are not empty, with shares and bars.
func (h *histogram) write(out io.Writer) error {
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
