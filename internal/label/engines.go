package label

import (
	"errors"

	"skein/nnue"
	"skein/search"
)

// engines are single-threaded engines, one for each worker.
type engines []*search.Engine

// newEngines returns engines with transposition tables of hash MiB. It is an error
// if memory cannot be allocated.
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

// close frees the memory of the engines.
func (list engines) close() error {
	var errs []error
	for _, e := range list {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}
