package position

import "skein/chess"

// Threats returns the squares that the side not to move attacks.
func (p *Position) Threats() chess.Threats {
	them := p.side.Other()
	pieces := p.ByType(them)
	return chess.ThreatsBy(them, &pieces, p.Occupied())
}
