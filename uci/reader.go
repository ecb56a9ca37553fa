package uci

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
)

// maxLine bounds the length of an input line in bytes; longer ones are dropped.
const maxLine = 4 << 20

var errLineTooLong = fmt.Errorf("a line of more than %d bytes was dropped", maxLine)

// read takes in lines until quit or the end of the input.
func (d *Driver) read() {
	r := bufio.NewReader(d.in)
	for {
		line, err := readLine(r, maxLine)
		if len(line) > 0 {
			d.out.record(">>", line)
		}
		switch {
		case err == errLineTooLong:
			d.inbox.put(&job{err: err})
			continue
		case !d.take(string(line)):
			return
		case err != nil:
			return
		}
	}
}

// readLine returns the next line with its end, the last one perhaps without.
// The error is errLineTooLong or that of r; a line may come with the latter.
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
		default:
			return line, err
		}
	}
}

// take does at once or queues what the line says. It reports whether to read
// on.
func (d *Driver) take(line string) bool {
	j := d.parse(line)
	switch {
	case j == nil:
	case j.is("quit"):
		return false
	case j.is("isready") && d.inbox.isSearching():
		d.ready()
	case j.handler != nil && j.handler.urgent:
		if err := j.handler.run(j); err != nil {
			d.report(err)
		}
	default:
		if j.going != nil {
			j.going.read = time.Now()
		}
		d.inbox.put(j)
	}
	return true
}

// parse finds the command in a line. As UCI demands, unknown words before it
// are skipped. A line without any word is nil.
func (d *Driver) parse(line string) *job {
	var first string
	for rest := line; ; {
		var word string
		if word, rest = cutWord(rest); word == "" {
			break
		}
		if h := d.byName[word]; h != nil {
			if first != "" {
				d.remark("skipped what comes before %q, from %s on", word, quote(first))
			}
			j := &job{handler: h, args: rest}
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

// cutWord returns the first word of s and the rest, both without the blanks
// around them.
func cutWord(s string) (word, rest string) {
	s = strings.TrimSpace(s)
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
		return s[:i], strings.TrimSpace(s[i:])
	}
	return s, ""
}
