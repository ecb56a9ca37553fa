package curate

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"skein/chess"
	"skein/internal/atomicfile"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
)

// scoreEdges are the lower bounds of the rows of scores.
var scoreEdges = []chess.Score{0, 32, 128, 256, 512, 1024, 2048, 4096, 8192, record.MateBound}

// Rows of the lengths of games.
const (
	lengthStep = 20 // plies
	lengthRows = 31
)

// Titles of the histogram of scores: if all are in the same unit, and if those of a file
// whose header does not state it are among them.
const (
	knownUnit   = "scores, 1/256 pawn, for the side to move"
	unknownUnit = "scores, some or all in an unknown unit, for the side to move"
)

// Summary has counts of games and positions by several properties.
type Summary struct {
	games, leftOut, positions, checks, quiet int64
	slopes                                   float64 // sum over quiet positions, 1 for a balanced one
	results, ends, scores, men, phase, plies *histogram
}

// histograms lists the histograms in the order in which they are printed.
func (s *Summary) histograms() []*histogram {
	return []*histogram{s.results, s.ends, s.plies, s.scores, s.phase, s.men}
}

// newSummary returns a summary of no games.
func newSummary() *Summary {
	s := &Summary{}
	var labels []string
	for r := rules.BlackWins; r <= rules.WhiteWins; r++ {
		labels = append(labels, r.String())
	}
	s.results = newHistogram("results", labels)
	labels = nil
	for e := range record.NumEnds {
		labels = append(labels, record.End(e).String())
	}
	s.ends = newHistogram("ends", labels)
	labels = nil
	for i := len(scoreEdges) - 1; i >= 0; i-- {
		labels = append(labels, fmt.Sprintf("<= %d", -scoreEdges[i]))
	}
	labels[len(labels)-1] = "< 0"
	for _, edge := range scoreEdges {
		labels = append(labels, fmt.Sprintf(">= %d", edge))
	}
	s.scores = newHistogram(knownUnit, labels)
	labels = nil
	for n := range 33 {
		labels = append(labels, fmt.Sprint(n))
	}
	s.men = newHistogram("pieces on the board", labels)
	labels = nil
	for n := range maxPhase + 1 {
		labels = append(labels, fmt.Sprint(n))
	}
	s.phase = newHistogram("phase: knights and bishops 1, rooks 2, queens 4; 24 in the initial position", labels)
	labels = nil
	for i := range lengthRows {
		labels = append(labels, fmt.Sprintf("%d-%d", i*lengthStep, (i+1)*lengthStep-1))
	}
	labels[lengthRows-1] = fmt.Sprintf(">= %d", (lengthRows-1)*lengthStep)
	s.plies = newHistogram("plies per game", labels)
	return s
}

// scoreRow returns the row of a score in the histogram.
func scoreRow(score chess.Score) int {
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
func (s *Summary) game(g *record.Game) {
	s.games++
	s.positions += int64(len(g.Plies))
	s.results.counts[g.Result.HalfPoints()]++
	s.ends.counts[g.End]++
	s.plies.counts[min(len(g.Plies)/lengthStep, lengthRows-1)]++
}

// score counts the score of a position, from White's point of view.
func (s *Summary) score(p *position.Position, score chess.Score) {
	if p.SideToMove() == chess.Black {
		score = -score
	}
	s.scores.counts[scoreRow(score)]++
}

// position counts a position.
func (s *Summary) position(p *position.Position) {
	s.men.counts[p.Occupied().Count()]++
	s.phase.counts[phase(p)]++
	if p.InCheck() {
		s.checks++
	}
}

// trainable counts a position of a game if it passes the default filter of
// training. The gradient of a score in training is proportional to the slope of
// the sigmoid, which is almost zero in decided games.
func (s *Summary) trainable(p *position.Position, ply record.Ply) {
	quiet := record.DefaultFilter()
	if quiet.Keep(p, ply) {
		points := record.ExpectedPoints(float64(ply.Score), record.ScoreScale)
		s.quiet++
		s.slopes += 4 * points * (1 - points)
	}
}

// maxPhase is the phase of the initial position, and the maximum.
const maxPhase = 24

// phase returns the phase: 1 for each knight and bishop, 2 for each rook, 4 for
// each queen, at most maxPhase.
func phase(p *position.Position) int {
	minor := p.Pieces(chess.Knight) | p.Pieces(chess.Bishop)
	return min(minor.Count()+2*p.Pieces(chess.Rook).Count()+4*p.Pieces(chess.Queen).Count(), maxPhase)
}

// merge adds the counts of another summary.
func (s *Summary) merge(other *Summary) {
	s.games += other.games
	s.leftOut += other.leftOut
	s.positions += other.positions
	s.checks += other.checks
	s.quiet += other.quiet
	s.slopes += other.slopes
	if other.scores.title == unknownUnit {
		s.scores.title = unknownUnit
	}
	for i, h := range s.histograms() {
		h.merge(other.histograms()[i])
	}
}

// Write prints the counts and the histograms.
func (s *Summary) Write(out io.Writer) error {
	games, each := "", "" // not known for single positions
	switch {
	case s.leftOut > 0:
		games = fmt.Sprintf("games      %d, and %d without a result, left out below\n", s.games, s.leftOut)
	case s.games > 0:
		games = fmt.Sprintf("games      %d\n", s.games)
	}
	if s.games > 0 {
		each = fmt.Sprintf(", %.1f per game", float64(s.positions)/float64(s.games))
	}
	share := func(x float64) float64 { return 100 * x / float64(max(s.positions, 1)) }
	_, err := fmt.Fprintf(out, "%spositions  %d%s, %.1f %% in check\n",
		games, s.positions, each, share(float64(s.checks)))
	if err == nil && s.games > 0 {
		_, err = fmt.Fprintf(out, "quiet      %d, %.1f %%; "+
			"weighted by the slope of the sigmoid equal to %.0f balanced positions, %.1f %%\n",
			s.quiet, share(float64(s.quiet)), s.slopes, share(s.slopes))
	}
	for _, h := range s.histograms() {
		if err == nil {
			err = h.write(out)
		}
	}
	return err
}

// Draw writes charts of the histograms as SVG files to a folder, which it creates.
func (s *Summary) Draw(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for name, h := range map[string]*histogram{
		"results": s.results, "ends": s.ends, "plies": s.plies, "scores": s.scores, "phase": s.phase, "men": s.men,
	} {
		if h.empty() {
			continue
		}
		if err := atomicfile.WriteFile(filepath.Join(folder, name+".svg"), h.chart()); err != nil {
			return err
		}
	}
	return nil
}

// Summarize returns a summary of the files, which are all of games, or all of positions.
func Summarize(ctx context.Context, names []string) (*Summary, error) {
	if err := checkAlike(names); err != nil {
		return nil, err
	}
	s := newSummary()
	for _, name := range names {
		if err := s.count(ctx, name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// checkAlike returns an error if some files are of games and others of positions: a
// result counts once for a game, and for each position.
func checkAlike(names []string) error {
	for _, name := range names {
		if _, err := dataset.KindOf(name); err != nil {
			return err
		}
	}
	games := slices.IndexFunc(names, dataset.HasGames)
	other := slices.IndexFunc(names, func(name string) bool { return !dataset.HasGames(name) })
	if games >= 0 && other >= 0 {
		return fmt.Errorf("%s is a file of games, and %s one of positions; count them separately",
			names[games], names[other])
	}
	return nil
}

// count adds the games or positions of a file.
func (s *Summary) count(ctx context.Context, name string) error {
	merge := func(part *Summary) error {
		s.merge(part)
		return nil
	}
	workers, names := runtime.GOMAXPROCS(0), []string{name}
	if dataset.HasGames(name) {
		return dataset.Ordered(ctx, workers, dataset.GameReader{Whole: true}.Batches(names), countGames, merge)
	}
	return dataset.Ordered(ctx, workers, dataset.Batches(names, record.Filter{}), countEntries, merge)
}

// countGames returns a summary of a batch of games.
func countGames(_ context.Context, _ int, b *dataset.GameBatch) (*Summary, error) {
	part := newSummary()
	part.leftOut = int64(b.LeftOut)
	if b.CheckUnit() != nil {
		part.scores.title = unknownUnit
	}
	for i := range b.Games {
		g := &b.Games[i]
		err := b.Replay(i, func(p *position.Position, ply int) {
			part.position(p)
			if b.Scored(i, ply) {
				part.score(p, g.Plies[ply].Score)
				part.trainable(p, g.Plies[ply])
			}
		})
		if err != nil {
			return nil, err
		}
		part.game(g)
	}
	return part, nil
}

// countEntries returns a summary of a batch of positions.
func countEntries(_ context.Context, _ int, b dataset.Batch) (*Summary, error) {
	part := newSummary()
	return part, b.Each(func(e *dataset.Entry) error {
		part.positions++
		part.position(&e.Position)
		if !e.NoResult {
			part.results.counts[e.Result.HalfPoints()]++
		}
		if !e.NoScore {
			part.score(&e.Position, e.Score)
		}
		return nil
	})
}
