package uci

import (
	"strconv"
	"time"

	"skein/chess"
	"skein/notation"
	"skein/search"
)

// writeInfo writes a report of the running search.
func (d *Driver) writeInfo(info *search.Info) {
	if info.CurrMove != chess.NoMove {
		d.buf = appendCurrMove(d.buf[:0], info, d.settings.chess960)
	} else {
		d.buf = appendInfo(d.buf[:0], info, &d.settings)
	}
	d.out.Write(d.buf)
}

// writeBestMove writes the answer to a go.
func (d *Driver) writeBestMove(r search.Result) {
	b := append(d.buf[:0], "bestmove "...)
	if r.Best == chess.NoMove {
		b = append(b, "(none)"...)
	} else {
		b = notation.AppendUCI(b, r.Best, d.settings.chess960)
	}
	if r.Ponder != chess.NoMove && !d.ugi {
		b = append(b, " ponder "...)
		b = notation.AppendUCI(b, r.Ponder, d.settings.chess960)
	}
	d.buf = append(b, '\n')
	d.out.Write(d.buf)
}

func appendCurrMove(b []byte, info *search.Info, chess960 bool) []byte {
	b = appendField(b, "info depth ", info.Depth)
	b = append(b, " currmove "...)
	b = notation.AppendUCI(b, info.CurrMove, chess960)
	b = appendField(b, " currmovenumber ", info.CurrMoveNumber)
	return append(b, '\n')
}

// appendInfo writes a line of play. Depth 0 is a game that is over, of which
// there is only the score to tell.
func appendInfo(b []byte, info *search.Info, s *settings) []byte {
	b = appendField(b, "info depth ", info.Depth)
	if info.Depth == 0 {
		return append(appendScore(b, info, s.showWDL), '\n')
	}
	b = appendField(b, " seldepth ", info.SelDepth)
	b = appendField(b, " multipv ", info.MultiPV)
	b = appendScore(b, info, s.showWDL)
	b = appendField(b, " nodes ", info.Nodes)
	b = appendField(b, " nps ", nodesPerSecond(info.Nodes, info.Elapsed))
	b = appendField(b, " hashfull ", info.Hashfull)
	b = appendField(b, " tbhits ", info.TBHits)
	b = appendField(b, " time ", info.Elapsed.Milliseconds())
	b = append(b, " pv"...)
	for _, m := range info.PV {
		b = append(b, ' ')
		b = notation.AppendUCI(b, m, s.chess960)
	}
	return append(b, '\n')
}

func appendScore(b []byte, info *search.Info, wdl bool) []byte {
	if moves, ok := info.Score.Mate(); ok {
		b = appendField(b, " score mate ", moves)
	} else {
		b = appendField(b, " score cp ", info.Score.Centipawns())
	}
	switch info.Bound {
	case search.LowerBound:
		b = append(b, " lowerbound"...)
	case search.UpperBound:
		b = append(b, " upperbound"...)
	}
	if wdl {
		win, draw, loss := info.Score.WDL()
		b = appendField(b, " wdl ", win)
		b = appendField(b, " ", draw)
		b = appendField(b, " ", loss)
	}
	return b
}

// appendField appends a number behind its name with the blanks it needs.
func appendField[N int | int64 | uint64](b []byte, name string, n N) []byte {
	b = append(b, name...)
	if n < 0 {
		return strconv.AppendInt(b, int64(n), 10)
	}
	return strconv.AppendUint(b, uint64(n), 10)
}

// nodesPerSecond is 0 as long as no time has passed.
func nodesPerSecond(nodes uint64, elapsed time.Duration) uint64 {
	if elapsed <= 0 {
		return 0
	}
	return uint64(float64(nodes) / elapsed.Seconds())
}
