// Command outside uses every package of this module that others can import.
// scripts/modulepath/check builds it in a module of its own.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"skein/bench"
	"skein/board"
	"skein/chess"
	"skein/movegen"
	"skein/nets"
	"skein/nnue"
	"skein/notation"
	"skein/openings"
	"skein/polyglot"
	"skein/position"
	"skein/rules"
	"skein/search"
	"skein/syzygy"
	"skein/tt"
	"skein/uci"
	"skein/uciclient"
)

// serveCommand is the argument with which the program is an engine.
const serveCommand = "serve"

func main() {
	log.SetFlags(0)
	log.SetPrefix("outside: ")
	uses := []func() error{play, lookUp, think, drive}
	if len(os.Args) > 1 && os.Args[1] == serveCommand {
		uses = []func() error{serve}
	}
	for _, use := range uses {
		if err := use(); err != nil {
			log.Fatal(err)
		}
	}
}

// play plays the shortest game that ends in mate.
func play() error {
	game := position.NewGame(position.Start())
	var moves []chess.Move
	var san []string
	for _, text := range []string{"f2f3", "e7e5", "g2g4", "d8h4"} {
		m, err := notation.ParseUCI(&game.Pos, text)
		if err != nil {
			return err
		}
		san = append(san, notation.FormatSAN(&game.Pos, m))
		moves = append(moves, m)
		game.Play(m)
	}
	if n := len(movegen.Legal(&game.Pos)); n > 0 {
		return fmt.Errorf("%d legal moves after mate", n)
	}
	end := rules.Ended(game)
	if end.Result != rules.WinFor(chess.Black) {
		return fmt.Errorf("the game ended %v, %v", end.Result, end.Reason)
	}
	opening, plies := openings.Of(position.Start(), moves)
	if plies == 0 {
		return errors.New("the game has no opening")
	}
	fmt.Println(strings.Join(san, " "), end.Result, end.Reason, opening.ECO, opening.Name)
	fmt.Print(board.Text(&game.Pos, board.Options{LastMove: moves[len(moves)-1]}))
	return nil
}

// lookUp stores a move in a transposition table and finds it again, and looks for
// tablebases in a folder without any.
func lookUp() error {
	p := position.Start()
	fmt.Printf("key of the initial position in opening books: %016x\n", polyglot.Key(&p, chess.NoSquare))
	table, err := tt.New(1)
	if err != nil {
		return err
	}
	defer table.Close()
	stored := tt.Entry{Move: movegen.Legal(&p)[0], Node: tt.Node{Depth: 1}}
	table.Store(p.Key(), stored)
	if found, ok := table.Probe(p.Key()); !ok || found.Move != stored.Move {
		return fmt.Errorf("stored %+v, found %+v", stored, found)
	}
	tables := syzygy.Open("testdata", nil)
	defer tables.Close()
	fmt.Println("men in the largest tablebase:", tables.Largest())
	return nil
}

// newEngine returns an engine and its network.
func newEngine() (*search.Engine, *nnue.Network, error) {
	net, err := nets.Load("")
	if err != nil {
		return nil, nil, err
	}
	e, err := search.New(net, search.Options{Threads: 1, Hash: bench.DefaultHash})
	return e, net, err
}

// think evaluates a position, searches it, and gives the engine UCI commands.
func think() error {
	e, net, err := newEngine()
	if err != nil {
		return err
	}
	defer e.Close()
	p, err := position.Parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", false)
	if err != nil {
		return err
	}
	stack := nnue.NewStack(net, chess.MaxPly)
	stack.Reset(&p)
	best := e.Search(position.NewGame(p), search.Limits{Depth: 4}, nil).Best
	fmt.Println("static evaluation:", stack.Evaluate(&p), "best move:", notation.FormatSAN(&p, best))
	if notation.FormatSAN(&p, best) != "Rd8#" {
		return errors.New("the engine does not mate")
	}
	result, err := bench.Run(e, 1, io.Discard)
	if err != nil {
		return err
	}
	fmt.Println("nodes of bench at depth 1:", result.Nodes)
	var out bytes.Buffer
	driver := uci.New(e, strings.NewReader(""), &out, uci.Config{Version: "0"})
	if err := driver.RunCommands(context.Background(), []string{"position startpos", "go depth 1"}); err != nil {
		return err
	}
	if !strings.Contains(out.String(), "\nbestmove ") {
		return fmt.Errorf("the engine answered %q", &out)
	}
	return nil
}

// serve is the engine: it answers UCI commands from standard input.
func serve() error {
	e, _, err := newEngine()
	if err != nil {
		return err
	}
	defer e.Close()
	return uci.New(e, os.Stdin, os.Stdout, uci.Config{Version: "0"}).Run(context.Background())
}

// drive starts this program as an engine and has it play a move.
func drive() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	ctx := context.Background()
	engine, err := uciclient.Start(ctx, program, serveCommand)
	if err != nil {
		return err
	}
	played, err := engine.Play(ctx, uciclient.Game{}, uciclient.Limits{Depth: 4})
	if err := errors.Join(err, engine.Quit(ctx)); err != nil {
		return err
	}
	p := position.Start()
	fmt.Println(engine.Name(), "plays", notation.FormatSAN(&p, played.Best))
	return nil
}
