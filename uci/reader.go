package uci

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"skein/internal/input"
)

// errLineTooLong is what is reported in place of a line that is too long.
var errLineTooLong = fmt.Errorf("ignored a line of more than %d bytes", input.MaxLine)

// read reads lines until quit, the end of the input or, with the next line, that of ctx.
// The error is that of the input.
func (d *Driver) read(ctx context.Context) error {
	for line, err := range input.Lines(d.in) {
		switch {
		case ctx.Err() != nil:
			return nil
		case err == input.ErrTooLong:
			d.inbox.put(&job{err: errLineTooLong})
			continue
		case err != nil:
			return err
		}
		d.out.record(">>", []byte(line+"\n"))
		if !d.take(line) {
			return nil
		}
	}
	return nil
}

// take runs the command of a line at once or queues it. It reports whether to
// continue reading.
func (d *Driver) take(line string) bool {
	j := d.parse(line)
	switch {
	case j == nil:
	case j.is("quit"):
		return false
	case d.urgent(j):
		if err := j.handler.run(j); err != nil {
			d.out.report(err)
		}
	default:
		if j.going != nil {
			j.going.read = time.Now()
		}
		if !d.inbox.put(j) {
			d.ready()
		}
	}
	return true
}

// urgent reports whether the reader runs j at once, even during a search.
func (d *Driver) urgent(j *job) bool {
	if !j.is("setoption") {
		return j.handler != nil && j.handler.urgent
	}
	name, _, err := splitOption(j.args)
	o := d.option(name)
	return err == nil && o != nil && o.urgent
}

// parse returns the command in a line, nil for an empty line. As UCI requires,
// unknown words before the command are ignored.
func (d *Driver) parse(line string) *job {
	var first string
	for rest := line; ; {
		var word string
		if word, rest = cutWord(rest); word == "" {
			break
		}
		if h := d.byName[word]; h != nil {
			if first != "" {
				d.remark("ignored %s before %q", quote(first), word)
			}
			j := &job{handler: h, args: strings.Clone(rest)} // does not keep what came before
			if word == "go" {
				j.going = newGoing(rest)
			}
			return j
		}
		if first == "" {
			first = word
		}
	}
	if first == "" {
		return nil
	}
	return &job{err: fmt.Errorf("unknown command %s", quote(first))}
}

// cutWord returns the first word of s and the rest, both without surrounding
// spaces.
func cutWord(s string) (word, rest string) {
	s = strings.TrimSpace(s)
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
		return s[:i], strings.TrimSpace(s[i:])
	}
	return s, ""
}
