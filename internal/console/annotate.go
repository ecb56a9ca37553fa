package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"time"

	"skein/chess"
	"skein/notation"
	"skein/search"
)

// Losses of expected points from which on a move is dubious, bad, or a blunder.
const (
	dubious = 0.10
	bad     = 0.20
	blunder = 0.30
)

const (
	glyphBad     = 2
	glyphBlunder = 4
	glyphDubious = 6
	maxBetter    = 8 // moves shown of a better line
)

// annotator adds evaluations and better lines to games.
type annotator struct {
	*call
	engine *engine
	effort *effort
	json   *json.Encoder // nil if PGN is written
	out    *notation.Writer
	status live
	number int // of the game
}

// annotate reads games and writes them with annotations.
func annotate(c *call, a *analysis) error {
	if a.multiPV > 1 {
		return usagef("--multipv cannot be combined with --pgn")
	}
	file, err := c.open(a.pgn)
	if err != nil {
		return err
	}
	defer file.Close()
	if !a.effort.limited() {
		a.effort.time = time.Second
	}
	engine, err := c.newEngine(a.effort)
	if err != nil {
		return err
	}
	an := &annotator{call: c, engine: engine, effort: a.effort, out: notation.NewWriter(c.fromFiles()),
		status: live{w: io.Discard}}
	if screenOf(c.Err).terminal {
		an.status.w = c.Err
	}
	if a.json {
		an.json = json.NewEncoder(c.Out)
	}
	err = an.games(file, a.pgn)
	return errors.Join(err, engine.Close())
}

func (a *annotator) games(file io.Reader, name string) error {
	for g, err := range notation.NewReader(file).All() {
		if g == nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		a.number++
		if err != nil {
			a.complain("%s: %v", name, err)
		}
		if err := a.game(g); err != nil {
			return err
		}
	}
	if a.number == 0 {
		return fmt.Errorf("%s: no games", name)
	}
	return nil
}

// verdict is the result of the search of a position.
type verdict struct {
	value value
	depth int // of the search
	line  []chess.Move
}

// game annotates and writes one game.
func (a *annotator) game(g *notation.Game) error {
	a.engine.NewGame()
	moves := g.Main.Moves
	before, err := a.search(g, 0)
	for i := range moves {
		if err != nil {
			break
		}
		var after verdict
		if after, err = a.search(g, i+1); err == nil {
			err = a.remark(g, i, before, after)
		}
		before = after
	}
	a.status.draw("")
	if a.json == nil {
		if g.Tags.Get("Annotator") == "" {
			g.Tags.Set("Annotator", a.Name)
		}
		return errors.Join(a.out.Write(g), err)
	}
	return err
}

// search searches the position after n moves.
func (a *annotator) search(g *notation.Game, n int) (verdict, error) {
	a.status.draw(fmt.Sprintf("game %d, ply %d of %d\r", a.number, n, len(g.Main.Moves)))
	at := g.After(n)
	lim, release := a.controlled(a.effort.limits())
	defer release()
	var v verdict
	result := a.engine.Search(at, lim, search.OnLine(func(info *search.Line) {
		if info.MultiPV == 1 {
			v.line = append(v.line[:0], info.PV...)
		}
	}))
	v.value, v.depth = value{result.Score, at.Pos.SideToMove()}, result.Depth
	if a.ctx.Err() != nil {
		return v, context.Cause(a.ctx)
	}
	return v, nil
}

var oldValue = regexp.MustCompile(`\[%eval [^]]*\] ?`)

// remark annotates move i according to the verdicts before and after it.
func (a *annotator) remark(g *notation.Game, i int, before, after verdict) error {
	node := &g.Main.Moves[i]
	loss := 0.0
	var better []chess.Move
	if len(before.line) > 0 && before.line[0] != node.Move {
		loss = max(0, expected(before.value.score)-(1-expected(after.value.score)))
		better = before.line[:min(len(before.line), maxBetter)]
	}
	if a.json != nil {
		return a.remarkJSON(g, i, &after, loss, better)
	}
	notes := node.Annotate()
	notes.Comment = joinNonEmpty(after.command(), oldValue.ReplaceAllString(notes.Comment, ""))
	glyph := judge(loss)
	notes.NAGs = grade(notes.NAGs, glyph)
	if glyph == 0 {
		return nil
	}
	line := notation.Line{}
	line.Add(better...)
	line.Moves[len(line.Moves)-1].Annotate().Comment = before.command()
	notes.Variations = append(notes.Variations, line)
	return nil
}

// judge returns the glyph of a move that loses this many expected points, 0 if it
// is not a mistake.
func judge(loss float64) byte {
	switch {
	case loss >= blunder:
		return glyphBlunder
	case loss >= bad:
		return glyphBad
	case loss >= dubious:
		return glyphDubious
	}
	return 0
}

// grade returns the glyphs of a move with the one given, unless it is 0, in place of
// others for the quality of a move, and none of them twice.
func grade(glyphs []byte, given byte) (list []byte) {
	if given != 0 {
		list = append(list, given)
	}
	for _, g := range glyphs {
		if replaced := given != 0 && g <= glyphDubious; !replaced && !slices.Contains(list, g) {
			list = append(list, g)
		}
	}
	return list
}

// command formats the verdict for a comment: [%eval 0.22,17] or [%eval #3,17], in
// pawns or moves to mate with the depth of the search; without it if the game is
// over.
func (v *verdict) command() string {
	text := ""
	if moves, ok := v.value.mate(); ok {
		text = fmt.Sprintf("#%d", moves)
	} else {
		text = fmt.Sprintf("%.2f", float64(v.value.centipawns())/100)
	}
	if v.depth > 0 {
		text += fmt.Sprintf(",%d", v.depth)
	}
	return "[%eval " + text + "]"
}

func joinNonEmpty(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

// moveReport is the annotation of a move as it is written in JSON.
type moveReport struct {
	Game   int               `json:"game"`
	Ply    int               `json:"ply"` // from 1
	Move   string            `json:"move"`
	SAN    string            `json:"san"`
	CP     *chess.Centipawns `json:"cp,omitempty"` // after the move, White's view
	Mate   *int              `json:"mate,omitempty"`
	Depth  int               `json:"depth"` // of the search after the move
	Loss   float64           `json:"loss"`  // of expected points, 0 to 1
	Better string            `json:"better,omitempty"`
}

func (a *annotator) remarkJSON(g *notation.Game, i int, v *verdict, loss float64, better []chess.Move) error {
	at := g.After(i)
	m := g.Main.Moves[i].Move
	r := moveReport{
		Game: a.number, Ply: i + 1,
		Move: notation.FormatUCI(m, g.Chess960), SAN: notation.FormatSAN(&at.Pos, m),
		Depth: v.depth, Loss: math.Round(loss*1000) / 1000,
	}
	if r.Loss > 0 {
		r.Better = uciLine(better, g.Chess960)
	}
	if moves, ok := v.value.mate(); ok {
		r.Mate = &moves
	} else {
		cp := v.value.centipawns()
		r.CP = &cp
	}
	return a.json.Encode(r)
}
