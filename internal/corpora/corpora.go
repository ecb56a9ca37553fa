// Package corpora reads the data files of tests, and perft suites for engine
// perft, line by line, with the location of each line for messages. It knows
// nothing of chess.
package corpora

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"skein/internal/input"
)

// Path returns the path of a data file or folder: below the folder named by the
// environment variable SKEIN_CORPORA, or, if it is not set, below testdata of the
// module, which has a smaller selection.
func Path(name string) string {
	if dir := os.Getenv("SKEIN_CORPORA"); dir != "" {
		return filepath.Join(dir, filepath.FromSlash(name))
	}
	dir := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Join(dir, "..")
	}
	return filepath.Join(dir, "testdata", filepath.FromSlash(name))
}

// Line is a line of a file, neither empty nor a comment.
type Line struct {
	Where string // file:line
	Text  string
}

// Lines reads the file at path. It skips empty lines and those that begin with
// '#'.
func Lines(path string) ([]Line, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []Line
	n := 0
	for text, err := range input.Lines(f) {
		n++
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if t := strings.TrimSpace(text); t != "" && t[0] != '#' {
			lines = append(lines, Line{fmt.Sprintf("%s:%d", path, n), text})
		}
	}
	return lines, nil
}

// PerftRow is a line of a perft suite, "FEN ;D1 20 ;D2 400".
type PerftRow struct {
	Where  string // file:line
	FEN    string
	Counts []PerftCount
}

// PerftCount is the number of leaves at one depth.
type PerftCount struct {
	Depth int
	Nodes uint64
}

// PerftRows reads the perft suite at path.
func PerftRows(path string) ([]PerftRow, error) {
	lines, err := Lines(path)
	if err != nil {
		return nil, err
	}
	rows := make([]PerftRow, len(lines))
	for i, line := range lines {
		fields := strings.Split(strings.TrimRight(line.Text, "; \t"), ";")
		rows[i] = PerftRow{Where: line.Where, FEN: strings.TrimSpace(fields[0])}
		for _, field := range fields[1:] {
			c, err := parseCount(field)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", line.Where, err)
			}
			rows[i].Counts = append(rows[i].Counts, c)
		}
		if len(rows[i].Counts) == 0 {
			return nil, fmt.Errorf("%s: no counts", line.Where)
		}
	}
	return rows, nil
}

// parseCount parses "D3 8902".
func parseCount(s string) (PerftCount, error) {
	depth, nodes, _ := strings.Cut(strings.TrimSpace(s), " ")
	d, err := strconv.Atoi(strings.TrimPrefix(depth, "D"))
	if err != nil || d < 1 || depth[0] != 'D' {
		return PerftCount{}, fmt.Errorf("%q is not of the form D3 8902", s)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(nodes), 10, 64)
	if err != nil {
		return PerftCount{}, fmt.Errorf("%q is not of the form D3 8902", s)
	}
	return PerftCount{d, n}, nil
}
