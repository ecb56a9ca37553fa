//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	theirs "github.com/corentings/chess/v2"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
	"skein/position"
)

// kiwipete is a position with many captures, castling and promotions, by Peter McKenzie.
const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// newTasks returns the tasks on the games and positions of two files.
func newTasks(pgn, epd string) ([]task, error) {
	games, err := os.ReadFile(pgn)
	if err != nil {
		return nil, err
	}
	positions, err := os.ReadFile(epd)
	if err != nil {
		return nil, err
	}
	start, err := perftTask("perft 3 of the initial position", position.StartFEN, 3)
	if err != nil {
		return nil, err
	}
	middle, err := perftTask("perft 3 of kiwipete", kiwipete, 3)
	if err != nil {
		return nil, err
	}
	fens, err := fenTasks(positions)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", epd, err)
	}
	sans, err := sanTasks(games)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pgn, err)
	}
	tasks := append([]task{start, middle}, fens...)
	tasks = append(tasks, sans...)
	return append(tasks, pgnTask(games, sans[0].units)), nil
}

// perftTask counts leaves; both count the moves of the last ply without making them.
func perftTask(name, fen string, depth int) (task, error) {
	p, err := position.Parse(fen, false)
	if err != nil {
		return task{}, err
	}
	var q theirs.Position
	if err := q.UnmarshalText([]byte(fen)); err != nil {
		return task{}, err
	}
	return task{
		name: name, unit: "leaf", units: int(movegen.Perft(&p, depth)),
		ours:   func() (int, error) { return int(movegen.Perft(&p, depth)), nil },
		theirs: func() (int, error) { return theirPerft(&q, depth), nil },
	}, nil
}

func theirPerft(p *theirs.Position, depth int) int {
	moves := p.ValidMoves()
	if depth == 1 {
		return len(moves)
	}
	n := 0
	for i := range moves {
		n += theirPerft(p.Update(&moves[i]), depth-1)
	}
	return n
}

// fenTasks reads and writes the positions of an EPD file, up to the first semicolon
// of each line.
func fenTasks(epd []byte) ([]task, error) {
	var fens []string
	var ours []position.Position
	var others []theirs.Position
	for line := range strings.Lines(string(epd)) {
		fen, _, _ := strings.Cut(strings.TrimSpace(line), ";")
		fen = strings.TrimSpace(fen)
		p, err := position.Parse(fen, false)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", fen, err)
		}
		var q theirs.Position
		if err := q.UnmarshalText([]byte(fen)); err != nil {
			return nil, fmt.Errorf("%q: %w", fen, err)
		}
		fens, ours, others = append(fens, fen), append(ours, p), append(others, q)
	}
	read := task{
		name: "read FEN", unit: "position", units: len(fens),
		ours: func() (n int, err error) {
			for _, fen := range fens {
				p, err := position.Parse(fen, false)
				if err != nil {
					return n, err
				}
				n += int(p.SideToMove())
			}
			return n, nil
		},
		theirs: func() (n int, err error) {
			for _, fen := range fens {
				var p theirs.Position
				if err := p.UnmarshalText([]byte(fen)); err != nil {
					return n, err
				}
				if p.Turn() == theirs.Black {
					n++
				}
			}
			return n, nil
		},
	}
	write := task{
		name: "write FEN", unit: "position", units: len(fens),
		ours: func() (n int, err error) {
			for i := range ours {
				n += len(ours[i].FEN())
			}
			return n, nil
		},
		theirs: func() (n int, err error) {
			for i := range others {
				n += len(others[i].String())
			}
			return n, nil
		},
	}
	return []task{read, write}, nil
}

// ply is a move in a game, as both libraries know it.
type ply struct {
	pos       position.Position
	move      chess.Move
	theirPos  *theirs.Position
	theirMove *theirs.Move
	san       string
}

// sanTasks reads and writes the moves of games in SAN.
func sanTasks(pgn []byte) ([]task, error) {
	plies, err := readPlies(pgn)
	if err != nil {
		return nil, err
	}
	their := theirs.AlgebraicNotation{}
	read := task{
		name: "read SAN", unit: "move", units: len(plies),
		ours: func() (n int, err error) {
			for i := range plies {
				m, err := notation.ParseSAN(&plies[i].pos, plies[i].san)
				if err != nil {
					return n, err
				}
				n += int(m.From())
			}
			return n, nil
		},
		theirs: func() (n int, err error) {
			for i := range plies {
				m, err := their.Decode(plies[i].theirPos, plies[i].san)
				if err != nil {
					return n, err
				}
				n += int(m.S1())
			}
			return n, nil
		},
	}
	write := task{
		name: "write SAN", unit: "move", units: len(plies),
		ours: func() (n int, err error) {
			for i := range plies {
				n += len(notation.FormatSAN(&plies[i].pos, plies[i].move))
			}
			return n, nil
		},
		theirs: func() (n int, err error) {
			for i := range plies {
				n += len(their.Encode(plies[i].theirPos, plies[i].theirMove))
			}
			return n, nil
		},
	}
	return []task{read, write}, nil
}

// readPlies reads the moves of all games.
func readPlies(pgn []byte) ([]ply, error) {
	var plies []ply
	for g, err := range notation.NewReader(bytes.NewReader(pgn)).All() {
		if err != nil {
			return nil, err
		}
		pos, theirPos := g.Start, theirs.StartingPosition()
		if pos != position.Start() {
			return nil, errors.New("a game does not begin in the initial position")
		}
		for _, m := range g.Moves() {
			san := notation.FormatSAN(&pos, m)
			theirMove, err := (theirs.UCINotation{}).Decode(theirPos, notation.FormatUCI(m, false))
			if err != nil {
				return nil, err
			}
			plies = append(plies, ply{pos, m, theirPos, theirMove, san})
			theirPos = theirPos.Update(theirMove)
			pos = pos.After(m)
		}
	}
	return plies, nil
}

// pgnTask reads games with so many moves.
func pgnTask(pgn []byte, moves int) task {
	return task{
		name: "read PGN", unit: "move", units: moves,
		ours: func() (n int, err error) {
			r := notation.NewReader(bytes.NewReader(pgn))
			for g, err := range r.All() {
				if err != nil {
					return n, err
				}
				n += len(g.Main.Moves)
			}
			return n, nil
		},
		theirs: func() (n int, err error) {
			s := theirs.NewScanner(bytes.NewReader(pgn))
			for s.HasNext() {
				g, err := s.ParseNext()
				if err != nil {
					return n, err
				}
				n += len(g.Moves())
			}
			return n, nil
		},
	}
}
