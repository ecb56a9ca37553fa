package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"skein/internal/input"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
)

// The sizes of batches, each decoded in a fraction of a second.
const (
	gamesPerBatch   = 32
	recordsPerBatch = 2048
	linesPerBatch   = 1024
)

// Batch is a sequence of positions of a file that are not decoded yet.
type Batch interface {
	// Each decodes the positions and calls visit with each, until the end or
	// the first error: that of visit, or one that names the file and the place
	// in it.
	Each(visit func(*Entry) error) error
}

// Decoded is a batch of positions that are decoded already.
type Decoded []Entry

// Each implements Batch.
func (d Decoded) Each(visit func(*Entry) error) error {
	for i := range d {
		if err := visit(&d[i]); err != nil {
			return err
		}
	}
	return nil
}

// Split returns the source with at most n positions in a batch, decoded, for work that
// takes long for each.
func Split(s Source[Batch], n int) Source[Batch] {
	return func(ctx context.Context, put func(Batch) error) error {
		return s(ctx, func(b Batch) error {
			var part Decoded
			err := b.Each(func(e *Entry) error {
				if part = append(part, *e); len(part) < n {
					return nil
				}
				full := part
				part = nil
				return put(full)
			})
			if len(part) > 0 { // those before an error, too
				if putErr := put(part); putErr != nil {
					return putErr
				}
			}
			return err
		})
	}
}

// Entries calls visit with the positions of the files in their order, decoding
// with the given number of goroutines. The filter applies only to files of
// games.
func Entries(ctx context.Context, names []string, filter record.Filter, workers int, visit func(*Entry) error) error {
	decode := func(_ context.Context, _ int, b Batch) (entries []Entry, err error) {
		err = b.Each(func(e *Entry) error {
			entries = append(entries, *e)
			return nil
		})
		return entries, err
	}
	return Ordered(ctx, workers, Batches(names, filter), decode, func(entries []Entry) error {
		for i := range entries {
			if err := visit(&entries[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Batches returns the source of the batches of the files. The filter applies
// only to files of games.
func Batches(names []string, filter record.Filter) Source[Batch] {
	return func(ctx context.Context, put func(Batch) error) error {
		if err := CheckInputs(names); err != nil {
			return err
		}
		for _, name := range names {
			if err := batches(ctx, name, filter, put); err != nil {
				return err
			}
		}
		return nil
	}
}

func batches(ctx context.Context, name string, filter record.Filter, put func(Batch) error) error {
	kind, err := KindOf(name)
	if err != nil {
		return err
	}
	if HasGames(name) {
		return GameReader{}.each(ctx, name, true, func(g *GameBatch) error { return put(&chosen{g, filter}) })
	}
	f, err := open(ctx, name)
	if err != nil {
		return err
	}
	defer f.Close()
	if kind == Records {
		return packedBatches(name, f, put)
	}
	return textBatches(name, kind, f, put)
}

// GameBatch is a sequence of games of a file.
type GameBatch struct {
	Games    []record.Game
	LeftOut  int // number of games of PGN without a result or scores, not among them
	name     string
	unitless bool // the scores are in an unknown unit
	// By game: its place, if the file is one of package record.
	places []record.Place
	// By game and ply: whether it has a score, if the file is PGN.
	scored [][]bool
}

// add adds a copy of a game.
func (b *GameBatch) add(g *record.Game) {
	b.Games = append(b.Games, *g)
	b.Games[len(b.Games)-1].Plies = slices.Clone(g.Plies)
}

// Replay replays game i and calls visit, if not nil, with the position before
// each ply. The error names the file and wraps a *record.DamageError if the
// file is one of package record.
func (b *GameBatch) Replay(i int, visit func(p *position.Position, ply int)) error {
	err := b.Games[i].Replay(visit)
	if bad, ok := errors.AsType[*rules.ReplayError](err); ok && b.places != nil {
		err = b.places[i].Damage(bad.Ply, err.Error())
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", b.name, err)
	}
	return err
}

// Only returns a batch of game i alone.
func (b *GameBatch) Only(i int) *GameBatch {
	one := *b
	one.Games, one.LeftOut = b.Games[i:i+1], 0
	if b.places != nil {
		one.places = b.places[i : i+1]
	}
	if b.scored != nil {
		one.scored = b.scored[i : i+1]
	}
	return &one
}

// CheckUnit returns an error, which names the file, if it does not state the unit of
// its scores.
func (b *GameBatch) CheckUnit() error {
	if b.unitless {
		return fmt.Errorf("%s does not state the unit of its scores: datagen merge --unit N adds it", b.name)
	}
	return nil
}

// Scored reports whether a ply of game i has a score, as all plies have in files
// other than PGN.
func (b *GameBatch) Scored(i, ply int) bool { return b.scored == nil || b.scored[i][ply] }

// GameReader says how files of games are read.
type GameReader struct {
	Whole   bool        // do not trim games of PGN to the plies with scores: missing scores are 0
	Unit    int         // score units per pawn of files that do not state it; 0: unknown
	Invalid func(error) // called for each invalid game of PGN, which is skipped; nil: it is an error
}

// Batches returns the source of the batches of files of games.
func (r GameReader) Batches(names []string) Source[*GameBatch] {
	return func(ctx context.Context, put func(*GameBatch) error) error {
		trimmed := func(b *GameBatch) error {
			if b.scored != nil && !r.Whole {
				b.trim()
			}
			return put(b)
		}
		if err := checkGameInputs(names); err != nil {
			return err
		}
		for _, name := range names {
			if err := r.each(ctx, name, false, trimmed); err != nil {
				return err
			}
		}
		return nil
	}
}

// checkGameInputs is CheckInputs for files that must be of games.
func checkGameInputs(names []string) error {
	for _, name := range names {
		if _, err := KindOf(name); err != nil {
			return err
		} else if !HasGames(name) {
			return fmt.Errorf("%s: not a file of games", name)
		}
	}
	return CheckInputs(names)
}

// each calls put with the games of a file in batches, those of PGN without a result
// only if unfinished is true.
func (r GameReader) each(ctx context.Context, name string, unfinished bool, put func(*GameBatch) error) error {
	kind, err := KindOf(name)
	if err != nil {
		return err
	}
	f, err := open(ctx, name)
	if err != nil {
		return err
	}
	defer f.Close()
	if kind == PGN {
		return r.pgnGames(name, f, unfinished, put)
	}
	return recordedGames(name, f, r.Unit, put)
}

func recordedGames(name string, f io.Reader, unit int, put func(*GameBatch) error) error {
	r, err := record.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if r.Unit() == 0 {
		r.SetUnit(unit)
	}
	unitless := r.Unit() == 0
	b := &GameBatch{name: name, unitless: unitless}
	var g record.Game
	for {
		err := r.Read(&g)
		if err == nil {
			b.add(&g)
			b.places = append(b.places, r.Place())
		}
		if len(b.Games) == gamesPerBatch || err != nil && len(b.Games) > 0 {
			if err := put(b); err != nil {
				return err
			}
			b = &GameBatch{name: name, unitless: unitless}
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// chosen are the positions of games that pass a filter.
type chosen struct {
	*GameBatch
	filter record.Filter
}

func (c *chosen) Each(visit func(*Entry) error) error {
	badUnit := c.CheckUnit()
	for i := range c.Games {
		g := &c.Games[i]
		result, noResult := g.Result, g.Result == rules.NoResult
		if noResult {
			result = rules.Draw
		}
		var stopped error
		err := c.Replay(i, func(p *position.Position, ply int) {
			if stopped == nil && c.filter.Keep(p, g.Plies[ply]) {
				e := record.Entry{Position: *p, Score: g.Plies[ply].Score, Result: result}
				stopped = visit(&Entry{Entry: e, NoScore: !c.Scored(i, ply), NoResult: noResult, BadUnit: badUnit})
			}
		})
		if stopped != nil {
			return stopped
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// packed are 32-byte records.
type packed struct {
	name   string
	offset int64
	data   []byte
}

func packedBatches(name string, r io.Reader, put func(Batch) error) error {
	for offset := int64(0); ; {
		b := packed{name, offset, make([]byte, recordsPerBatch*record.EntrySize)}
		n, err := io.ReadFull(r, b.data)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("%s: %w", name, err)
		}
		b.data = b.data[:n]
		offset += int64(n)
		if n > 0 {
			if err := put(&b); err != nil {
				return err
			}
		}
		if err != nil {
			return nil // end of file
		}
	}
}

func (b *packed) Each(visit func(*Entry) error) error {
	for at := 0; at < len(b.data); at += record.EntrySize {
		if at+record.EntrySize > len(b.data) {
			return fmt.Errorf("%s: byte %d: the file ends within a record", b.name, b.offset+int64(at))
		}
		e, err := (*record.Packed)(b.data[at:]).Unpack()
		if err != nil {
			return fmt.Errorf("%s: byte %d: %w", b.name, b.offset+int64(at), err)
		}
		if err := visit(&Entry{Entry: e}); err != nil {
			return err
		}
	}
	return nil
}

// text is lines of a text file.
type text struct {
	name  string
	kind  Kind
	first int // number of the first line, from 1
	lines []string
}

func textBatches(name string, kind Kind, r io.Reader, put func(Batch) error) error {
	number, b := 1, &text{name: name, kind: kind, first: 1}
	var fault error
	for line, err := range input.Lines(r) {
		if err != nil {
			fault = fmt.Errorf("%s: line %d: %w", name, number, err)
			break
		}
		b.lines = append(b.lines, line)
		number++
		if len(b.lines) == linesPerBatch {
			if err := put(b); err != nil {
				return err
			}
			b = &text{name: name, kind: kind, first: number}
		}
	}
	if len(b.lines) > 0 {
		if err := put(b); err != nil {
			return err
		}
	}
	return fault
}

func (b *text) Each(visit func(*Entry) error) error {
	for i, line := range b.lines {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		e, err := b.parse(line)
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", b.name, b.first+i, err)
		}
		if err := visit(&e); err != nil {
			return err
		}
	}
	return nil
}

func (b *text) parse(line string) (Entry, error) {
	if b.kind == EPD {
		return parseEPD(line)
	}
	e, err := record.ParseEntry(line)
	return Entry{Entry: e}, err
}
