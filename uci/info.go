package uci

import (
	"strconv"

	"skein/chess"
	"skein/notation"
	"skein/search"
)

// writeInfo writes a report of the running search.
func (d *Driver) writeInfo(info search.Info) {
	b, chess960 := d.buf[:0], d.settings.chess960
	switch info := info.(type) {
	case *search.CurrentMove:
		b = appendCurrMove(b, info, chess960)
	case *search.CurrentLines:
		b = appendCurrLines(b, info.Lines, chess960)
	case *search.Refutation:
		b = appendRefutation(b, info, chess960)
	case *search.Line:
		b = appendLine(b, info, &d.settings, d.load.permille())
	}
	d.buf = b
	d.out.Write(b)
}

// bestMove returns the reply to a go that searched, in d.buf. The best move is (none),
// as in Stockfish, if the game is over; clients take 0000 for a null move to play.
func (d *Driver) bestMove(r search.Result) []byte {
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
	return d.buf
}

func appendCurrMove(b []byte, info *search.CurrentMove, chess960 bool) []byte {
	b = appendField(b, "info depth ", info.Depth)
	b = append(b, " currmove "...)
	b = notation.AppendUCI(b, info.Move, chess960)
	b = appendField(b, " currmovenumber ", info.Number)
	return append(b, '\n')
}

// appendCurrLines appends the lines that the threads are searching, in one
// block as UCI requires. Threads are numbered from 1.
func appendCurrLines(b []byte, lines [][]chess.Move, chess960 bool) []byte {
	for i, line := range lines {
		if len(line) > 0 {
			b = appendField(b, "info currline ", i+1)
			b = append(appendMoves(b, line, chess960), '\n')
		}
	}
	return b
}

// appendRefutation appends a move and the reply to it, if one is known.
func appendRefutation(b []byte, info *search.Refutation, chess960 bool) []byte {
	b = append(b, "info refutation "...)
	b = notation.AppendUCI(b, info.Move, chess960)
	if info.Reply != chess.NoMove {
		b = append(b, ' ')
		b = notation.AppendUCI(b, info.Reply, chess960)
	}
	return append(b, '\n')
}

// appendMoves appends moves, each after a space.
func appendMoves(b []byte, moves []chess.Move, chess960 bool) []byte {
	for _, m := range moves {
		b = append(b, ' ')
		b = notation.AppendUCI(b, m, chess960)
	}
	return b
}

// noLoad is an unknown CPU load.
const noLoad = -1

// appendLine appends an info line about a principal variation. At depth 0 the
// game is over and there is only a score. load is in permille, or noLoad.
func appendLine(b []byte, info *search.Line, s *settings, load int) []byte {
	b = appendField(b, "info depth ", info.Depth)
	if info.Depth == 0 {
		return append(appendScore(b, info, s.showWDL), '\n')
	}
	b = appendField(b, " seldepth ", info.SelDepth)
	b = appendField(b, " multipv ", info.MultiPV)
	b = appendScore(b, info, s.showWDL)
	b = appendField(b, " nodes ", info.Nodes)
	b = appendField(b, " nps ", search.NodesPerSecond(info.Nodes, info.Elapsed))
	b = appendField(b, " hashfull ", info.Hashfull)
	b = appendField(b, " tbhits ", info.TBHits)
	b = appendField(b, " time ", info.Elapsed.Milliseconds())
	if load != noLoad {
		b = appendField(b, " cpuload ", load)
	}
	b = append(b, " pv"...)
	return append(appendMoves(b, info.PV, s.chess960), '\n')
}

func appendScore(b []byte, info *search.Line, wdl bool) []byte {
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
		win, draw, loss := search.WDL(info.Score)
		if info.Drawn {
			win, draw, loss = 0, 1000, 0
		}
		b = appendField(b, " wdl ", win)
		b = appendField(b, " ", draw)
		b = appendField(b, " ", loss)
	}
	return b
}

// appendField appends a number after its name, which includes the spaces.
func appendField[N int | int64 | uint64 | chess.Centipawns](b []byte, name string, n N) []byte {
	b = append(b, name...)
	if n < 0 {
		return strconv.AppendInt(b, int64(n), 10)
	}
	return strconv.AppendUint(b, uint64(n), 10)
}
