package position

import "skein/chess"

// Keys returns the parts of the key as they were kept up to date.
func (p *Position) Keys() [keyParts]chess.Key { return p.keys }

// FullKeys returns them recomputed from the board.
func (p *Position) FullKeys() [keyParts]chess.Key { return p.fullKeys() }
