// Package plot draws line and bar charts as SVG. It knows nothing of chess.
package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Chart is a chart of one or more series with common axes.
type Chart struct {
	Title  string
	XLabel string
	YLabel string
	Series []Series
	Bars   bool // draw bars from zero instead of lines: a histogram
	LogY   bool // lines on a logarithmic scale; points that are not above zero are omitted
	// Labels replace the numbers below the bars; X is the index of a label. They are
	// slanted if one is wider than a bar.
	Labels []string
}

// Series is a sequence of points in the order of their X. Points that are not
// finite are omitted. Bars begin at X; their width is the minimum distance between
// two points.
type Series struct {
	Name  string // for the legend, which a chart of one nameless series lacks
	X, Y  []float64
	Error []float64 // of each Y, drawn as a whisker on its bar; none if nil
}

// Sizes of the chart in pixels.
const (
	width, height          = 800, 480
	left, right            = 80, 20
	top, bottom            = 44, 60
	plotWidth, plotHeight  = width - left - right, height - top - bottom
	ticksAcross, ticksDown = 8, 6
	legendLine             = 18
	letterWidth            = 7 // of a label, on average
)

// colors can be distinguished with color vision deficiency.
//
// Source: M. Okabe, K. Ito, "Color Universal Design", 2008.
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

// axis maps lo..hi, or their powers of ten, to pixels.
type axis struct {
	lo, hi   float64
	from, to float64 // pixels
	log      bool
}

func (a *axis) at(x float64) float64 { return a.from + (a.scale(x)-a.lo)/(a.hi-a.lo)*(a.to-a.from) }

func (a *axis) scale(x float64) float64 {
	if a.log {
		return math.Log10(x)
	}
	return x
}

// step returns the distance between about n round numbers from lo to hi.
func (a *axis) step(n int) float64 {
	rough := (a.hi - a.lo) / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= rough*0.999 {
			return factor * power
		}
	}
	return 10 * power
}

// tick is a number to label on an axis, and the distance to the next.
type tick struct{ value, step float64 }

// ticks returns about n round numbers from lo to hi.
func (a *axis) ticks(n int) []tick {
	if a.log {
		return a.logTicks(n)
	}
	var ticks []tick
	step := a.step(n)
	first := math.Ceil(a.lo/step - 1e-9)
	for i := 0.0; i <= float64(4*n) && (first+i)*step <= a.hi+step*1e-9; i++ {
		ticks = append(ticks, tick{(first + i) * step, step})
	}
	return ticks
}

// logTicks returns numbers that begin with 1, 2 or 5, or with 1 where those
// would be many, or round ones on a scale of less than half a power of ten.
func (a *axis) logTicks(n int) []tick {
	if a.hi-a.lo < 0.5 {
		return (&axis{lo: math.Pow(10, a.lo), hi: math.Pow(10, a.hi)}).ticks(n)
	}
	every := math.Ceil((a.hi - a.lo) / float64(n))
	var ticks []tick
	for power := math.Floor(a.lo); power <= a.hi; power += every {
		for _, factor := range []float64{1, 2, 5} {
			v := factor * math.Pow(10, power)
			if x := math.Log10(v); x >= a.lo && x <= a.hi && (factor == 1 || a.hi-a.lo < 3) {
				ticks = append(ticks, tick{v, v})
			}
		}
	}
	return ticks
}

// SVG returns the chart as an SVG document.
func (c *Chart) SVG() []byte {
	var b bytes.Buffer
	total := height + c.slant()
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"`, width, total)
	b.WriteString(` font-family="sans-serif" font-size="13">` + "\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, total)
	text(&b, width/2, 26, "middle", `font-size="17"`, c.Title)
	x, y := c.axes()
	c.frame(&b, &x, &y)
	for i := range c.Series {
		if c.Bars {
			c.bars(&b, i, &x, &y)
		} else {
			c.line(&b, i, &x, &y)
		}
	}
	c.legend(&b)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// slant returns the additional height that slanted labels need, 0 if they fit side by
// side.
func (c *Chart) slant() int {
	longest := 0
	for _, label := range c.Labels {
		longest = max(longest, letterWidth*utf8.RuneCountInString(label))
	}
	if longest*len(c.Labels) <= plotWidth {
		return 0
	}
	return int(float64(longest) * math.Sqrt2 / 2)
}

// text writes text at a position.
func text(b *bytes.Buffer, x, y float64, anchor, attributes, words string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s" %s>`, x, y, anchor, attributes)
	xml.EscapeText(b, []byte(words)) // to memory
	b.WriteString("</text>\n")
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// points calls f with the points of a series that can be drawn.
func (s *Series) points(y *axis, f func(x, y float64)) {
	for i := range min(len(s.X), len(s.Y)) {
		if finite(s.X[i]) && finite(y.scale(s.Y[i])) {
			f(s.X[i], s.Y[i])
		}
	}
}

// whiskers calls f with the ends of the whiskers that have any length.
func (s *Series) whiskers(f func(x, from, to float64)) {
	for i := range min(len(s.X), len(s.Y), len(s.Error)) {
		if from, to := s.Y[i]-s.Error[i], s.Y[i]+s.Error[i]; from < to && finite(from) && finite(to) && finite(s.X[i]) {
			f(s.X[i], from, to)
		}
	}
}

// axes spans all points.
func (c *Chart) axes() (x, y axis) {
	x = axis{math.Inf(1), math.Inf(-1), left, left + plotWidth, false}
	y = axis{math.Inf(1), math.Inf(-1), top + plotHeight, top, c.LogY && !c.Bars}
	for i := range c.Series {
		barWidth := 0.0
		if c.Bars {
			barWidth = c.Series[i].spacing()
		}
		c.Series[i].points(&y, func(px, py float64) {
			x.lo, x.hi = min(x.lo, px), max(x.hi, px+barWidth)
			py = y.scale(py)
			y.lo, y.hi = min(y.lo, py), max(y.hi, py)
		})
		if c.Bars {
			c.Series[i].whiskers(func(_, from, to float64) { y.lo, y.hi = min(y.lo, from), max(y.hi, to) })
		}
	}
	if c.Bars {
		y.lo, y.hi = min(y.lo, 0), max(y.hi, 0)
	}
	for _, a := range []*axis{&x, &y} {
		switch {
		case a.lo > a.hi: // no points
			a.lo, a.hi = 0, 1
		case !(a.hi-a.lo > 1e-12*max(math.Abs(a.lo), math.Abs(a.hi))):
			room := max(math.Abs(a.hi)/2, 1e-12)
			a.lo, a.hi = a.lo-room, a.hi+room
		}
	}
	room := (y.hi - y.lo) / 20
	if y.hi += room; !c.Bars || y.lo < 0 {
		y.lo -= room
	}
	return x, y
}

// spacing returns the least distance between two points of a series.
func (s *Series) spacing() float64 {
	least, last := math.Inf(1), math.NaN()
	s.points(&axis{}, func(x, _ float64) {
		if x > last {
			least = min(least, x-last)
		}
		last = x
	})
	if !finite(least) {
		return 1
	}
	return least
}

// frame draws the axes, their labels and a grid.
func (c *Chart) frame(b *bytes.Buffer, x, y *axis) {
	for _, v := range y.ticks(ticksDown) {
		at := y.at(v.value)
		fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>`+"\n", left, left+plotWidth, at, at)
		text(b, left-8, at+4, "end", "", v.String())
	}
	if len(c.Labels) > 0 {
		c.labels(b, x)
	} else {
		for _, v := range x.ticks(ticksAcross) {
			at := x.at(v.value)
			fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#ddd"/>`+"\n", at, at, top,
				top+plotHeight)
			text(b, at, top+plotHeight+18, "middle", "", v.String())
		}
	}
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#888"/>`+"\n", left, top, plotWidth,
		plotHeight)
	text(b, left+plotWidth/2, float64(height+c.slant()-16), "middle", "", c.XLabel)
	text(b, 18, top+plotHeight/2, "middle", fmt.Sprintf(`transform="rotate(-90 18 %d)"`, top+plotHeight/2), c.YLabel)
}

// labels writes the labels below the bars.
func (c *Chart) labels(b *bytes.Buffer, x *axis) {
	slanted := c.slant() > 0
	for i, label := range c.Labels {
		at := x.at(float64(i) + 0.5)
		if slanted {
			turn := fmt.Sprintf(`transform="rotate(-45 %.1f %d)"`, at, top+plotHeight+14)
			text(b, at+4, top+plotHeight+14, "end", turn, label)
		} else {
			text(b, at, top+plotHeight+18, "middle", "", label)
		}
	}
}

// String returns the number with the digits that the distance to the next needs.
func (t tick) String() string {
	v, step := t.value, t.step
	magnitude := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case magnitude >= 1e9:
		return tick{v / 1e9, step / 1e9}.String() + "G"
	case magnitude >= 1e6:
		return tick{v / 1e6, step / 1e6}.String() + "M"
	case magnitude >= 1e4:
		return tick{v / 1e3, step / 1e3}.String() + "k"
	case step < 1e-6:
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, int(math.Ceil(-math.Log10(step)-1e-9))), 64)
}

func (c *Chart) line(b *bytes.Buffer, i int, x, y *axis) {
	s, color := &c.Series[i], colors[i%len(colors)]
	b.WriteString(`<polyline fill="none" stroke="` + color + `" stroke-width="2" points="`)
	n := 0
	var px, py float64
	s.points(y, func(sx, sy float64) {
		n, px, py = n+1, x.at(sx), y.at(sy)
		fmt.Fprintf(b, "%.1f,%.1f ", px, py)
	})
	b.WriteString(`"/>` + "\n")
	if n == 1 {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", px, py, color)
	}
}

func (c *Chart) bars(b *bytes.Buffer, i int, x, y *axis) {
	s, zero := &c.Series[i], y.at(0)
	opacity := 0.85
	if len(c.Series) > 1 {
		opacity = 0.5
	}
	w := s.spacing() / (x.hi - x.lo) * plotWidth
	s.points(y, func(sx, sy float64) {
		at := y.at(sy)
		fmt.Fprintf(b, `<rect x="%.2f" y="%.1f" width="%.2f" height="%.1f" fill="%s" fill-opacity="%g"/>`+"\n",
			x.at(sx)+w*0.05, min(at, zero), w*0.9, math.Abs(at-zero), colors[i%len(colors)], opacity)
	})
	s.whiskers(func(sx, from, to float64) {
		middle, low, high := x.at(sx)+w/2, y.at(from), y.at(to)
		fmt.Fprintf(b, `<path d="M%.2f,%.1fV%.1fM%.2f,%.1fh16M%.2f,%.1fh16" stroke="#333" stroke-width="1.5"/>`+"\n",
			middle, low, high, middle-8, low, middle-8, high)
	})
}

// legend names the series in the upper right corner.
func (c *Chart) legend(b *bytes.Buffer) {
	if len(c.Series) == 1 && c.Series[0].Name == "" {
		return
	}
	for i, s := range c.Series {
		y := float64(top + 20 + i*legendLine)
		text(b, left+plotWidth-34, y, "end", "", s.Name)
		fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="%s" stroke-width="3"/>`+"\n",
			left+plotWidth-28, left+plotWidth-8, y-4, y-4, colors[i%len(colors)])
	}
}
