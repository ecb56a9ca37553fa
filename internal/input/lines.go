package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// MaxLine is the size of the longest line in bytes, without its end.
const MaxLine = 1 << 20

// ErrTooLong stands for a line of more than MaxLine bytes.
var ErrTooLong = errors.New("longer than a mebibyte")

// ByteOrderMark is what some editors of Windows write before UTF-8 text.
const ByteOrderMark = "\ufeff"

// Lines iterates over the lines of r, decoded as by UTF8, without their ends, \n or
// \r\n, and without a ByteOrderMark before the first, in constant memory. A line that
// is too long comes as "" and ErrTooLong, and the lines after it follow. An error of r
// comes last, in place of the line that it cuts short.
func Lines(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		in := bufio.NewReaderSize(UTF8(r), 64<<10)
		if begins(in, ByteOrderMark) {
			in.Discard(len(ByteOrderMark))
		}
		var line []byte
		for {
			var err error
			line, err = readLine(in, line[:0])
			if err != nil && err != ErrTooLong {
				if err != io.EOF {
					yield("", err)
				}
				return
			}
			if !yield(string(line), err) {
				return
			}
		}
	}
}

// begins reports whether a text begins with mark. It waits for no more bytes than it
// takes to know, as a stream may send a short line and then nothing for long.
func begins(in *bufio.Reader, mark string) bool {
	for n := 1; n <= len(mark); n++ {
		if start, _ := in.Peek(n); string(start) != mark[:n] {
			return false
		}
	}
	return true
}

// readLine appends the next line to an empty slice. The error is ErrTooLong, with
// an empty line, or one of the reader: io.EOF if no line is left.
func readLine(in *bufio.Reader, line []byte) ([]byte, error) {
	long, empty := false, true
	for {
		part, err := in.ReadSlice('\n')
		empty = empty && len(part) == 0
		if long = long || len(line)+len(part) > MaxLine+len("\r\n"); !long {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && (err != io.EOF || empty):
			return line[:0], err
		}
		if !long {
			line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		}
		if long || len(line) > MaxLine {
			return line[:0], ErrTooLong
		}
		return line, nil
	}
}
