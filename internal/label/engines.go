package label

import (
	"errors"

	"skein/nnue"
	"skein/search"
)

// hardLimit is the ratio of the hard to the soft node limit of a search.
const hardLimit = 10

// Limits returns the limits of a search for a label: nodes, or if soft is true hardLimit
// times as many to finish the last iteration. Searches that are compared with labels have
// the same.
func Limits(nodes uint64, soft bool) search.Limits {
	if soft {
		return search.Limits{SoftNodes: nodes, Nodes: hardLimit * nodes}
	}
	return search.Limits{Nodes: nodes}
}

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
