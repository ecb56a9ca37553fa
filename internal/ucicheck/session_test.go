package ucicheck

import (
	"strings"
	"testing"
)

// follow gives a session lines, those after "> " to be sent, and returns the first
// error.
func follow(lines []string) error {
	var s Session
	for _, line := range lines {
		var err error
		if sent, ok := strings.CutPrefix(line, "> "); ok {
			err = s.Sent(sent)
		} else {
			err = s.Received(line)
		}
		if err != nil {
			return err
		}
	}
	return s.End()
}

const (
	promotion     = "> position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1"
	castling      = "> position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
	matedPosition = "> position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
	matePosition  = "> position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
)

// line returns an info line of the initial position.
func line(fields, pv string) string {
	return "info " + fields + " nps 0 hashfull 1 tbhits 0 pv " + pv
}

func TestValidSessions(t *testing.T) {
	for name, lines := range map[string][]string{
		"identification": {"> uci", "id name X", "option name Hash type spin default 1 min 1 max 2", "uciok",
			"> isready", "info string hello", "readyok"},
		"mate": {"> setoption name MultiPV value 2", matePosition, "> go depth 2",
			line("depth 2 seldepth 2 multipv 1 score mate 1 nodes 60 time 1", "a1a8"),
			line("depth 1 seldepth 2 multipv 2 score cp 5 nodes 60 time 1", "g1f1 g8f8"), "bestmove a1a8"},
		"mated": {matedPosition, "> go", "info depth 0 score mate 0", "> stop", "bestmove (none)"},
		"everything": {"> setoption name UCI_ShowWDL value true", "> setoption name Threads value 2",
			"> go ponder depth 9",
			line("depth 1 seldepth 3 multipv 1 score cp -5 lowerbound wdl 300 400 300 nodes 5 time 1 cpuload 7",
				"e2e4 e7e5"),
			"info depth 2 currmove e2e4 currmovenumber 1", "info currline 2 e2e4 e7e5", "info refutation a2a3 e7e5",
			line("depth 2 seldepth 3 multipv 1 score cp -6 wdl 300 400 300 nodes 5 time 1", "d2d4"),
			"> ponderhit", "bestmove d2d4 ponder d7d5"},
		"quit": {"> go infinite", line("depth 1 seldepth 3 multipv 1 score cp 5 nodes 5 time 1", "e2e4"), "> quit",
			"bestmove e2e4"},
		"castling": {castling, "> go depth 1 searchmoves e1g1",
			line("depth 1 seldepth 3 multipv 1 score cp 5 nodes 5 time 1", "e1g1 e8e7"), "bestmove e1g1 ponder e8e7"},
		"book": {"> setoption name OwnBook value true", "> go movetime 5", "info string book move, one of 2",
			"bestmove e2e4"},
		"skill": {"> setoption name Skill Level value 3", "> setoption name MultiPV value 2", "> go nodes 9",
			line("depth 2 seldepth 2 multipv 1 score cp 5 nodes 9 time 1", "e2e4"),
			line("depth 2 seldepth 2 multipv 2 score cp 6 nodes 9 time 1", "d2d4"), "bestmove e2e4"},
	} {
		if err := follow(lines); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFaults(t *testing.T) {
	const fields = "depth 2 seldepth 3 multipv 1 score cp 5 nodes 5 time 1"
	first := line(fields, "e2e4")
	after := func(lines ...string) []string { return append([]string{"> go depth 5"}, lines...) }
	variant := func(old, replacement string) string { return strings.Replace(first, old, replacement, 1) }
	inLine := func(old, replacement string) []string { return after(variant(old, replacement)) }
	second := func(old, replacement string) string {
		line := strings.Replace(variant(old, replacement), "multipv 1", "multipv 2", 1)
		return strings.Replace(line, "e2e4", "d2d4", 1)
	}
	two := func(lines ...string) []string {
		return append([]string{"> setoption name MultiPV value 2", "> go depth 5"}, lines...)
	}
	for want, lines := range map[string][]string{
		"an empty line":                           after(""),
		"unexpected":                              after("hello"),
		`"readyok": unexpected`:                   {"readyok"},
		`"uciok": unexpected`:                     {"uciok"},
		"the engine reports an error":             {"info string ERROR: no"},
		"not separated by single spaces":          after(first + " "),
		"no search is running":                    {first},
		"bestmove e2e4\": no search is running":   after(first, "bestmove e2e4", "bestmove e2e4"),
		"an info without content":                 after("info depth 3"),
		"depth: occurs twice":                     inLine("seldepth", "depth"),
		"unknown field":                           inLine("hashfull", "hashes"),
		"1001 is out of range":                    inLine("hashfull 1", "hashfull 1001"),
		"-1 is out of range":                      inLine("nodes 5", "nodes -1"),
		"nps is missing":                          inLine(" nps 0", ""),
		`nodes: "x" is not a number`:              inLine("nodes 5", "nodes x"),
		"score is missing":                        inLine(" score cp 5", ""),
		"neither cp nor mate":                     inLine("cp 5", "5"),
		"the sum is 999":                          inLine("cp 5", "cp 5 wdl 333 333 333"),
		"wdl is not as the option":                inLine("cp 5", "cp 5 wdl 334 333 333"),
		"the depth is not between 1 and 5":        inLine("depth 2", "depth 6"),
		"seldepth is less":                        inLine("seldepth 3", "seldepth 0"),
		`pv: move "e2e5": illegal`:                inLine("e2e4", "e2e5"),
		`move "e2e4": illegal`:                    inLine("e2e4", "e2e4 e2e4"),
		"a7a8q is not among the moves":            {promotion, "> go searchmoves a1b1", line(fields, "a7a8q")},
		"less time or nodes":                      after(first, variant("nodes 5", "nodes 4")),
		"1 plies do not lead to the mate":         inLine("cp 5", "mate 1"),
		"line 2 of 1 after 0":                     inLine("multipv 1", "multipv 2"),
		"the depth was 2 before":                  after(first, variant("depth 2", "depth 1")),
		"another line has the same move":          two(first, variant("multipv 1", "multipv 2")),
		"deeper than the line above":              two(first, second("depth 2", "depth 3")),
		"a higher score than that of":             two(first, second("cp 5", "cp 6")),
		"a higher score":                          two(first, second("cp 5", "mate 9 lowerbound")),
		"only 1 of 2 lines were reported before":  two(first, first),
		"e2e4\": only 1 of 2 lines were reported": two(first, "bestmove e2e4"),
		"not stopped":                             {"> go infinite", first, "bestmove e2e4"},
		"ponder d7d5\": not stopped":              {"> go ponder depth 3", first, "bestmove e2e4 ponder d7d5"},
		`unexpected "ponder"`:                     after(first, "bestmove e2e4 ponder"),
		"no line was reported":                    after("bestmove e2e4"),
		"the best line is [e2e4]":                 after(first, "bestmove d2d4"),
		"the best line is [e2e4 e7e5]":            after(line(fields, "e2e4 e7e5"), "bestmove e2e4 ponder d7d5"),
		"the game is over":                        {matedPosition, "> go depth 1", "bestmove (none)"},
		"not the result of the game":              {matedPosition, "> go depth 1", "info depth 0 score cp 0"},
		"a line without moves":                    after("info depth 0 score cp 0"),
		"there are 20 moves":                      after("info depth 2 currmove e2e4 currmovenumber 21"),
		"line 2 of 1 threads":                     after("info currline 2 e2e4"),
		`refutation: move "e7e5": illegal`:        after("info refutation e7e5"),
		"is written e1h1":                         {castling, "> go depth 3", "info currline 1 e1h1"},
		"no answer to 1 go, 0 isready, 0 uci":     after(),
		"no answer to 0 go, 1 isready, 1 uci":     {"> isready", "> uci"},
	} {
		if err := follow(lines); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", lines, err, want)
		}
	}
}

func TestUnsendable(t *testing.T) {
	var s Session
	for _, line := range []string{"position fen x", "position startpos moves e2e5", "go depth", "go depth x", "go e2e5",
		"setoption name Threads value x"} {
		if err := s.Sent(line); err == nil {
			t.Errorf("%q is accepted", line)
		}
	}
}
