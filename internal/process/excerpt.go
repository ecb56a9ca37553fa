package process

import "sync"

// half is the size of each of the two parts of an excerpt, in bytes.
const half = 4 << 10

// excerpt is a writer that keeps the beginning and the end of what is written.
type excerpt struct {
	mu         sync.Mutex
	head, tail []byte
	cut        bool // something between head and tail is missing
}

// Write implements io.Writer.
func (e *excerpt) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := min(len(b), half-len(e.head))
	e.head = append(e.head, b[:n]...)
	e.tail = append(e.tail, b[n:]...)
	if excess := len(e.tail) - half; excess > 0 {
		e.cut = true
		e.tail = append(e.tail[:0], e.tail[excess:]...)
	}
	return len(b), nil
}

func (e *excerpt) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	gap := ""
	if e.cut {
		gap = "\n[...]\n"
	}
	return string(e.head) + gap + string(e.tail)
}
