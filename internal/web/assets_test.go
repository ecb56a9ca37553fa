package web

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestColors checks that browsers without light-dark() have all the colors that it defines.
func TestColors(t *testing.T) {
	text, err := assets.ReadFile("assets/base.css")
	if err != nil {
		t.Fatal(err)
	}
	modern, old, ok := strings.Cut(string(text), "@supports not")
	if !ok {
		t.Fatal("base.css has nothing for browsers without light-dark()")
	}
	properties := regexp.MustCompile(`(--[a-z-]+):.*light-dark`).FindAllStringSubmatch(modern, -1)
	if len(properties) == 0 {
		t.Fatal("base.css defines no colors by light-dark()")
	}
	for _, p := range properties {
		if !strings.Contains(old, "\t"+p[1]+": ") {
			t.Errorf("%s has no value for browsers without light-dark()", p[1])
		}
	}
}

// TestCoordinates checks that coordinates have the contrast to squares of both colors that
// WCAG 2 demands of small text, in both themes.
func TestCoordinates(t *testing.T) {
	text := asset("base.css")
	colors := map[string][2]float64{} // luminance in the light and the dark theme
	definition := regexp.MustCompile(`--([a-z-]+): light-dark\(#(\w{6}), #(\w{6})\)`)
	for _, m := range definition.FindAllStringSubmatch(text, -1) {
		colors[m[1]] = [2]float64{luminance(t, m[2]), luminance(t, m[3])}
	}
	if _, ok := colors["coordinate"]; !ok {
		t.Fatal("base.css has no color of coordinates")
	}
	for theme, name := range []string{"light", "dark"} {
		for _, square := range []string{"square-light", "square-dark"} {
			a, b := colors["coordinate"][theme], colors[square][theme]
			if contrast := (max(a, b) + 0.05) / (min(a, b) + 0.05); contrast < 4.5 {
				t.Errorf("%s theme, %s: the contrast is %.2f", name, square, contrast)
			}
		}
	}
}

// luminance returns the relative luminance of a color of sRGB by WCAG 2, 0 to 1.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	rgb, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	channel := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 0xff
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}
