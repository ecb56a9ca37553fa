package uci

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"skein/internal/input"
)

// maxLine bounds the length of an input line in bytes; longer ones are ignored.
const maxLine = 1 << 20

var errLineTooLong = fmt.Errorf("ignored a line of more than %d bytes", maxLine)

// read reads lines until quit, the end of the input or, with the next line, that of ctx.
// The error is that of the input.
func (d *Driver) read(ctx context.Context) error {
	r := bufio.NewReader(d.in)
	for {
		line, err := readLine(r, maxLine)
		if ctx.Err() != nil {
			return nil
		}
		if len(line) > 0 {
			d.out.record(">>", line)
		}
		switch {
		case err == errLineTooLong:
			d.inbox.put(&job{err: err})
			continue
		case !d.take(string(line)), err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// readLine returns the next line with its line break, which the last one may
// lack. The error is errLineTooLong or that of r; with the latter, line may hold
// the last line, unless that is too long.
func readLine(r *bufio.Reader, limit int) (line []byte, err error) {
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > limit; !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case tooLong && (err == nil || err == io.EOF):
			return nil, errLineTooLong
		case tooLong:
			return nil, err
		default:
			return line, err
		}
	}
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
// unknown words before the command are ignored, and so is the byte order mark that
// PowerShell writes before the first line of a pipe.
func (d *Driver) parse(line string) *job {
	var first string
	for rest := strings.TrimPrefix(line, input.ByteOrderMark); ; {
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
