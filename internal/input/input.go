// Package input reads untrusted files and streams: they may be silent or endless, or
// have lines of any length.
package input

import (
	"context"
	"io"
	"os"
)

// Open opens the file for reading until it is closed or ctx is done, whichever
// comes first: then Open and Read return the cause of ctx, even if they wait, for
// instance for the writer of a pipe.
func Open(ctx context.Context, name string) (io.ReadCloser, error) {
	type opened struct {
		f   *os.File
		err error
	}
	if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		return &file{NewReader(ctx, f), f}, nil
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(name)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		return &file{NewReader(ctx, o.f), o.f}, nil
	case <-ctx.Done():
		go func() {
			if o := <-done; o.err == nil {
				o.f.Close()
			}
		}()
		return nil, context.Cause(ctx)
	}
}

// file is a file and the reader of it.
type file struct {
	io.ReadCloser
	f *os.File
}

func (f *file) Close() error {
	f.ReadCloser.Close()
	return f.f.Close()
}

// NewReader returns a reader of r. Once ctx is done its Read returns the cause, even
// if it waits for r. It may read more of r than it returns. Close does not close r; a
// Read of r that still waits goes on alone.
func NewReader(ctx context.Context, r io.Reader) io.ReadCloser {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return &prompt{ctx, r}
		}
	}
	out, in := io.Pipe()
	stop := context.AfterFunc(ctx, func() { in.CloseWithError(context.Cause(ctx)) })
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
		stop()
	}()
	return &waiting{out, stop}
}

// prompt reads from what never waits for long.
type prompt struct {
	ctx context.Context
	r   io.Reader
}

func (p *prompt) Read(b []byte) (int, error) {
	if p.ctx.Err() != nil {
		return 0, context.Cause(p.ctx)
	}
	return p.r.Read(b)
}

// Close does nothing.
func (p *prompt) Close() error { return nil }

// waiting reads from what another goroutine copies.
type waiting struct {
	*io.PipeReader
	stop func() bool
}

func (w *waiting) Close() error {
	w.stop()
	return w.PipeReader.Close()
}
