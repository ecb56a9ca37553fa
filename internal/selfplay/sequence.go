package selfplay

// Sequence passes results on in the order of their numbers, whatever the order in
// which they come.
type Sequence[T any] struct {
	Next    uint64 // the number of the next one
	waiting map[uint64]T
}

// Add calls emit with the results from the next one on that are there, the one with
// this number included, until emit returns an error.
func (s *Sequence[T]) Add(number uint64, result T, emit func(T) error) error {
	if s.waiting == nil {
		s.waiting = make(map[uint64]T)
	}
	s.waiting[number] = result
	for {
		r, ok := s.waiting[s.Next]
		if !ok {
			return nil
		}
		delete(s.waiting, s.Next)
		s.Next++
		if err := emit(r); err != nil {
			return err
		}
	}
}
