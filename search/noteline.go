package search

import (
	"sync/atomic"

	"skein/chess"
)

// notedLine is the line that a worker was searching when it answered a request.
type notedLine struct {
	number atomic.Uint32 // of the request
	length int
	moves  [chess.MaxPly + 2]chess.Move
}

// noteLine stores the line up to the move made at ply if a new request was
// made. The line ends before a null move, so that all its moves are legal.
func (w *worker) noteLine(ply int) {
	number := w.shared.lineRequest.Load()
	if number == w.line.number.Load() {
		return
	}
	n := 0
	for n <= ply && w.stack[n].move != chess.NoMove {
		w.line.moves[n] = w.stack[n].move
		n++
	}
	w.line.length = n
	w.line.number.Store(number)
}
