package input

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrCompressed is the error of reading a file of gzip, Zstandard or ZIP as a text.
var ErrCompressed = errors.New("the file is compressed: decompress it first")

// UTF8 returns a reader of the text of r in UTF-8. It decodes UTF-16 that begins with
// a byte order mark, which shells of Windows write, and passes all else on as it is,
// but for compressed files, of which it reads nothing: the error is ErrCompressed.
// Nothing is read before the first call of Read.
func UTF8(r io.Reader) io.Reader { return &textReader{src: r} }

// textReader decides on the first bytes how to read the text.
type textReader struct {
	src     io.Reader
	decided bool
	err     error // why there is no text
}

// Read implements io.Reader.
func (t *textReader) Read(p []byte) (int, error) {
	if !t.decided {
		t.decided = true
		in := bufio.NewReader(t.src)
		t.src = in
		switch {
		case begins(in, "\xff\xfe"):
			t.src = &utf16Reader{in: in, order: binary.LittleEndian}
		case begins(in, "\xfe\xff"):
			t.src = &utf16Reader{in: in, order: binary.BigEndian}
		case begins(in, "\x1f\x8b"), begins(in, "\x28\xb5\x2f\xfd"), begins(in, "PK\x03\x04"):
			t.err = ErrCompressed
		}
	}
	if t.err != nil {
		return 0, t.err
	}
	return t.src.Read(p)
}

// utf16Reader decodes UTF-16. What is no character becomes U+FFFD.
type utf16Reader struct {
	in      *bufio.Reader
	order   binary.ByteOrder
	pending []byte // of a character that the last buffer had no room for
}

// Read implements io.Reader.
func (u *utf16Reader) Read(p []byte) (n int, err error) {
	for {
		k := copy(p[n:], u.pending)
		n += k
		u.pending = u.pending[k:]
		if len(u.pending) > 0 || n > 0 && u.in.Buffered() < 4 {
			return n, nil
		}
		r, err := u.next()
		if err != nil {
			return n, err
		}
		u.pending = utf8.AppendRune(u.pending[:0], r)
	}
}

// next reads a character.
func (u *utf16Reader) next() (rune, error) {
	first, err := u.unit()
	if err != nil || !utf16.IsSurrogate(first) {
		return first, err
	}
	second, err := u.in.Peek(2)
	if err != nil {
		return utf8.RuneError, nil // the next call reports the error
	}
	r := utf16.DecodeRune(first, rune(u.order.Uint16(second)))
	if r != utf8.RuneError {
		u.in.Discard(len(second))
	}
	return r, nil
}

// unit reads 16 bits.
func (u *utf16Reader) unit() (rune, error) {
	var b [2]byte
	_, err := io.ReadFull(u.in, b[:])
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return utf8.RuneError, nil
	}
	return rune(u.order.Uint16(b[:])), err
}
