package label

import (
	"errors"

	"skein/nnue"
	"skein/search"
)

// engines are those of the workers, of one thread each.
type engines []*search.Engine

// newEngines returns engines with tables of hash MiB, one for each worker. The error is about memory.
func newEngines(net *nnue.Network, hash, workers int) (engines, error) {
	var list engines
	for range workers {
		e, err := search.New(net, search.Options{Threads: 1, Hash: hash})
		if err != nil {
			return nil, errors.Join(err, list.close())
		}
		list = append(list, e)
	}
	return list, nil
}

// close gives the memory of the engines back.
func (list engines) close() error {
	var errs []error
	for _, e := range list {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}
