package main

import (
	"fmt"
	"io"

	"skein/internal/console"
	"skein/internal/input"
	"skein/internal/simd"
	"skein/nets"
	"skein/nnue"
	"skein/search"
	"skein/uci"
)

// newDriver creates an engine with the embedded network and its driver.
func newDriver(in io.Reader, out io.Writer) (*uci.Driver, error) {
	net, err := embeddedNet()
	if err != nil {
		return nil, err
	}
	engine, err := search.New(net, search.Options{Threads: uci.DefaultThreads, Hash: uci.DefaultHash})
	if err != nil {
		return nil, err
	}
	return uci.New(engine, in, out, uci.Config{
		Version:  version,
		Commands: append(commands(engine), tuneCommands()...),
		Tunables: tunables(),
		Describe: func() string {
			return fmt.Sprintf("kernels %s, network %s", simd.Level(), describeNet(engine.Network()))
		},
		LoadNet: func(path string) error {
			if path == "" {
				return engine.SetNetwork(net)
			}
			loaded, err := loadNet(path)
			if err != nil {
				return err
			}
			return engine.SetNetwork(loaded)
		},
	}), nil
}

// embeddedNet reads the embedded network. It is an error if the kernels could not
// be selected.
func embeddedNet() (*nnue.Network, error) {
	if err := simd.Err(); err != nil {
		return nil, err
	}
	net, err := nets.Load("")
	if err != nil {
		return nil, fmt.Errorf("embedded %w", err)
	}
	return net, nil
}

// loadNet reads a network from a regular file.
func loadNet(path string) (*nnue.Network, error) {
	if _, err := input.Stat(path); err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	return nnue.LoadFile(path)
}

// environment connects the terminal commands to this program.
func environment(in io.Reader, out, stderr io.Writer) console.Env {
	return console.Env{
		In: in, Out: out, Err: stderr,
		Name: uci.Name + " " + version,
		NewEngine: func(threads, hash int, path string) (*search.Engine, error) {
			net, err := embeddedNet()
			if err == nil && path != "" {
				net, err = loadNet(path)
			}
			if err != nil {
				return nil, err
			}
			return search.New(net, search.Options{Threads: threads, Hash: hash})
		},
	}
}
