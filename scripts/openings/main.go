// Command openings makes the list of opening names that package openings embeds
// from the files a.tsv to e.tsv of github.com/lichess-org/chess-openings:
//
//	go run ./scripts/openings -version COMMIT FOLDER
//
// Every line is checked: its moves are legal, and no other line leads to the same
// position. The README of that package describes the result.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"skein/chess"
	"skein/notation"
	"skein/position"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("openings: ")
	out := flag.String("o", "openings/openings.txt", "file to write")
	version := flag.String("version", "", "commit of the source, as written to the file")
	flag.Parse()
	if flag.NArg() != 1 || *version == "" {
		log.Fatal("usage: openings -version COMMIT [-o FILE] FOLDER")
	}
	lines, err := readFolder(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, format(lines, *version), 0o644); err != nil {
		log.Fatal(err)
	}
}

// line is a line of the list: a name and the moves that lead to it, in SAN
// without numbers.
type line struct {
	eco, name string
	moves     []string
}

// readFolder reads the five files.
func readFolder(folder string) ([]line, error) {
	var lines []line
	names := map[chess.Key]string{}
	for _, letter := range "abcde" {
		path := filepath.Join(folder, string(letter)+".tsv")
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		n := 0
		for row := range strings.Lines(string(text)) {
			if n++; n == 1 {
				continue // the names of the columns
			}
			l, key, err := parse(strings.TrimRight(row, "\r\n"))
			if err == nil && names[key] != "" {
				err = fmt.Errorf("%s leads to the position of %s", l.name, names[key])
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, n, err)
			}
			names[key] = l.name
			lines = append(lines, l)
		}
	}
	return lines, nil
}

var ecoCode = regexp.MustCompile(`^[A-E][0-9][0-9]$`)

// parse reads a row of code, name and moves in PGN. It also returns the key of the
// position that the moves lead to.
func parse(row string) (line, chess.Key, error) {
	cells := strings.Split(row, "\t")
	if len(cells) != 3 {
		return line{}, 0, fmt.Errorf("%d columns instead of 3", len(cells))
	}
	l := line{eco: cells[0], name: strings.Join(strings.Fields(cells[1]), " ")}
	if !ecoCode.MatchString(l.eco) {
		return l, 0, fmt.Errorf("%q is not an ECO code", l.eco)
	}
	if l.name == "" {
		return l, 0, errors.New("the name is missing")
	}
	g, err := notation.NewReader(strings.NewReader(cells[2])).Read()
	if err == io.EOF || err == nil && len(g.Main.Moves) == 0 {
		return l, 0, errors.New("the moves are missing")
	}
	if err != nil {
		return l, 0, err
	}
	p := position.Start()
	for _, m := range g.Moves() {
		l.moves = append(l.moves, notation.FormatSAN(&p, m))
		p = p.After(m)
	}
	return l, p.Key(), nil
}

// format writes the lines in the order of their moves, each with the number of
// first moves that it shares with the line before in place of these.
func format(lines []line, version string) []byte {
	slices.SortFunc(lines, func(a, b line) int { return slices.Compare(a.moves, b.moves) })
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Made by scripts/openings from lichess-org/chess-openings, commit %s (CC0 1.0).\n", version)
	var last []string
	for _, l := range lines {
		shared := 0
		for shared < min(len(last), len(l.moves)) && last[shared] == l.moves[shared] {
			shared++
		}
		fmt.Fprintf(&b, "%s\t%s\t%d %s\n", l.eco, l.name, shared, strings.Join(l.moves[shared:], " "))
		last = l.moves
	}
	return b.Bytes()
}
