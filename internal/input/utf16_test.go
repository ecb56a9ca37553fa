package input

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// TestUTF8 reads texts in both orders of UTF-16, with characters of one to four bytes
// in UTF-8, and others as they are, into buffers of any size.
func TestUTF8(t *testing.T) {
	encode := func(order binary.AppendByteOrder, units ...uint16) string {
		var b []byte
		for _, unit := range units {
			b = order.AppendUint16(b, unit)
		}
		return string(b)
	}
	const text = "\ufeffe4 \u00e9 \u2654 \U0001f600\r\n"
	units := utf16.Encode([]rune(text))
	long := strings.Repeat(text, 3000)
	for in, want := range map[string]string{
		encode(binary.LittleEndian, units...):                      text,
		encode(binary.BigEndian, units...):                         text,
		encode(binary.LittleEndian, utf16.Encode([]rune(long))...): long,
		encode(binary.LittleEndian, 0xfeff, 0xd83d, 'a', 0xde00):   "\ufeff\ufffda\ufffd",
		encode(binary.BigEndian, 0xfeff, 'a', 0xd83d):              "\ufeffa\ufffd",
		encode(binary.LittleEndian, 0xfeff, 'a') + "b":             "\ufeffa\ufffd",
		"":           "",
		"\xff":       "\xff",
		"\xfe":       "\xfe",
		"\xfe\xfe":   "\xfe\xfe",
		"\xff\xfe":   "\ufeff",
		text:         text,
		"caf\xe9 e4": "caf\xe9 e4",
	} {
		if got, err := io.ReadAll(UTF8(strings.NewReader(in))); string(got) != want || err != nil {
			t.Errorf("%.20q: %.20q, want %.20q, error %v", in, got, want, err)
		}
		got, err := io.ReadAll(iotest.OneByteReader(UTF8(iotest.OneByteReader(strings.NewReader(in)))))
		if string(got) != want || err != nil {
			t.Errorf("%.20q, byte by byte: %.20q, want %.20q, error %v", in, got, want, err)
		}
	}
	broken := errors.New("broken")
	start := strings.NewReader(encode(binary.LittleEndian, units...))
	got, err := io.ReadAll(UTF8(io.MultiReader(start, iotest.ErrReader(broken))))
	if string(got) != text || err != broken {
		t.Errorf("%q, error %v", got, err)
	}
}

// TestCompressed refuses compressed files, byte by byte, too.
func TestCompressed(t *testing.T) {
	for _, text := range []string{"\x1f\x8b\x08", "\x28\xb5\x2f\xfdx", "PK\x03\x04"} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			in := UTF8(r)
			for range 2 {
				if got, err := io.ReadAll(in); len(got) > 0 || err != ErrCompressed {
					t.Errorf("%q: %q, %v", text, got, err)
				}
			}
		}
	}
}
