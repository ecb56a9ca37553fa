package input_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"skein/internal/input"
)

var errStop = errors.New("stop")

// zeros is endless.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestCancel cancels the reading of sources that do not end.
func TestCancel(t *testing.T) {
	silent, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	defer w.Close()
	name := filepath.Join(t.TempDir(), "long")
	if err := os.WriteFile(name, make([]byte, 1<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	regular, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer regular.Close()
	for name, source := range map[string]io.Reader{"silent": silent, "endless": zeros{}, "a file": regular} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			r := input.NewReader(ctx, source)
			defer r.Close()
			if name == "silent" {
				go cancel(errStop)
			} else {
				if n, err := io.ReadFull(r, make([]byte, 100)); n != 100 || err != nil {
					t.Errorf("%d bytes, %v", n, err)
				}
				cancel(errStop)
			}
			if n, err := io.Copy(io.Discard, r); err != errStop {
				t.Errorf("%d bytes, then %v", n, err)
			}
		})
	}
}

// TestClose closes a reader that waits.
func TestClose(t *testing.T) {
	silent, w := io.Pipe()
	defer w.Close()
	r := input.NewReader(t.Context(), silent)
	go r.Close()
	if n, err := r.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// TestOpen reads a file to its end, and none that is not there.
func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if _, err := input.Open(t.Context(), name); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if err := os.WriteFile(name, []byte("abc"), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := input.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(r); string(b) != "abc" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestReadError returns the error of the source after what could be read.
func TestReadError(t *testing.T) {
	r := input.NewReader(t.Context(), io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(errStop)))
	if b, err := io.ReadAll(r); string(b) != "abc" || err != errStop {
		t.Errorf("%q, %v", b, err)
	}
}

func TestLines(t *testing.T) {
	most := strings.Repeat("a", input.MaxLine)
	for _, test := range []struct {
		name, text string
		want       []string // "long" for ErrTooLong
	}{
		{"nothing", "", nil},
		{"an empty line", "\n", []string{""}},
		{"an end without a line break", "a\nb", []string{"a", "b"}},
		{"both line breaks", "a\r\n\r\n\nb\r\n", []string{"a", "", "", "b"}},
		{"the longest line", most + "\r\nb\n" + most, []string{most, "b", most}},
		{"one byte more", most + "a\nb\n" + most + "a\r\n", []string{"long", "b", "long"}},
		{"much more", strings.Repeat(most, 3) + "\nb", []string{"long", "b"}},
		{"a carriage return at the limit", most + "\ra\nb", []string{"long", "b"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := 0
			for line, err := range input.Lines(iotest.HalfReader(strings.NewReader(test.text))) {
				if err == input.ErrTooLong {
					line = "long"
				} else if err != nil {
					t.Fatal(err)
				}
				if n == len(test.want) || line != test.want[n] {
					t.Fatalf("line %d has %d bytes: %.20q", n+1, len(line), line)
				}
				n++
			}
			if n != len(test.want) {
				t.Errorf("%d lines, want %d", n, len(test.want))
			}
		})
	}
}

// TestLinesReadError has the source fail within a line, which is not read.
func TestLinesReadError(t *testing.T) {
	var got []string
	var last error
	for line, err := range input.Lines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(errStop))) {
		got, last = append(got, line), err
	}
	if strings.Join(got, ",") != "a," || last != errStop {
		t.Errorf("%q, %v", got, last)
	}
}

// decoded returns text in UTF-8, of UTF-16 if it begins with the mark of that.
func decoded(text string) string {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case strings.HasPrefix(text, "\xff\xfe"):
	case strings.HasPrefix(text, "\xfe\xff"):
		order = binary.BigEndian
	default:
		return text
	}
	var units []uint16
	for ; len(text) >= 2; text = text[2:] {
		units = append(units, order.Uint16([]byte(text)))
	}
	end := ""
	if text != "" {
		end = "\ufffd"
	}
	return string(utf16.Decode(units)) + end
}

func FuzzLines(f *testing.F) {
	f.Add("a\r\n\nb")
	f.Add("\r")
	f.Add("\xff\xfea\x00\n\x00b")
	f.Add("\xfe\xff\xd8\x00\x00a")
	f.Add("\x1f\x8b")
	f.Fuzz(func(t *testing.T, text string) {
		compressed := slices.ContainsFunc([]string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "PK\x03\x04"},
			func(magic string) bool { return strings.HasPrefix(text, magic) })
		var got []string
		for line, err := range input.Lines(strings.NewReader(text)) {
			if compressed && err == input.ErrCompressed {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, line)
		}
		if compressed {
			t.Fatal("lines of a compressed file")
		}
		text = strings.TrimPrefix(decoded(text), input.ByteOrderMark)
		want := strings.Split(text, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		for i := range want {
			want[i] = strings.TrimSuffix(want[i], "\r")
		}
		if len(got) != len(want) || strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
