package uci

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
	"skein/search"
)

const goHelp = `search: depth N, nodes N, movetime MS, mate N, infinite, ponder,
            wtime MS btime MS winc MS binc MS movestogo N, searchmoves MOVE...;
            or perft N`

// goRequest is a parsed go command, before the position is known.
type goRequest struct {
	limits      search.Limits // without clocks, SearchMoves and options
	clocks      [2]clock      // by color
	searchMoves []string
	ponder      bool
	perft       int // depth, 1 to movegen.MaxPerftDepth; 0 is none or invalid
	onlyPerft   bool
	problems    []error  // about invalid words
	unknown     []string // unknown words
}

// clock is one side's time. A side may have only an increment.
type clock struct {
	given     bool
	left, inc time.Duration // left is 0 if only inc was given
}

// newGoing returns the state of a go with the words args, which are parsed when it
// is run: only whether it ponders matters before.
func newGoing(args string) *going {
	return &going{control: search.NewControl(slices.Contains(strings.Fields(args), "ponder"))}
}

// goNumbers holds the setters of the words of go that take a number. Limits
// below one and clocks that have run out are set to the least value with which
// a move is found.
var goNumbers = map[string]func(r *goRequest, n int64){
	"wtime":     setLeft(chess.White),
	"btime":     setLeft(chess.Black),
	"winc":      setInc(chess.White),
	"binc":      setInc(chess.Black),
	"p1time":    setLeft(firstPlayer), // of UGI
	"p2time":    setLeft(firstPlayer.Other()),
	"p1inc":     setInc(firstPlayer),
	"p2inc":     setInc(firstPlayer.Other()),
	"movestogo": func(r *goRequest, n int64) { r.limits.MovesToGo = clampInt(n, 0) },
	"depth":     func(r *goRequest, n int64) { r.limits.Depth = clampInt(n, 1) },
	"nodes":     func(r *goRequest, n int64) { r.limits.Nodes = uint64(max(n, 1)) },
	"mate":      func(r *goRequest, n int64) { r.limits.Mate = clampInt(n, 1) },
	"movetime":  func(r *goRequest, n int64) { r.limits.MoveTime = max(milliseconds(n), time.Millisecond) },
	"perft":     func(r *goRequest, n int64) { r.setPerft(clampInt(n, 0)) },
}

func setLeft(c chess.Color) func(*goRequest, int64) {
	return func(r *goRequest, n int64) { r.clocks[c].setLeft(n) }
}

func setInc(c chess.Color) func(*goRequest, int64) {
	return func(r *goRequest, n int64) { r.clocks[c].setInc(n) }
}

func (r *goRequest) setPerft(depth int) {
	if depth == 0 || depth > movegen.MaxPerftDepth {
		r.problem("perft: the depth must be between 1 and %d", movegen.MaxPerftDepth)
		depth = 0
	}
	r.perft = depth
}

func (c *clock) setLeft(n int64) { c.given, c.left = true, max(milliseconds(n), time.Millisecond) }

func (c *clock) setInc(n int64) { c.given, c.inc = true, milliseconds(n) }

// milliseconds returns a duration of n ms, clamped to 0 to one year.
func milliseconds(n int64) time.Duration {
	const year = 365 * 24 * time.Hour
	return time.Duration(min(max(n, 0), year.Milliseconds())) * time.Millisecond
}

func clampInt(n int64, least int) int { return int(min(max(n, int64(least)), math.MaxInt32)) }

// parseGo parses the words after go, in any order. The last of repeated words
// counts; UCI requires that unknown words be ignored.
func parseGo(words []string) goRequest {
	var r goRequest
	inMoves := false
	for i := 0; i < len(words); i++ {
		word := words[i]
		set := goNumbers[word]
		switch {
		case set != nil:
			inMoves = false
			r.onlyPerft = r.onlyPerft || word == "perft"
			if i+1 == len(words) || isGoWord(words[i+1]) {
				r.problem("%s: the number is missing", word)
				continue
			}
			i++
			if n, ok := r.number(word, words[i]); ok {
				set(&r, n)
			}
		case isGoWord(word):
			inMoves = word == "searchmoves"
			r.limits.Infinite = r.limits.Infinite || word == "infinite"
			r.ponder = r.ponder || word == "ponder"
		case inMoves:
			r.searchMoves = append(r.searchMoves, word)
		default:
			r.unknown = append(r.unknown, word)
		}
	}
	return r
}

func isGoWord(word string) bool {
	return word == "infinite" || word == "ponder" || word == "searchmoves" || goNumbers[word] != nil
}

func (r *goRequest) problem(format string, args ...any) {
	r.problems = append(r.problems, fmt.Errorf("go "+format, args...))
}

// number parses a number, clamped if it is out of range. Of a time with a fraction, as
// some programs compute it from seconds, the whole part counts.
func (r *goRequest) number(word, text string) (n int64, ok bool) {
	whole, timed := text, strings.HasSuffix(word, "time") || strings.HasSuffix(word, "inc")
	if i := strings.IndexAny(text, ".,"); timed && i > 0 && strings.Trim(text[i+1:], "0123456789") == "" {
		whole = text[:i]
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		r.problem("%s: %s is out of range", word, quote(text))
	case err != nil:
		r.problem("%s: %s is not a number", word, quote(text))
		return 0, false
	}
	return n, true
}

// searchLimits returns the limits for side to move us. A go without any limit
// is infinite, but ends at once if its limits were invalid. If us has no clock
// while clocks are in use, its increment takes the clock's place, else the
// opponent's clock or increment, so that an answer comes in any case.
func (r *goRequest) searchLimits(us chess.Color) search.Limits {
	lim := r.limits
	own, other := r.clocks[us], r.clocks[us.Other()]
	if lim.Clock = own.given || other.given; lim.Clock {
		for _, substitute := range []time.Duration{own.inc, other.left, other.inc, time.Millisecond} {
			if own.left == 0 {
				own.left = substitute
			}
		}
		lim.Time[us], lim.Inc[us] = own.left, own.inc
		lim.Time[us.Other()], lim.Inc[us.Other()] = other.left, other.inc
	}
	limited := lim.Clock || lim.Depth > 0 || lim.Nodes > 0 || lim.Mate > 0 || lim.MoveTime > 0
	switch {
	case limited || lim.Infinite:
	case len(r.problems) > 0:
		lim.Depth = 1
	default:
		lim.Infinite = true
	}
	return lim
}

// goSearch runs go: it blocks until the search has ended and writes bestmove.
// Without a position it does so at once, even if go is infinite or ponders.
func (d *Driver) goSearch(j *job) error {
	for range d.inbox.beginSearch() {
		d.ready()
	}
	answer, err := d.search(j)
	d.inbox.endSearch() // first, so that an isready after the answer waits for what is read before it
	if answer != nil {
		d.out.Write(answer)
	}
	return err
}

// search runs go and returns the line that answers it, nil for perft.
func (d *Driver) search(j *job) (answer []byte, err error) {
	request := parseGo(strings.Fields(j.args))
	for _, err := range request.problems {
		d.fail(err)
	}
	if words := strings.Join(request.unknown, " "); words != "" {
		d.note("go: ignored %s", quote(words))
	}
	switch {
	case request.onlyPerft && d.game == nil:
		return nil, d.noPosition("go perft")
	case request.onlyPerft:
		d.perft(request.perft, &j.going.stopped)
		d.searchEnd = time.Now()
		return nil, nil
	case d.game == nil:
		d.fail(d.noPosition("go"))
		return []byte("bestmove 0000\n"), nil
	}

	lim := d.limits(j.going, &request)
	if m := d.bookMove(&lim, request.ponder); m != chess.NoMove {
		return d.bestMove(search.Result{Best: m}), nil
	}
	d.load.begin(d.settings.threads)
	result := d.engine.Search(d.game, lim, d.writeInfo)
	d.searchEnd = time.Now()
	d.cutOff = d.cutOff || result.End == search.Stopped && !lim.Infinite
	if d.debug.Load() {
		d.explain(&result)
	}
	return d.bestMove(result), nil
}

// limits returns the limits of a search, including those of the options.
func (d *Driver) limits(g *going, request *goRequest) search.Limits {
	lim := request.searchLimits(d.game.Pos.SideToMove())
	lim.SearchMoves = d.searchMoves(request.searchMoves)
	lim.MultiPV = d.settings.multiPV
	lim.Strength = search.Strength{Elo: d.settings.playingElo(), Seed: d.random(), Pace: d.settings.pace}
	if seed := d.settings.strengthSeed; seed > 0 {
		lim.Strength.Seed = uint64(seed)
	}
	lim.MoveOverhead = d.settings.moveOverhead
	lim.Start = d.clockStart(g.read)
	lim.Control = g.control
	if d.settings.currLines {
		lim.CurrLines = d.interval
	}
	if d.settings.refutations {
		lim.Refutations = d.interval
	}
	return lim
}

// clockStart returns when the clock of a go started that was read at the given
// time: then, or at the end of the search before it.
func (d *Driver) clockStart(read time.Time) time.Time {
	if !read.IsZero() && read.Before(d.searchEnd) {
		return d.searchEnd
	}
	return read
}

// searchMoves parses the moves to which a search is restricted. Invalid ones are
// reported and ignored; if none remains there is no restriction.
func (d *Driver) searchMoves(words []string) []chess.Move {
	var moves []chess.Move
	for _, word := range words {
		m, err := notation.ParseUCI(&d.game.Pos, word)
		if err != nil {
			d.fail(fmt.Errorf("go searchmoves: %w", err))
			continue
		}
		moves = append(moves, m)
	}
	if len(words) > 0 && len(moves) == 0 {
		d.note("go searchmoves: no legal move given, searching all moves")
	}
	return moves
}

// perft counts the leaves below each move and writes the counts, unless stopped.
func (d *Driver) perft(depth int, stopped *atomic.Bool) {
	if depth == 0 {
		return
	}
	total, err := movegen.Divide(&d.game.Pos, depth, stopped.Load, func(m chess.Move, leaves uint64) {
		d.out.printf("%s: %d\n", notation.FormatUCI(m, d.settings.chess960), leaves)
	})
	if err != nil {
		d.cutOff = true
		d.note("%v", err)
		return
	}
	d.out.printf("\nNodes searched: %d\n", total)
}
