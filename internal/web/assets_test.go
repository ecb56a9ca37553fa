package web

import (
	"regexp"
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
