package skein_test

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/nets"
	"skein/nnue"
	"skein/notation"
	"skein/openings"
	"skein/position"
	"skein/rules"
	"skein/search"
	"skein/syzygy"
)

// The examples are the recipes of docs/library.md, in its order; TestLibrary
// compares them with it.

func Example_validateMove() {
	p, err := position.Parse("r3k2r/8/8/8/8/8/4p3/R3K2R w KQkq - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"Rh7", "O-O", "Rad1", "h1h8", "Rz9"} {
		m, err := notation.ParseSAN(&p, text)
		if bad, ok := errors.AsType[*notation.MoveError](err); ok {
			fmt.Printf("%s is %s: %s\n", bad.Text, bad.Fault, bad.Reason)
			continue
		}
		after := p.After(m)
		fmt.Println(text, "leads to", after.FEN())
	}
	// Output:
	// Rh7 leads to r3k2r/7R/8/8/8/8/4p3/R3K3 b Qkq - 1 1
	// O-O is illegal: castling is prevented
	// Rad1 leads to r3k2r/8/8/8/8/8/4p3/3RK2R b Kkq - 1 1
	// h1h8 leads to r3k2R/8/8/8/8/8/4p3/R3K3 b Qq - 0 1
	// Rz9 is malformed: not of the form e4, Nf3, exd5, e8=Q or O-O
}

func Example_filterByOpening() {
	file, err := os.Open("testdata/pgn/worldchamps-dev.pgn")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	out := notation.NewWriter(io.Discard) // or a file
	kept, games := 0, 0
	for g, err := range notation.NewReader(file).All() {
		if g == nil {
			log.Fatal(err) // the file cannot be read on
		}
		if err != nil {
			log.Print(err) // the game has a fault
			continue
		}
		games++
		opening, plies := openings.Of(g.Start, g.Moves())
		if plies == 0 || opening.Family() != "Ruy Lopez" {
			continue
		}
		g.Tags.Set("ECO", opening.ECO)
		g.Tags.Set("Opening", opening.Name)
		if err := out.Write(g); err != nil {
			log.Fatal(err)
		}
		kept++
	}
	fmt.Println(kept, "of", games, "games")
	// Output:
	// 9 of 30 games
}

func Example_annotate() {
	net, err := nets.Load("") // the embedded network
	if err != nil {
		log.Fatal(err)
	}
	engine, err := search.New(net, search.Options{Threads: 1, Hash: 16})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	g, err := notation.NewReader(strings.NewReader("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0")).Read()
	if err != nil {
		log.Fatal(err)
	}
	limits := search.Limits{Depth: 8}
	var before chess.Score // of the side to move
	for i := range g.Main.Moves {
		after := g.After(i + 1)
		score := engine.Search(after, limits, nil).Score
		if loss := before + score; i > 0 && loss.Centipawns() > 300 {
			notes := g.Main.Moves[i].Annotate()
			notes.NAGs = append(notes.NAGs, 4) // ??
			if moves, ok := score.Mate(); ok {
				notes.Comment = fmt.Sprintf("mate in %d", moves)
			}
		}
		before = score
	}
	if err := notation.NewWriter(os.Stdout).Write(g); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "?"]
	// [Black "?"]
	// [Result "1-0"]
	//
	// 1. e4 e5 2. Qh5 Ke7 $4 {mate in 1} 3. Qxe5# 1-0
}

func Example_playGame() {
	net, err := nets.Load("") // the embedded network
	if err != nil {
		log.Fatal(err)
	}
	engine, err := search.New(net, search.Options{Threads: 1, Hash: 16})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	start, err := position.Parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	played, g := position.NewGame(start), notation.NewGame(start, false)
	for !rules.EndedOrClaimable(played).Over() {
		m := engine.Search(played, search.Limits{Depth: 4}, nil).Best
		played.Play(m)
		g.Main.Add(m)
	}
	outcome := rules.EndedOrClaimable(played)
	g.Result = outcome.Result
	if err := notation.NewWriter(os.Stdout).Write(g); err != nil {
		log.Fatal(err)
	}
	fmt.Println(outcome.Reason)
	// Output:
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "?"]
	// [Black "?"]
	// [Result "1-0"]
	// [FEN "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"]
	// [SetUp "1"]
	//
	// 1. Ra8# 1-0
	//
	// checkmate
}

func Example_probeTable() {
	tables := syzygy.Open("testdata/syzygy", func(err error) { log.Print(err) })
	defer tables.Close()
	p, err := position.Parse("3k4/8/2K5/3P4/8/8/8/8 w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	if p.Occupied().Count() > tables.Largest() {
		log.Fatal("too many men")
	}
	result, err := tables.ProbeWDL(&p)
	if err != nil {
		log.Fatal(err)
	}
	ranking, err := tables.Rank(position.NewGame(p), true)
	if err != nil {
		log.Fatal(err)
	}
	best := ranking.Moves[0]
	fmt.Printf("%s: a %s with %s\n", p.SideToMove(), result, notation.FormatSAN(&p, best.Move))
	// Output:
	// white: a win with Kd6
}

func Example_evaluate() {
	net, err := nets.Load("") // the embedded network
	if err != nil {
		log.Fatal(err)
	}
	stack := nnue.NewStack(net, 1) // for lines of one move
	p, err := position.Parse("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	stack.Reset(&p)
	before := stack.Evaluate(&p) // from the view of the side to move
	var best chess.Move
	highest := -chess.Infinity
	for _, m := range movegen.Legal(&p) {
		var next position.Position
		p.Do(m, &next, stack.Push())
		if score := -stack.Evaluate(&next); score > highest {
			best, highest = m, score
		}
		stack.Pop()
	}
	gain := (highest - before).Centipawns()
	fmt.Println(notation.FormatSAN(&p, best), "gains more than a pawn:", gain > 100)
	// Output:
	// Nxd5 gains more than a pawn: true
}

func Example_openingTree() {
	file, err := os.Open("testdata/pgn/worldchamps-dev.pgn")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	type count struct{ games, halfPoints int }   // half points of White
	tree := map[chess.Key]map[chess.Move]count{} // by position, so that transpositions meet
	for g, err := range notation.NewReader(file).All() {
		if err != nil {
			log.Fatal(err)
		}
		if g.Result == rules.NoResult {
			continue
		}
		p := g.Start
		for _, m := range g.Moves()[:min(20, len(g.Main.Moves))] {
			moves := tree[p.Key()]
			if moves == nil {
				moves = map[chess.Move]count{}
				tree[p.Key()] = moves
			}
			c := moves[m]
			moves[m] = count{c.games + 1, c.halfPoints + g.Result.HalfPoints()}
			p = p.After(m)
		}
	}
	p := position.Start()
	moves := tree[p.Key()]
	byGames := func(a, b chess.Move) int { return cmp.Compare(moves[b].games, moves[a].games) }
	for _, m := range slices.SortedFunc(maps.Keys(moves), byGames) {
		after := p.After(m)
		opening, _ := openings.At(&after)
		c := moves[m]
		fmt.Printf("%-4s %2d games, %2d%% for White: %s\n",
			notation.FormatSAN(&p, m), c.games, 50*c.halfPoints/c.games, opening.Name)
	}
	// Output:
	// e4   16 games, 59% for White: King's Pawn Game
	// d4    9 games, 44% for White: Queen's Pawn Game
	// Nf3   5 games, 80% for White: Zukertort Opening
}

// TestLibrary compares the code and the output of every example with the page.
func TestLibrary(t *testing.T) {
	files := token.NewFileSet()
	source, err := parser.ParseFile(files, "library_test.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("library_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var want []string // code and output by turns
	for _, decl := range source.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(f.Name.Name, "Example_") {
			continue
		}
		body := string(text[files.Position(f.Body.Lbrace).Offset+1 : files.Position(f.Body.Rbrace).Offset])
		code, output, _ := strings.Cut(body, "\t// Output:\n")
		want = append(want, unindented(code, "\t"), unindented(output, "\t//", " "))
	}
	var got []string
	for _, m := range fencedBlock.FindAllStringSubmatch(readDocument(t, "docs/library.md"), -1) {
		got = append(got, m[1])
	}
	if len(want) != 2*7 || len(got) != len(want) {
		t.Fatalf("%d blocks in docs/library.md for %d examples", len(got), len(want)/2)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("docs/library.md: block %d is\n%s\nand the example\n%s", i+1, got[i], want[i])
		}
	}
}

// fencedBlock matches a block of Go code or of its output.
var fencedBlock = regexp.MustCompile("(?ms)^```(?:go|text)\n(.*?)^```$")

// unindented returns the lines of text without these prefixes, and without an empty
// line at the beginning.
func unindented(text string, prefixes ...string) string {
	var sb strings.Builder
	for line := range strings.Lines(strings.TrimPrefix(text, "\n")) {
		for _, prefix := range prefixes {
			line = strings.TrimPrefix(line, prefix)
		}
		sb.WriteString(line)
	}
	return sb.String()
}
