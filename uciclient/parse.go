package uciclient

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
	"skein/position"
)

// stringField matches the name of the field whose text is the rest of the line.
var stringField = regexp.MustCompile(`[ \t]string([ \t]|$)`)

// ParseInfo parses an info line about a search of root. Castling is written as king
// takes rook if chess960, as the king's step if not. Like every UCI program it
// ignores what it does not understand: the Info has everything else, of a line with
// an illegal move the moves before it. The error is about the first thing that is
// wrong or ignored, castling in the other notation included, which is understood.
func ParseInfo(root *position.Position, line string, chess960 bool) (Info, error) {
	p := infoParser{root: root, chess960: chess960}
	head := line
	if at := stringField.FindStringIndex(line); at != nil {
		head = line[:at[0]]
		p.info.Fields, p.info.String = FieldString, line[at[1]:]
	}
	words := strings.Fields(head)
	if len(words) == 0 || words[0] != "info" {
		return Info{}, errors.New("not an info line")
	}
	p.words = words[1:]
	for len(p.words) > 0 {
		name := p.take()
		if err := p.parse(name); err != nil {
			p.fail(fmt.Errorf("%s: %w", name, err))
			for len(p.words) > 0 && !p.atField() {
				p.take()
			}
		}
	}
	return p.info, p.err
}

// ParseBestMove parses a bestmove line about a search of root, with castling as in
// ParseInfo. Both moves are NoMove if the engine has none in a game that is over, and
// ponder if it does not tell. The error is about the first thing that is wrong or
// ignored; best is then NoMove unless it is legal.
func ParseBestMove(root *position.Position, line string, chess960 bool) (best, ponder chess.Move, err error) {
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "bestmove" {
		return best, ponder, errors.New("the move is missing")
	}
	first, rest := words[1], words[2:]
	if first == "(none)" || first == chess.NoMove.String() {
		if movegen.Count(root) > 0 {
			err = errors.New("there are legal moves")
		}
		return best, ponder, err
	}
	p := infoParser{root: root, chess960: chess960, words: []string{first}}
	if len(rest) > 1 && rest[0] == "ponder" {
		p.words, rest = append(p.words, rest[1]), rest[2:]
	}
	moves, err := p.moves(2)
	if len(moves) > 0 {
		best = moves[0]
	}
	if len(moves) > 1 {
		ponder = moves[1]
	}
	if err = cmp.Or(err, p.err); err == nil && len(rest) > 0 {
		err = fmt.Errorf("unexpected %.40q", rest[0])
	}
	return best, ponder, err
}

// infoParser parses the words of an info line.
type infoParser struct {
	root     *position.Position
	chess960 bool
	words    []string // that remain
	info     Info
	err      error // the first one
}

func (p *infoParser) fail(err error) { p.err = cmp.Or(p.err, err) }

// take removes the next word, of which there must be one, and returns it.
func (p *infoParser) take() string {
	word := p.words[0]
	p.words = p.words[1:]
	return word
}

// atField reports whether the next word is the name of a field.
func (p *infoParser) atField() bool {
	return len(p.words) > 0 && fieldByName[p.words[0]] != 0
}

// numberFields has the largest value and the setter of each field that is one
// number; no number is negative.
var numberFields = map[string]struct {
	most int64
	set  func(*Info, int64)
}{
	"depth":          {math.MaxInt32, func(i *Info, n int64) { i.Depth = int(n) }},
	"seldepth":       {math.MaxInt32, func(i *Info, n int64) { i.SelDepth = int(n) }},
	"multipv":        {math.MaxInt32, func(i *Info, n int64) { i.MultiPV = int(n) }},
	"nodes":          {math.MaxInt64, func(i *Info, n int64) { i.Nodes = n }},
	"nps":            {math.MaxInt64, func(i *Info, n int64) { i.NPS = n }},
	"time":           {math.MaxInt64 / 1_000_000, func(i *Info, n int64) { i.Time = time.Duration(n) * 1e6 }},
	"hashfull":       {1000, func(i *Info, n int64) { i.Hashfull = int(n) }},
	"tbhits":         {math.MaxInt64, func(i *Info, n int64) { i.TBHits = n }},
	"sbhits":         {math.MaxInt64, func(i *Info, n int64) { i.SBHits = n }},
	"cpuload":        {1000, func(i *Info, n int64) { i.CPULoad = int(n) }},
	"currmovenumber": {math.MaxInt32, func(i *Info, n int64) { i.CurrMoveNumber = int(n) }},
}

// parse parses what follows the name of a field.
func (p *infoParser) parse(name string) (err error) {
	field, ok := fieldByName[name]
	if !ok {
		return errors.New("unknown field")
	}
	if p.info.Fields.Has(field) {
		p.fail(fmt.Errorf("%s: occurs twice", name))
	}
	switch field {
	case FieldScore:
		var s Score
		if s, err = p.score(); err == nil {
			p.info.Score = s
		}
		p.bound(err == nil)
	case FieldWDL:
		var wdl WDL
		if wdl, err = p.wdl(); err == nil {
			p.info.WDL = wdl
		}
		p.bound(p.info.Fields.Has(FieldScore)) // where Stockfish writes it
	case FieldCurrMove:
		var moves []chess.Move
		if moves, err = p.moves(1); err == nil {
			p.info.CurrMove = moves[0]
		}
	case FieldCurrLine:
		cpu := 1
		if len(p.words) > 0 && len(p.words[0]) < len("e2e4") {
			n, err := p.number(1, math.MaxInt32)
			if err != nil {
				return err
			}
			cpu = int(n)
		}
		err = p.line(field, &p.info.CurrLine)
		if p.info.Fields.Has(field) {
			p.info.CurrLineCPU = cpu
		}
		return err
	case FieldRefutation:
		return p.line(field, &p.info.Refutation)
	case FieldPV:
		return p.line(field, &p.info.PV)
	case FieldString:
		return errors.New("the text is missing") // ParseInfo has removed the others
	default:
		number := numberFields[name]
		var n int64
		if n, err = p.number(0, number.most); err == nil {
			number.set(&p.info, n)
		}
	}
	if err == nil {
		p.info.Fields |= field
	}
	return err
}

// number parses a number.
func (p *infoParser) number(least, most int64) (int64, error) {
	if len(p.words) == 0 || p.atField() {
		return 0, errors.New("the number is missing")
	}
	word := p.take()
	n, err := strconv.ParseInt(word, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) || err == nil && (n < least || n > most):
		return 0, fmt.Errorf("%.30s is out of range", word)
	case err != nil:
		return 0, fmt.Errorf("%.30q is not a number", word)
	}
	return n, nil
}

func (p *infoParser) score() (s Score, err error) {
	if len(p.words) == 0 || p.words[0] != "cp" && p.words[0] != "mate" {
		return s, errors.New("neither cp nor mate")
	}
	s.Mate = p.take() == "mate"
	n, err := p.number(math.MinInt32, math.MaxInt32)
	s.Value = int(n)
	return s, err
}

// bound parses the bound of the score, if there is one, and keeps it if there is a
// score.
func (p *infoParser) bound(scored bool) {
	for _, bound := range []Bound{LowerBound, UpperBound} {
		if len(p.words) > 0 && p.words[0] == bound.String() {
			p.take()
			if scored {
				p.info.Score.Bound = bound
			}
		}
	}
}

func (p *infoParser) wdl() (WDL, error) {
	var numbers [3]int
	for i := range numbers {
		n, err := p.number(0, 1000)
		if err != nil {
			return WDL{}, err
		}
		numbers[i] = int(n)
	}
	if sum := numbers[0] + numbers[1] + numbers[2]; sum != 1000 {
		return WDL{}, fmt.Errorf("the sum is %d", sum)
	}
	return WDL{numbers[0], numbers[1], numbers[2]}, nil
}

// line parses the moves of a field that has at least one. Those before an illegal
// one are kept.
func (p *infoParser) line(field Fields, moves *[]chess.Move) error {
	read, err := p.moves(math.MaxInt)
	if len(read) > 0 {
		*moves = read
		p.info.Fields |= field
	}
	return err
}

// moves parses one to most moves that are played from the root one after the other.
// The error comes with the moves before the one that is wrong.
func (p *infoParser) moves(most int) ([]chess.Move, error) {
	var moves []chess.Move
	pos := *p.root
	for len(moves) < most && len(p.words) > 0 && !p.atField() {
		word := p.take()
		m, err := notation.ParseUCI(&pos, word)
		if err != nil {
			return moves, err
		}
		if text := notation.FormatUCI(m, p.chess960); text != word {
			p.fail(fmt.Errorf("move %s is written %s", text, word))
		}
		moves = append(moves, m)
		pos = pos.After(m)
	}
	if len(moves) == 0 {
		return nil, errors.New("the move is missing")
	}
	return moves, nil
}
