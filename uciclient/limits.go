package uciclient

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
	"skein/position"
	"skein/rules"
)

// Game is a start position and the moves that have been played from it, by which an
// engine recognizes repetitions. The zero Start is the initial position of standard
// chess; others must be such as [position.Parse] accepts, since engines may crash on
// what cannot arise. Castling rights of Chess960 need the option UCI_Chess960.
type Game struct {
	Start position.Position
	Moves []chess.Move
}

// command returns the position command and the position after the moves.
func (g *Game) command(chess960 bool) (string, position.Position, error) {
	start := g.Start
	if start == (position.Position{}) {
		start = position.Start()
	}
	var b strings.Builder
	if start == position.Start() {
		b.WriteString("position startpos")
	} else {
		fen := start.FEN()
		if _, err := position.Parse(fen, chess960); err != nil {
			if _, err := position.Parse(fen, true); err == nil {
				return "", start, fmt.Errorf("%s needs the option %s", fen, chess960Option)
			}
			return "", start, fmt.Errorf("%s: %w", fen, err)
		}
		b.WriteString("position fen " + fen)
	}
	game, err := rules.Replay(start, g.Moves, nil)
	if err != nil {
		return "", start, err
	}
	if len(g.Moves) > 0 {
		b.WriteString(" moves")
	}
	for _, m := range g.Moves {
		b.WriteString(" " + notation.FormatUCI(m, chess960))
	}
	return b.String(), game.Pos, nil
}

// Clock is the time of both sides, by color.
type Clock struct {
	Time      [2]time.Duration // left
	Inc       [2]time.Duration // for each move
	MovesToGo int              // to the next time control; 0 if there is none
}

// Limits say when a search ends: when the first of them is reached. At least one
// must be set. Times are rounded down to milliseconds, but a clock and a MoveTime that
// have run out, even below zero, are one, and increments are at least zero. Other
// negative limits are errors.
type Limits struct {
	Clock       *Clock        // nil if there is none
	MoveTime    time.Duration // 0 is unlimited
	Depth       int           // plies; 0 is unlimited
	Nodes       int64         // 0 is unlimited
	Mate        int           // moves of a mate to search for; 0 is none
	Infinite    bool          // search until Search.Stop
	Ponder      bool          // the limits apply from Search.PonderHit on
	SearchMoves []chess.Move  // search only these moves; nil is all
}

// command returns the go command for a search of root.
func (l *Limits) command(root *position.Position, chess960 bool) (string, error) {
	b := []byte("go")
	number := func(name string, n int64) { b = strconv.AppendInt(append(b, " "+name+" "...), n, 10) }
	if l.Ponder {
		b = append(b, " ponder"...)
	}
	if c := l.Clock; c != nil {
		// A clock of 0 is not understood by every engine.
		number("wtime", max(c.Time[chess.White].Milliseconds(), 1))
		number("btime", max(c.Time[chess.Black].Milliseconds(), 1))
		number("winc", max(c.Inc[chess.White].Milliseconds(), 0))
		number("binc", max(c.Inc[chess.Black].Milliseconds(), 0))
	}
	limited := l.Clock != nil || l.Infinite
	for _, limit := range []struct {
		name   string
		n      int64
		limits bool
	}{
		{"movestogo", l.movesToGo(), false},
		{"movetime", l.moveTime(), true},
		{"depth", int64(l.Depth), true},
		{"nodes", l.Nodes, true},
		{"mate", int64(l.Mate), true},
	} {
		if limit.n < 0 {
			return "", fmt.Errorf("limits: %s is negative: %d", limit.name, limit.n)
		}
		if limit.n > 0 {
			number(limit.name, limit.n)
			limited = limited || limit.limits
		}
	}
	if !limited {
		return "", errors.New("limits: none is set; Infinite searches until Stop")
	}
	if l.Infinite {
		b = append(b, " infinite"...)
	}
	if len(l.SearchMoves) > 0 {
		b = append(b, " searchmoves"...)
	}
	for _, m := range l.SearchMoves {
		if !movegen.IsLegal(root, m) {
			return "", fmt.Errorf("limits: the move to search %v is illegal in %s", m, root.FEN())
		}
		b = notation.AppendUCI(append(b, ' '), m, chess960)
	}
	return string(b), nil
}

// movesToGo returns the moves to the next time control, 0 if there is none.
func (l *Limits) movesToGo() int64 {
	if l.Clock == nil {
		return 0
	}
	return int64(l.Clock.MovesToGo)
}

// moveTime returns the time for the move in milliseconds, at least one if there is a
// limit.
func (l *Limits) moveTime() int64 {
	if l.MoveTime == 0 {
		return 0
	}
	return max(l.MoveTime.Milliseconds(), 1)
}
