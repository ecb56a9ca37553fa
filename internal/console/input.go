package console

import (
	"context"
	"io"
	"os"
)

// open opens a file to read; - is standard input. When the command is interrupted,
// opening and reading fail with errInterrupted, even while the file, which may be
// a pipe or a terminal, provides nothing.
func (c *call) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return c.interruptible(io.NopCloser(c.In)), nil
	}
	type opened struct {
		file *os.File
		err  error
	}
	result := make(chan opened, 1)
	go func() {
		file, err := os.Open(name)
		result <- opened{file, err}
	}()
	select {
	case o := <-result:
		if o.err != nil {
			return nil, o.err
		}
		return c.interruptible(o.file), nil
	case <-c.ctx.Done():
		return nil, errInterrupted
	}
}

// interruptible returns a reader of r that fails with errInterrupted when the
// command is interrupted.
func (c *call) interruptible(r io.ReadCloser) io.ReadCloser {
	reader, writer := io.Pipe()
	context.AfterFunc(c.ctx, func() { writer.CloseWithError(errInterrupted) })
	go func() {
		defer r.Close()
		_, err := io.Copy(writer, r)
		writer.CloseWithError(err)
	}()
	return reader
}
