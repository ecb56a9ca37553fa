package notation

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"skein/internal/corpora"
	"skein/position"
)

// oracleFile is a line of pgn/pgn-oracle-dev.jsonl: what another program reads
// from a file.
type oracleFile struct {
	File  string
	Games []oracleGame
}

type oracleGame struct {
	Headers                    map[string]string
	Variant                    string
	StartFEN                   string `json:"start_fen"`
	Moves                      []string
	FinalFEN                   string `json:"final_fen"`
	Result                     string
	Comments, NAGs, Variations int
	Errors                     []string
}

// The files that the oracle reads otherwise: how many games and how many
// errors Reader finds, and why.
var pgnDifferences = map[string]struct {
	games, errors int
	why           string
}{
	"pc-antichess-programfox.pgn": {2, 2, "Antichess is refused"},
	"co-headers-and-moves-on-the-same-line.pgn": {3, 3,
		"Antichess is refused; the oracle overlooks the second of three games"},
	"ca-sample-atomic.pgn":                      {1, 1, "Atomic chess is refused"},
	"pc-knightvuillaume-jannlee-zh-lichess.pgn": {1, 1, "Crazyhouse is refused"},
	"pc-saturs-jannlee-zh-lichess.pgn":          {1, 1, "Crazyhouse is refused"},
	"co-leading-whitespace.pgn":                 {4, 0, "the oracle overlooks the second of four games"},
	"co-pathological-headers.pgn":               {1, 0, "the oracle reads seven tags of one line as one"},
	"cjs-0.pgn":                                 {1, 1, "HTML among the moves is an error"},
	"cl-corrupted.pgn":                          {1, 1, "a move cut short at the end is an error"},
}

func readAll(t testing.TB, r io.Reader) (games []*Game, errs []error) {
	t.Helper()
	for g, err := range NewReader(r).All() {
		if g == nil {
			t.Fatal(err)
		}
		games, errs = append(games, g), append(errs, err)
	}
	return games, errs
}

func open(t testing.TB, name string) io.Reader {
	t.Helper()
	data, err := os.ReadFile(corpora.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReader(string(data))
}

// tally counts comments, glyphs and variations.
func tally(l *Line) (comments, nags, variations int) {
	if l.Comment != "" {
		comments++
	}
	for i := range l.Moves {
		n := l.Moves[i].Notes.Value()
		if n.Comment != "" {
			comments++
		}
		nags += len(n.NAGs)
		for j := range n.Variations {
			c, a, v := tally(&n.Variations[j])
			comments, nags, variations = comments+c, nags+a, variations+v+1
		}
	}
	return comments, nags, variations
}

func TestPGNCorpus(t *testing.T) {
	lines, err := corpora.Lines(corpora.Path("pgn/pgn-oracle-dev.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		var want oracleFile
		if err := json.Unmarshal([]byte(line.Text), &want); err != nil {
			t.Fatalf("%s: %v", line.Where, err)
		}
		games, errs := readAll(t, open(t, "pgn/"+want.File))
		if other, ok := pgnDifferences[want.File]; ok {
			bad := len(errs) - len(slices.DeleteFunc(errs, func(err error) bool { return err != nil }))
			if len(games) != other.games || bad != other.errors {
				t.Errorf("%s: %d games, %d errors, want %d and %d: %s", want.File, len(games), bad, other.games,
					other.errors, other.why)
			}
			continue
		}
		if len(games) != len(want.Games) {
			t.Errorf("%s: %d games, want %d", want.File, len(games), len(want.Games))
			continue
		}
		for i, g := range games {
			compareToOracle(t, want.File, g, errs[i], &want.Games[i])
		}
	}
}

func compareToOracle(t *testing.T, file string, g *Game, err error, want *oracleGame) {
	t.Helper()
	if (err != nil) != (len(want.Errors) > 0) {
		t.Errorf("%s: error %v, want %q", file, err, want.Errors)
	}
	for name, value := range want.Headers {
		got := g.Tags.Get(name)
		if name == "Result" {
			got = g.Result.String() // the oracle corrects the tag
		}
		if got == "" && slices.ContainsFunc(roster, func(r Tag) bool { return r.Name == name }) {
			continue // the oracle fills in what is missing
		}
		if got != value {
			t.Errorf("%s: tag %s is %q, want %q", file, name, got, value)
		}
	}
	if got := g.Chess960; got != (want.Variant == "chess960") {
		t.Errorf("%s: Chess960 %v, variant %s", file, got, want.Variant)
	}
	if start, err := position.Parse(want.StartFEN, g.Chess960); err != nil || g.Start != start {
		t.Errorf("%s: start %s, want %s", file, g.Start.FEN(), want.StartFEN)
	}
	moves := []string{}
	for _, m := range g.Moves() {
		moves = append(moves, FormatUCI(m, g.Chess960))
	}
	if !slices.Equal(moves, want.Moves) {
		t.Errorf("%s: moves %v, want %v", file, moves, want.Moves)
	}
	if end, err := position.Parse(want.FinalFEN, g.Chess960); err != nil || g.After(len(moves)).Pos != end {
		t.Errorf("%s: end %s, want %s", file, g.After(len(moves)).Pos.FEN(), want.FinalFEN)
	}
	if got := g.Result.String(); got != want.Result {
		t.Errorf("%s: result %s, want %s", file, got, want.Result)
	}
	if c, n, v := tally(&g.Main); c != want.Comments || n != want.NAGs || v != want.Variations {
		t.Errorf("%s: %d comments, %d glyphs, %d variations, want %d, %d, %d", file, c, n, v, want.Comments, want.NAGs,
			want.Variations)
	}
}

// TestReuseGame compares games read one by one into the same memory.
func TestReuseGame(t *testing.T) {
	file := func() io.Reader {
		return io.MultiReader(open(t, "pgn/worldchamps-dev.pgn"), strings.NewReader("\n{a} 1. e4 {b} *\n"))
	}
	r := NewReader(file())
	r.ReuseGame = true
	var kept *Game
	want, _ := readAll(t, file())
	for i, game := range want {
		g, err := r.Read()
		if err != nil || kept != nil && kept != g || !reflect.DeepEqual(tidy(g), tidy(game)) {
			t.Fatalf("game %d: %v", i+1, err)
		}
		kept = g
	}
}

// TestNullMoves reads null moves in their spellings, which are written as --.
func TestNullMoves(t *testing.T) {
	for _, text := range []string{"--", "Z0", "0000", "@@@@"} {
		games, errs := readAll(t, strings.NewReader("1. e4 e5 (1... "+text+" 2. d4 "+text+" 3. Bb5) 2. "+text+" Nc6 *"))
		if len(games) != 1 || errs[0] != nil {
			t.Fatalf("%s: %d games, %v", text, len(games), errs)
		}
		var file bytes.Buffer
		if err := NewWriter(&file).Write(games[0]); err != nil {
			t.Fatal(err)
		}
		if want := "1. e4 e5 (1... -- 2. d4 -- 3. Bb5) 2. -- Nc6 *\n"; !strings.Contains(file.String(), want) {
			t.Errorf("%s: written as\n%s", text, &file)
		}
		const fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 2 3"
		if at := games[0].After(4); at.Pos.FEN() != fen {
			t.Errorf("%s: the main line ends at %s", text, at.Pos.FEN())
		}
	}
	_, errs := readAll(t, strings.NewReader("1. e4 f5 2. Qh5+ -- *"))
	if len(errs) != 1 || errs[0] == nil || !strings.Contains(errs[0].Error(), "a side in check may not pass") {
		t.Errorf("a null move in check: %v", errs)
	}
}
