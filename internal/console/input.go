package console

import (
	"io"

	"skein/internal/input"
)

// open opens a file to read; - is standard input. When the command is interrupted,
// opening and reading fail with the cause of its context, even while the file, which
// may be a pipe or a terminal, provides nothing.
func (c *call) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return input.NewReader(c.ctx, c.In), nil
	}
	return input.Open(c.ctx, name)
}
