package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"skein/chess"
	"skein/internal/record"
	"skein/position"
)

// scoreEdges are the absolute scores in centipawns at which a row begins.
var scoreEdges = []int{0, 10, 50, 100, 200, 400, 700, 1000, 2000, record.MateBound}

const (
	lengthStep = 20 // plies of a row of game lengths
	lengthRows = 31
)

// summary is what stats shows.
type summary struct {
	games, positions, checks          int64
	results, ends, scores, men, plies *histogram
}

func newSummary() *summary {
	s := &summary{results: newHistogram("results", nil), ends: newHistogram("ends", nil)}
	for r := record.BlackWins; r <= record.WhiteWins; r++ {
		s.results.labels = append(s.results.labels, r.String())
	}
	s.results.counts = make([]int64, len(s.results.labels))
	for e := range record.NumEnds {
		s.ends.labels = append(s.ends.labels, record.End(e).String())
	}
	s.ends.counts = make([]int64, len(s.ends.labels))

	var labels []string
	for i := len(scoreEdges) - 1; i >= 0; i-- {
		labels = append(labels, fmt.Sprintf("<= %d", -scoreEdges[i]))
	}
	labels[len(labels)-1] = "< 0"
	for _, edge := range scoreEdges {
		labels = append(labels, fmt.Sprintf(">= %d", edge))
	}
	s.scores = newHistogram("scores, centipawns for the side to move", labels)
	labels = nil
	for n := range 33 {
		labels = append(labels, fmt.Sprint(n))
	}
	s.men = newHistogram("men on the board", labels)
	labels = nil
	for i := range lengthRows {
		labels = append(labels, fmt.Sprintf("%d-%d", i*lengthStep, (i+1)*lengthStep-1))
	}
	labels[lengthRows-1] = fmt.Sprintf(">= %d", (lengthRows-1)*lengthStep)
	s.plies = newHistogram("plies a game", labels)
	return s
}

// scoreRow returns the row of a score.
func scoreRow(score int) int {
	row := len(scoreEdges) - 1
	for scoreEdges[row] > max(score, -score) {
		row--
	}
	if score < 0 {
		return len(scoreEdges) - 1 - row
	}
	return len(scoreEdges) + row
}

// game counts a game.
func (s *summary) game(g *record.Game) error {
	s.games++
	s.positions += int64(len(g.Plies))
	s.results.counts[g.Result]++
	s.ends.counts[g.End]++
	s.plies.counts[min(len(g.Plies)/lengthStep, lengthRows-1)]++
	return nil
}

// position counts the position before a move of g.
func (s *summary) position(g *record.Game, p *position.Position, ply int) {
	score := int(g.Plies[ply].Score)
	if p.SideToMove() == chess.Black {
		score = -score
	}
	s.scores.counts[scoreRow(score)]++
	s.men.counts[p.Occupied().Count()]++
	if p.InCheck() {
		s.checks++
	}
}

func (s *summary) write(out io.Writer) error {
	_, err := fmt.Fprintf(out, "games      %d\npositions  %d, %.1f a game, %.1f %% in check\n", s.games, s.positions,
		float64(s.positions)/float64(max(s.games, 1)), 100*float64(s.checks)/float64(max(s.positions, 1)))
	for _, h := range []*histogram{s.results, s.ends, s.plies, s.scores, s.men} {
		if err == nil {
			err = h.write(out)
		}
	}
	return err
}

// stats carries out the command of that name.
func stats(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("stats", "FILE...", stderr)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("stats: no file given")
	}
	s := newSummary()
	for _, name := range flags.Args() {
		if _, _, err := replayAll(ctx, name, s); err != nil {
			return err
		}
	}
	return s.write(stdout)
}
