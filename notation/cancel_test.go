package notation

import (
	"context"
	"errors"
	"io"
	"testing"

	"skein/internal/input"
)

var errCanceled = errors.New("canceled by the test")

// endless repeats a text, or is silent if it is empty. After some reads it calls
// cancel.
type endless struct {
	text   string
	reads  int
	cancel context.CancelCauseFunc
	end    <-chan struct{} // of the test
}

func (e *endless) Read(b []byte) (int, error) {
	if e.reads++; e.reads == 10 || e.text == "" {
		e.cancel(errCanceled)
	}
	if e.text == "" {
		<-e.end
		return 0, io.EOF
	}
	n := 0
	for n+len(e.text) <= len(b) {
		n += copy(b[n:], e.text)
	}
	return n, nil
}

// TestCancel cancels the reading of input that does not end, and that in part
// never becomes a game or a position.
func TestCancel(t *testing.T) {
	readers := map[string]func(io.Reader) error{
		"EPD": func(r io.Reader) (last error) {
			for _, last = range ReadEPD(r, false) {
			}
			return last
		},
		"PGN": func(r io.Reader) (last error) {
			for _, last = range NewReader(r).All() {
			}
			return last
		},
	}
	for format, read := range readers {
		for _, text := range []string{"", "\n", "a", "#", "{}", "{", "[", "[A \"", "1", "(", "% ", "1. e4 * "} {
			ctx, cancel := context.WithCancelCause(t.Context())
			r := input.NewReader(ctx, &endless{text: text, cancel: cancel, end: t.Context().Done()})
			if err := read(r); !errors.Is(err, errCanceled) {
				t.Errorf("%s of %q: %v", format, text, err)
			}
			r.Close()
		}
	}
}
