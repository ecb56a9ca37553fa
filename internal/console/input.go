package console

import (
	"context"
	"io"

	"skein/internal/input"
)

// open opens a file to read; - is standard input. When ctx is done, opening and
// reading fail with its cause, even while the file, which may be a pipe or a terminal,
// provides nothing.
func (c *call) open(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		return input.NewReader(ctx, c.In), nil
	}
	return input.Open(ctx, name)
}
