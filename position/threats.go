package position

import "skein/chess"

// Threats returns the squares that the side not to move attacks.
func (p *Position) Threats() chess.Threats {
	byType, byColor := p.Bitboards()
	return chess.ThreatsBy(p.side.Other(), byType, byColor)
}
