package uci

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"skein/chess"
	"skein/notation"
	"skein/polyglot"
	"skein/position"
	"skein/search"
)

// handler is one command with its help and implementation.
type handler struct {
	name, help string
	run        func(j *job) error
	urgent     bool // run by the reader at once, even during a search
	onBoard    bool // an error while there is no position, see Driver.game
}

// handlerTable returns all commands in the order in which help lists them.
func (d *Driver) handlerTable() []handler {
	table := []handler{
		{name: "uci", help: "identify the engine and list its options", run: d.identify},
		{name: "ugi", help: "the same for UGI", run: d.identifyUGI},
		{name: "debug", help: "on or off: report ignored input and why searches end", run: d.setDebug, urgent: true},
		{name: "isready", help: "reply readyok", run: func(*job) error { d.describe(); d.ready(); return nil }},
		{name: "setoption", help: "name NAME [value VALUE]", run: d.setOption},
		{name: "register", help: "accepted and ignored", run: func(*job) error { return nil }},
		{name: "ucinewgame", help: "clear the transposition table and the histories",
			run: func(*job) error { d.engine.NewGame(); return nil }},
		{name: "uginewgame", help: "the same", run: func(*job) error { d.engine.NewGame(); return nil }},
		{name: "position", help: "startpos or fen FEN, then moves MOVE...", run: d.setPosition},
		{name: "go", help: goHelp, run: d.goSearch},
		{name: "stop", help: "end all searches", run: d.stop, urgent: true},
		{name: "ponderhit", help: "the expected move was played", run: d.ponderHit, urgent: true},
		{name: "quit", help: "exit"},
		{name: "query", help: "gameover, p1turn or result (UGI)", run: d.query, onBoard: true},
		{name: "d", help: "show the board", run: d.draw, onBoard: true},
		{name: "eval", help: "show the static evaluation", run: d.evaluate, onBoard: true},
		{name: "flip", help: "swap White and Black", run: d.flip, onBoard: true},
		{name: "help", help: "[COMMAND]: list all commands or one", run: d.listCommands},
	}
	for _, c := range d.config.Commands {
		table = append(table, handler{name: c.Name, help: c.Help, run: func(j *job) error {
			err := c.Run(strings.Fields(j.args), d.out)
			d.searchEnd = time.Now() // it may have been a long one
			if err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			return nil
		}})
	}
	return table
}

// Name is the name of the engine.
const Name = "Skein"

func (d *Driver) identify(*job) error {
	d.ugi = false
	d.introduce("uciok")
	return nil
}

// introduce writes name, author and options, and end as the last line.
func (d *Driver) introduce(end string) {
	var sb strings.Builder
	fmt.Fprintf(&sb, "id name %s %s\nid author the %s authors\n", Name, d.config.Version, Name)
	for i := range d.options {
		sb.WriteString(d.options[i].String() + "\n")
	}
	sb.WriteString(end + "\n")
	d.out.printf("%s", sb.String())
}

// describe writes the description of the engine unless that has been done.
func (d *Driver) describe() {
	if d.config.Describe != nil && !d.described {
		d.out.printf("info string %s\n", d.config.Describe())
	}
	d.described = true
}

func (d *Driver) ready() { d.out.printf("readyok\n") }

func (d *Driver) setDebug(j *job) error {
	switch j.args {
	case "on", "off":
		d.debug.Store(j.args == "on")
		return nil
	}
	return fmt.Errorf("debug: expected on or off, found %s", quote(j.args))
}

func (d *Driver) stop(*job) error {
	if d.inbox.stop() == 0 {
		d.remark("stop ignored: no search is running")
	}
	return nil
}

func (d *Driver) ponderHit(*job) error {
	if d.inbox.ponderHit() == 0 {
		d.remark("ponderhit ignored: no search is running")
	}
	return nil
}

// setPosition runs position. A position that is refused, for its FEN or for one
// of its moves, leaves none, so that no other is searched in its place.
func (d *Driver) setPosition(j *job) error {
	d.game, d.doubleStep = nil, chess.NoSquare
	if d.refusal = d.readPosition(j); d.refusal != nil {
		return fmt.Errorf("position: %w", d.refusal)
	}
	return nil
}

// noPosition returns the error of a command that needs a position while there is
// none.
func (d *Driver) noPosition(command string) error {
	return fmt.Errorf("%s: the last position was refused: %w", command, d.refusal)
}

// readPosition sets the position of a position command unless it is refused.
func (d *Driver) readPosition(j *job) error {
	setUp, moves := splitAt(strings.Fields(j.args), "moves")
	p, err := d.parseSetUp(setUp)
	if err != nil {
		return err
	}
	game, skipped := position.NewGame(p), setUpDoubleStep(setUp)
	for i, word := range moves {
		m, err := notation.ParseUCI(&game.Pos, word)
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		skipped = polyglot.DoubleStep(&game.Pos, m)
		game.Play(m)
	}
	d.game, d.doubleStep = game, skipped
	return nil
}

// splitAt returns the words before and after the first sep.
func splitAt(words []string, sep string) (before, after []string) {
	if i := slices.Index(words, sep); i >= 0 {
		return words[:i], words[i+1:]
	}
	return words, nil
}

func (d *Driver) parseSetUp(words []string) (position.Position, error) {
	if len(words) == 0 {
		return position.Position{}, errors.New("expected startpos or fen")
	}
	switch words[0] {
	case "startpos":
		if len(words) > 1 {
			return position.Position{}, fmt.Errorf("expected moves after startpos, found %s", quote(words[1]))
		}
		return position.Start(), nil
	case "fen":
		return d.parseFEN(strings.Join(words[1:], " "))
	}
	return position.Position{}, fmt.Errorf("expected startpos or fen, found %s", quote(words[0]))
}

// parseFEN reads any FEN that can be searched, and notes what is wrong with one
// of a position that cannot arise.
func (d *Driver) parseFEN(fen string) (position.Position, error) {
	p, flaw := position.Parse(fen, d.settings.chess960)
	if flaw == nil {
		return p, nil
	}
	p, err := position.ParseLenient(fen, d.settings.chess960)
	if err == nil {
		d.note("position accepted although it is invalid: %v", flaw)
	}
	return p, err
}

func (d *Driver) draw(*job) error {
	p := &d.game.Pos
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s\nFEN: %s\nKey: %016X\nCheckers:", p, p.FEN(), uint64(p.Key()))
	for checkers := p.Checkers(); checkers != 0; {
		fmt.Fprintf(&sb, " %s", checkers.Pop())
	}
	sb.WriteString(d.verdict())
	d.out.printf("%s\n", sb.String())
	return nil
}

func (d *Driver) evaluate(*job) error {
	p := &d.game.Pos
	score := search.Scaled(d.engine.Evaluate(p), p)
	centipawns := min(max(score, -chess.MaxEval), chess.MaxEval).Centipawns()
	if p.SideToMove() == chess.Black {
		centipawns = -centipawns
	}
	d.out.printf("Evaluation: %+.2f (White's view)\n", float64(centipawns)/100)
	return nil
}

func (d *Driver) flip(*job) error {
	p, err := position.ParseLenient(flipFEN(d.game.Pos.FEN()), true)
	if err != nil {
		return fmt.Errorf("flip: %w", err)
	}
	d.game, d.doubleStep = position.NewGame(p), p.EnPassant()
	return nil
}

// flipFEN mirrors a FEN of six fields top to bottom and swaps the colors.
func flipFEN(fen string) string {
	fields := strings.Fields(fen)
	ranks := strings.Split(swapCase(fields[0]), "/")
	slices.Reverse(ranks)
	fields[0] = strings.Join(ranks, "/")
	fields[1] = strings.Map(func(r rune) rune { return 'w' + 'b' - r }, fields[1])
	white := strings.TrimRight(fields[2], "abcdefghkq")
	fields[2] = swapCase(fields[2][len(white):] + white)
	if square, ok := chess.SquareOf(fields[3]); ok {
		fields[3] = square.Relative(chess.Black).String()
	}
	return strings.Join(fields, " ")
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r ^ 0x20
		}
		return r
	}, s)
}

func (d *Driver) listCommands(j *job) error {
	var sb strings.Builder
	for _, h := range d.handlers {
		if j.args == "" || j.args == h.name {
			fmt.Fprintf(&sb, "%-11s %s\n", h.name, h.help)
		}
	}
	if sb.Len() == 0 {
		return fmt.Errorf("help: unknown command %s", quote(j.args))
	}
	d.out.printf("%s", sb.String())
	return nil
}
