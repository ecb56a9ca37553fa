package position

import "skein/chess"

// Keys returns the four parts of the key as they were kept up to date.
func (p *Position) Keys() [4]chess.Key { return p.keys }

// FullKeys returns them recomputed from the board.
func (p *Position) FullKeys() [4]chess.Key { return p.fullKeys() }
