package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"skein/internal/atomicfile"
	"skein/internal/review"
	"skein/internal/web"
	"skein/notation"
)

// gameHash is the default size in MiB of the transposition table of a game, for each
// thread that searches it.
const gameHash = 32

// annotator reviews games and writes them.
type annotator struct {
	*call
	*analysis
	source   *gameSource
	stop     func() // ends reading
	options  review.Options
	out      *reviewFile // nil for the standard output
	page     *web.Report // nil for none
	progress *progress
	totals   review.Totals
	games    int  // written
	broken   bool // a game could not be written
}

// annotate reviews the games of files and writes them.
func annotate(c *call, a *analysis, files []string) (err error) {
	if !a.effort.limited() {
		a.effort.time = time.Second
	}
	if a.output != "" && slices.ContainsFunc(files, func(name string) bool { return atomicfile.Same(a.output, name) }) {
		return fmt.Errorf("%s is also an input", a.output)
	}
	reading, stop := context.WithCancel(c.ctx)
	defer stop()
	an := &annotator{call: c, analysis: a, source: &gameSource{call: c, reading: reading, names: files}, stop: stop}
	defer func() { err = errors.Join(err, an.source.close()) }()
	an.options = review.Options{Limits: a.effort.limits(), Curve: a.curve, Praise: a.praise, Engine: c.Name}
	if a.output != "" {
		if an.out, err = openReviewFile(a.output, a.resume); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, an.out.close()) }()
	}
	if an.progress, err = newProgress(c, files); err != nil {
		return err
	}
	c.live = &an.progress.line
	if a.resume {
		if err := an.skip(); err != nil {
			return fmt.Errorf("%s: %w", a.output, err)
		}
	}
	err = an.reported(an.review)
	an.progress.line.draw("")
	if err != nil {
		return err
	}
	return an.summary()
}

// review reviews the games that are left.
func (a *annotator) review() error {
	several, err := a.source.several()
	if err != nil {
		return err
	}
	threads, games := 1, a.effort.threads
	if !several && a.games == 0 {
		threads, games = a.effort.threads, 1
	}
	if n := a.progress.games; n > 0 {
		games = max(min(games, n-a.games), 1)
	}
	if !a.flags.Changed("hash") {
		a.effort.hash = gameHash * threads
	}
	engines, err := a.newEngines(a.effort, games, threads)
	if err != nil {
		return err
	}
	a.options.Progress = func(review.Progress) { a.progress.step() }
	err = review.Batch(a.ctx, engines.list, a.source.next, a.options, a.emit(a.writer()))
	return errors.Join(err, engines.Close())
}

// reported calls review, for which it writes the page that --html asks for, if any.
// The page has the games reviewed before an interrupt or an error of reading.
func (a *annotator) reported(review func() error) error {
	if a.html == "" {
		return review()
	}
	var ended error
	err := atomicfile.Create(a.html, func(w io.Writer) (err error) {
		if a.page, err = web.NewReport(w); err != nil {
			return err
		}
		switch err = review(); {
		case err == nil && a.games == 0:
			err = fmt.Errorf("%s is not written: there are no games", a.html)
		case err != nil && a.games > 0 && !a.broken:
			ended, err = err, nil
		}
		return errors.Join(err, a.page.Close())
	})
	if err == nil && ended != nil {
		a.warn("%s has %d games, as far as they were reviewed", a.html, a.games)
	}
	return errors.Join(ended, err)
}

// writer returns the writer to the output.
func (a *annotator) writer() *review.Writer {
	if a.out != nil {
		return review.NewWriter(a.out.file, a.json)
	}
	return review.NewWriter(a.fromFiles(), a.json)
}

// emit returns the function that counts and writes a reviewed game.
func (a *annotator) emit(w *review.Writer) func(*notation.Game, *review.Game) error {
	return func(g *notation.Game, reviewed *review.Game) (err error) {
		defer func() {
			if err != nil {
				a.broken = true
				a.stop() // the next game may never come
			}
		}()
		a.games++
		reviewed.Number = a.games
		a.totals.Add(reviewed)
		if cut, ok := a.source.cut.LoadAndDelete(g); ok {
			reviewed.Error = cut.(error).Error()
			noteCut(g, reviewed.Error)
		}
		a.progress.game(a.games)
		if a.page != nil {
			if err := a.page.Add(g, reviewed); err != nil || a.out == nil {
				return err
			}
		}
		if a.out == nil { // the terminal may be the same
			a.progress.line.above(func() { err = w.Write(g, reviewed) })
			return err
		}
		return w.Write(g, reviewed)
	}
}

// skip passes over the games that an earlier run has written to the output, and
// removes the beginning of a game that comes after them there.
func (a *annotator) skip() error {
	wanted := review.Game{Engine: a.options.Engine, Limit: review.LimitText(a.options.Limits), Curve: a.curve}
	end := int64(0)
	for written, err := range review.ReadWritten(a.out.file, a.json) {
		if err != nil {
			return err
		}
		if got := written.Annotator; got != wanted.Annotator() {
			return fmt.Errorf("game %d was reviewed by %q, now it is %q", written.Number, got, wanted.Annotator())
		}
		g, err := a.source.next()
		if err == io.EOF {
			return fmt.Errorf("game %d is not in the input", written.Number)
		}
		if err != nil {
			return err
		}
		a.source.cut.Delete(g) // its error is in the output already
		if !written.Reviews(g) {
			return fmt.Errorf("game %d is another one than in the input", written.Number)
		}
		a.games++
		a.totals.Add(written.Game)
		a.progress.skip(positions(g))
		end = written.End
	}
	rest, err := a.out.after(end)
	if err == nil && len(rest) > 0 && !wanted.Begins(rest, a.games, a.json) {
		err = fmt.Errorf("byte %d: this is not the beginning of a review by %q", end, wanted.Annotator())
	}
	if err != nil {
		return err
	}
	return a.out.truncate(end)
}
