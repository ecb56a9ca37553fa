// Command picture draws the contents of a terminal as an SVG file, for the README.
// It reads text with escape sequences for colors, such as tmux captures: either
// one screen from standard input,
//
//	tmux capture-pane -p -e -N -t SESSION | go run ./scripts/picture -o docs/analysis.svg
//
// or one per file, named after the milliseconds at which it was captured, for a
// moving picture; see scripts/picture/record. Empty lines at the end are omitted,
// long lines truncated.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("picture: ")
	out := flag.String("o", "docs/analysis.svg", "file to write")
	columns := flag.Int("columns", 80, "width of the terminal")
	hold := flag.Duration("hold", 4*time.Second, "time for which the last screen of a moving picture stays")
	flag.Parse()
	screens, err := readScreens(flag.Args())
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, draw(screens, *hold, *columns), 0o644); err != nil {
		log.Fatal(err)
	}
}

// screen is what a terminal shows from a moment on.
type screen struct {
	at    time.Duration
	lines [][]cell
}

// readScreens reads screens from files, or one from standard input, in the order
// of their times. Screens equal to the one before are left out.
func readScreens(files []string) ([]screen, error) {
	if len(files) == 0 {
		text, err := io.ReadAll(os.Stdin)
		return []screen{{0, parse(string(text))}}, err
	}
	var screens []screen
	for _, name := range files {
		base := filepath.Base(name)
		at, err := strconv.Atoi(strings.TrimSuffix(base, filepath.Ext(base)))
		if err != nil || at < 0 {
			return nil, fmt.Errorf("%s is not named after a number of milliseconds", name)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		screens = append(screens, screen{time.Duration(at) * time.Millisecond, parse(string(text))})
	}
	slices.SortStableFunc(screens, func(a, b screen) int { return int(a.at - b.at) })
	screens = slices.CompactFunc(screens, func(a, b screen) bool {
		return slices.EqualFunc(a.lines, b.lines, slices.Equal[[]cell])
	})
	first := screens[0].at
	for i := range screens {
		screens[i].at -= first
	}
	return screens, nil
}
