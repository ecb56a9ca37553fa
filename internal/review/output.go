package review

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"skein/notation"
)

// Writer writes reviewed games: PGN, or JSON with one [Game] in each line.
type Writer struct {
	pgn  *notation.Writer
	json *json.Encoder // nil for PGN
}

// NewWriter returns a Writer to w. It calls w.Write once per game.
func NewWriter(w io.Writer, asJSON bool) *Writer {
	if asJSON {
		return &Writer{json: json.NewEncoder(w)}
	}
	return &Writer{pgn: notation.NewWriter(w)}
}

// Write writes a game and its review. In PGN it adds the review to g.
func (w *Writer) Write(g *notation.Game, reviewed *Game) error {
	if w.json != nil {
		return w.json.Encode(reviewed)
	}
	reviewed.Annotate(g)
	return w.pgn.Write(g)
}

// Written is a game that a Writer has written.
type Written struct {
	*Game
	Annotator string // as of Game.Annotator
	End       int64  // of the game in the file, in bytes
}

// maxWritten bounds a game in a file, in bytes.
const maxWritten = 256 << 20

// ReadWritten iterates over the games that a Writer has written to a file. It ends
// without an error before a game that is not complete, because the program was
// killed (see [Game.Begins]); a game that no Writer has written is an error.
func ReadWritten(r io.Reader, asJSON bool) iter.Seq2[Written, error] {
	split, parse := splitPGN, parsePGN
	if asJSON {
		split, parse = splitLine, parseLine
	}
	return func(yield func(Written, error) bool) {
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, maxWritten)
		scanner.Split(split)
		var w Written
		for n := 1; scanner.Scan(); n++ {
			g, err := parse(scanner.Bytes())
			if err != nil {
				yield(Written{}, fmt.Errorf("game %d: %w", n, err))
				return
			}
			g.Game.Number = n
			w.End += int64(len(scanner.Bytes()))
			if !yield(Written{g.Game, g.Annotator, w.End}, nil) {
				return
			}
		}
		if err := scanner.Err(); err != nil {
			yield(Written{}, err)
		}
	}
}

// Begins reports whether rest, which follows so many games of a file, may be the
// beginning of a game that a Writer has written with the engine, limit and curve of
// g: it names the engine, or ends where a game after the first does not do so yet.
func (g *Game) Begins(rest []byte, games int, asJSON bool) bool {
	first, mark := "[", `[Annotator "`+g.Annotator()+`"]`
	if asJSON {
		engine, _ := json.Marshal(g.Engine) // a string, which does not fail
		first, mark = "{", `"engine":`+string(engine)
	}
	if !bytes.HasPrefix(rest, []byte(first)) || bytes.Contains(rest, []byte("\r\n")) {
		return false
	}
	return bytes.Contains(rest, []byte(mark)) || games > 0 && !bytes.Contains(rest, []byte("\n\n"))
}

// splitLine is a bufio.SplitFunc for complete lines, with their line breaks.
func splitLine(data []byte, _ bool) (advance int, token []byte, err error) {
	return after(data, bytes.IndexByte(data, '\n'), 1)
}

// splitPGN is a bufio.SplitFunc for complete games: tags, an empty line, moves, an
// empty line.
func splitPGN(data []byte, _ bool) (advance int, token []byte, err error) {
	tags := bytes.Index(data, []byte("\n\n"))
	if tags < 0 {
		return 0, nil, nil
	}
	moves := bytes.Index(data[tags+2:], []byte("\n\n"))
	if moves < 0 {
		return 0, nil, nil
	}
	return after(data, tags+2+moves, 2)
}

// after returns what a bufio.SplitFunc returns for a token that ends with a
// separator of so many bytes at index i of data, -1 if there is none.
func after(data []byte, i, separator int) (advance int, token []byte, err error) {
	if i < 0 {
		return 0, nil, nil
	}
	return i + separator, data[:i+separator], nil
}

// parseLine parses a line of JSON.
func parseLine(line []byte) (w Written, err error) {
	g := new(Game)
	if err := json.Unmarshal(line, g); err != nil {
		return w, err
	}
	g.summarize()
	return Written{Game: g, Annotator: g.Annotator()}, nil
}

// parsePGN parses a game. Its verdicts are those of its glyphs.
func parsePGN(text []byte) (w Written, err error) {
	in, err := notation.NewReader(bytes.NewReader(text)).Read()
	if err != nil && (in == nil || len(in.Main.Moves) > 0) { // one without moves may have an unreadable start
		return w, err
	}
	w.Annotator = in.Tags.Get("Annotator")
	var ok bool
	if w.Game, ok = FromEvals(in, CurveOf(w.Annotator)); !ok {
		return w, errors.New("evaluations are missing")
	}
	for i := range w.Plies {
		w.Plies[i].Verdict = writtenVerdict(in.Main.Moves[i].Notes.Value())
	}
	w.summarize()
	return w, nil
}

// writtenVerdict returns the verdict that a Writer has written: praise has words after
// the evaluation, or it may be that of others.
func writtenVerdict(n notation.Notes) Verdict {
	for _, v := range []Verdict{Blunder, Mistake, Inaccuracy, OnlyMove, Brilliant, Good} {
		if !slices.Contains(n.NAGs, v.NAG()) {
			continue
		}
		if v.Fault() || strings.Contains(words().own.FindString(n.Comment), verdictWords[v]+".") {
			return v
		}
	}
	return None
}

// Reviews reports whether the written game is a review of g.
func (w *Written) Reviews(g *notation.Game) bool {
	return w.Start == g.Start.FEN() && slices.EqualFunc(w.Plies, g.Main.Moves, func(p Ply, n notation.Node) bool {
		return p.Move == notation.FormatUCI(n.Move, g.Chess960)
	})
}
