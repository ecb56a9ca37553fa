package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"skein/chess"
	"skein/internal/review"
	"skein/movegen"
	"skein/notation"
	"skein/position"
	"skein/search"
)

const (
	analyseArguments = "[MOVE...] | --pgn FILE..."
	analyseHelp      = `Analyzes the initial position, or that of --fen, after the MOVEs (in SAN or UCI
notation, with or without move numbers). Without a limit it searches until
interrupted.

With --pgn it reviews the games in FILE and in the files that follow (- is standard
input): every position is searched, for one second by default, and the games are
written with evaluations, glyphs and words for bad moves, and better lines. Moves
are judged as on lichess.org. Several games are reviewed at a time, one by each
thread, each with a table of its own (32 MiB, or --hash); a single game is searched
by all threads. With --depth or --nodes, a review of several games, or by one thread,
is the same each time. A summary of the players comes at the end. Scores are from
White's point of view. With --html the games become a page in one file, to be opened
with any browser, and are also written, as PGN or with --json, only with --output.
`
)

// analysis holds the arguments of analyse.
type analysis struct {
	fen      string
	effort   *effort
	multiPV  int
	chess960 bool
	json     bool

	pgn    []string // files of games to review
	curve  review.Curve
	praise bool
	output string // "" is the standard output
	resume bool
	html   string // a report; "" for none
}

func analyse(c *call) func([]string) error {
	a := analysis{}
	c.flags.Group("Input")
	c.fenFlag(&a.fen, "analyze the position `FEN`")
	c.flags.StringArrayVar(&a.pgn, "pgn", nil, "review the games in `FILE`, and in more files")
	c.flags.BoolVar(&a.chess960, "chess960", false, "use the castling rules of Chess960")
	a.effort = c.limitFlags()
	c.engineFlags(a.effort, defaultThreads(), 256)
	c.flags.Group("Output")
	c.flags.IntVar(&a.multiPV, "multipv", 1, "show the `N` best lines")
	c.flags.BoolVar(&a.json, "json", false, "write JSON, one object per line")
	a.reviewFlags(c)
	return func(moves []string) error {
		if err := a.effort.check(c.flags); err != nil {
			return err
		}
		if err := a.check(c); err != nil {
			return err
		}
		if len(a.pgn) > 0 {
			return annotate(c, &a, append(a.pgn, moves...))
		}
		return analysePosition(c, &a, moves)
	}
}

// reviewFlags adds the flags about reviews of games.
func (a *analysis) reviewFlags(c *call) {
	c.flags.Group("Review of games")
	c.flags.StringVarP(&a.output, "output", "o", "", "write the games to `FILE`, which must not exist")
	c.flags.BoolVar(&a.resume, "resume", false, "continue the output of a run that was ended with the same flags")
	c.flags.StringVar(&a.html, "html", "", "write a page with the games to `FILE`, which must not exist")
	c.flags.Func("curve", "judge by the `CURVE` of chances: lichess, which is the default, or engine",
		func(s string) error { return a.curve.UnmarshalText([]byte(s)) })
	c.flags.BoolVar(&a.praise, "praise", false, "mark moves that are good and hard to find, which takes longer")
}

// check returns an error about values out of range, and about flags that do not go
// together.
func (a *analysis) check(c *call) error {
	if a.multiPV < 1 || a.multiPV > search.MaxMultiPV {
		return usagef("--multipv %d is not between 1 and %d", a.multiPV, search.MaxMultiPV)
	}
	if len(a.pgn) == 0 {
		for _, name := range []string{"output", "resume", "html", "curve", "praise"} {
			if c.flags.Changed(name) {
				return usagef("--%s needs --pgn", name)
			}
		}
		return nil
	}
	for _, name := range []string{"fen", "multipv", "chess960"} {
		if c.flags.Changed(name) {
			return usagef("--pgn cannot be combined with --%s", name)
		}
	}
	if a.resume && a.output == "" {
		return usagef("--resume needs --output")
	}
	if a.json && a.html != "" && a.output == "" {
		return usagef("--json with --html needs --output")
	}
	if a.resume && a.html != "" {
		return usagef("--resume cannot be combined with --html")
	}
	return nil
}

// analysePosition analyzes one position.
func analysePosition(c *call, a *analysis, moves []string) error {
	game, last, err := setUp(a.fen, a.chess960, moves)
	if err != nil {
		for _, m := range moves {
			if info, statErr := os.Stat(m); statErr == nil && info.Mode().IsRegular() {
				return usagef("%v (%s is a file: --pgn %[2]s reviews its games)", err, m)
			}
		}
		return &usageError{err.Error()}
	}
	engine, err := c.newEngine(a.effort)
	if err != nil {
		return err
	}
	lim := a.effort.limits()
	lim.Control = search.NewControl(false)
	lim.Infinite = !a.effort.limited() && movegen.Count(&game.Pos) > 0
	lim.MultiPV = a.multiPV
	r := &reporter{call: c, pos: game.Pos, chess960: a.chess960, json: a.json, stop: lim.Control.Stop,
		block: live{w: c.Out}}
	c.live = &r.block
	if !a.json {
		io.WriteString(c.Out, c.screen.board(&game.Pos, last)+"\n")
	}
	result := engine.SearchContext(c.ctx, game, lim, search.OnLine(r.report))
	c.live = nil // what follows comes below
	r.finish(result)
	return errors.Join(r.err, engine.Close())
}

// fenFlag adds the flag --fen. Its default, the initial position, is for the help of
// the command to tell.
func (c *call) fenFlag(fen *string, usage string) {
	c.flags.StringVar(fen, "fen", position.StartFEN, usage)
	c.flags.Lookup("fen").DefValue = ""
}

// withoutNumber returns a move without the number and dots before it, "" if that is all.
func withoutNumber(text string) string {
	const dots = ".…"
	rest := strings.TrimLeft(text, "0123456789")
	if strings.IndexAny(rest, dots) != 0 {
		return text
	}
	return strings.TrimLeft(rest, dots)
}

// setUp plays moves, whose numbers do not matter, from a FEN.
func setUp(fen string, chess960 bool, moves []string) (g *position.Game, last chess.Move, err error) {
	p, err := position.Parse(fen, chess960)
	if err != nil {
		return nil, last, err
	}
	g = position.NewGame(p)
	ply := 0
	for text := range strings.FieldsSeq(strings.Join(moves, " ")) {
		if text = withoutNumber(text); text == "" {
			continue
		}
		ply++
		m, err := notation.ParseSAN(&g.Pos, text)
		if err != nil {
			return nil, last, fmt.Errorf("ply %d: %w", ply, err)
		}
		g.Play(m)
		last = m
	}
	return g, last, nil
}

// redrawInterval is the minimum time between two updates of a terminal.
const redrawInterval = 100 * time.Millisecond

// reporter shows the progress of a search: updated in place on a terminal, else a
// line for each report, or JSON.
type reporter struct {
	*call
	pos      position.Position
	chess960 bool
	json     bool
	stop     func() // ends the search
	err      error  // of a failed write, which ends the search

	mu       sync.Mutex // guards the rest and the output
	lines    []report   // the last one by MultiPV number
	block    live
	drawn    time.Time
	redraw   *time.Timer // will draw what came too soon after that; nil if nothing did
	finished bool
}

// report is a report of a search as it is written in JSON.
type report struct {
	Depth    int               `json:"depth"`
	SelDepth int               `json:"seldepth"`
	MultiPV  int               `json:"multipv"`
	CP       *chess.Centipawns `json:"cp,omitempty"`    // White's view
	Mate     *int              `json:"mate,omitempty"`  // moves, negative if Black mates
	Bound    string            `json:"bound,omitempty"` // lower or upper, of the side to move
	Nodes    uint64            `json:"nodes"`
	TimeMS   int64             `json:"time_ms"`
	Hashfull int               `json:"hashfull"`
	TBHits   uint64            `json:"tbhits"`
	PV       string            `json:"pv"`  // UCI
	SAN      string            `json:"san"` // with move numbers

	value   review.Score
	elapsed time.Duration
}

// report shows a line.
func (r *reporter) report(info *search.Line) {
	l := report{
		Depth: info.Depth, SelDepth: info.SelDepth, MultiPV: info.MultiPV,
		Nodes: info.Nodes, TimeMS: info.Elapsed.Milliseconds(), Hashfull: info.Hashfull, TBHits: info.TBHits,
		PV: uciLine(info.PV, r.chess960), SAN: notation.FormatLine(&r.pos, info.PV),
		value: review.ScoreOf(info.Score, r.pos.SideToMove()), elapsed: info.Elapsed,
	}
	l.CP, l.Mate = l.value.Shown()
	switch info.Bound {
	case search.LowerBound:
		l.Bound = "lower"
	case search.UpperBound:
		l.Bound = "upper"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.lines) < l.MultiPV {
		r.lines = append(r.lines, report{})
	}
	r.lines[l.MultiPV-1] = l
	switch {
	case r.json:
		r.writeJSON(&l)
	case !r.screen.terminal:
		if l.Depth > 0 { // otherwise the game is over, as finish says
			r.print("%s\n", r.line(&l))
		}
	default:
		r.drawSoon()
	}
}

// drawSoon draws now or, to spare the terminal, after an interval.
func (r *reporter) drawSoon() {
	wait := redrawInterval - time.Since(r.drawn)
	switch {
	case r.redraw != nil:
	case wait <= 0:
		r.draw()
	default:
		r.redraw = time.AfterFunc(wait, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.redraw = nil
			if !r.finished {
				r.draw()
			}
		})
	}
}

// finish shows the final state and the best move.
func (r *reporter) finish(result search.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finished = true
	if r.json {
		best := struct {
			BestMove string `json:"bestmove"`
			SAN      string `json:"san"`
			Ponder   string `json:"ponder,omitempty"`
		}{BestMove: notation.FormatUCI(result.Best, r.chess960)}
		if result.Best != chess.NoMove {
			best.SAN = notation.FormatSAN(&r.pos, result.Best)
		}
		if result.Ponder != chess.NoMove {
			best.Ponder = notation.FormatUCI(result.Ponder, r.chess960)
		}
		r.writeJSON(best)
		return
	}
	if r.screen.terminal {
		r.draw()
	}
	switch {
	case result.Best != chess.NoMove:
		r.print("\nbest move: %s\n", r.screen.styled(bold, moveSAN(&r.pos, result.Best)))
	case r.pos.InCheck():
		r.print("%s is checkmated\n", r.pos.SideToMove())
	default:
		r.print("stalemate: %s has no legal move\n", r.pos.SideToMove())
	}
}

// draw updates all lines on the terminal.
func (r *reporter) draw() {
	r.drawn = time.Now()
	r.screen.measure(r.Out)
	if len(r.lines) == 0 || r.lines[0].Depth == 0 {
		return
	}
	first := &r.lines[0]
	var sb strings.Builder
	speed := search.NodesPerSecond(first.Nodes, first.elapsed)
	status := fmt.Sprintf("depth %d/%d   %s   %s nodes   %s/s   hash %d%%", first.Depth, first.SelDepth,
		clock(first.elapsed), count(first.Nodes), count(speed), (first.Hashfull+5)/10)
	if first.TBHits > 0 {
		status += "   tables " + count(first.TBHits)
	}
	sb.WriteString(fit(status, r.screen.width-1) + "\n")
	room := max(r.screen.height-16, 1)
	for i := range min(len(r.lines), room) {
		sb.WriteString(fit(r.line(&r.lines[i]), r.screen.width-1) + "\n")
	}
	r.block.draw(sb.String())
}

// line formats a principal variation.
func (r *reporter) line(l *report) string {
	bound := " "
	switch {
	case l.Bound == "":
	case (l.Bound == "lower") == (r.pos.SideToMove() == chess.White):
		bound = "≥"
	default:
		bound = "≤"
	}
	if r.screen.terminal {
		return fmt.Sprintf("%2d %s%7s  %s", l.Depth, bound, l.value, l.SAN)
	}
	return fmt.Sprintf("%2d/%-3d %s%7s  %7s  %6s  %s", l.Depth, l.SelDepth, bound, l.value, clock(l.elapsed),
		count(l.Nodes), l.SAN)
}

func (r *reporter) print(format string, args ...any) {
	_, err := fmt.Fprintf(r.Out, format, args...)
	r.failed(err)
}

func (r *reporter) writeJSON(v any) { r.failed(json.NewEncoder(r.Out).Encode(v)) }

// failed records the first write error and ends the search.
func (r *reporter) failed(err error) {
	if err != nil && r.err == nil {
		r.err = err
		r.stop()
	}
}

// uciLine returns moves in UCI notation separated by spaces.
func uciLine(moves []chess.Move, chess960 bool) string {
	var b []byte
	for i, m := range moves {
		if i > 0 {
			b = append(b, ' ')
		}
		b = notation.AppendUCI(b, m, chess960)
	}
	return string(b)
}
