package openings

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/notation"
	"skein/position"
	"skein/rules"
)

// play returns the legal moves of a text in SAN without numbers.
func play(t *testing.T, text string) []chess.Move {
	t.Helper()
	var moves []chess.Move
	p := position.Start()
	for _, word := range strings.Fields(text) {
		m, err := notation.ParseSAN(&p, word)
		if err != nil {
			t.Fatal(err)
		}
		moves, p = append(moves, m), p.After(m)
	}
	return moves
}

// TestList checks every opening of the list.
func TestList(t *testing.T) {
	all := All()
	if len(all) < 3000 {
		t.Fatalf("only %d openings", len(all))
	}
	code := regexp.MustCompile(`^[A-E][0-9][0-9]$`)
	volumes := map[byte]int{}
	for _, want := range all {
		if !code.MatchString(want.ECO) || want.Name != strings.Join(strings.Fields(want.Name), " ") || want.Name == "" {
			t.Errorf("code %q, name %q", want.ECO, want.Name)
		}
		g, err := rules.Replay(position.Start(), want.Moves, nil)
		if err != nil || len(want.Moves) == 0 {
			t.Fatalf("%s: %d moves, %v", want.Name, len(want.Moves), err)
		}
		got, ok := At(&g.Pos)
		if !ok || got.ECO != want.ECO || got.Name != want.Name || !slices.Equal(got.Moves, want.Moves) {
			t.Errorf("at the position of %+v: %+v", want, got)
		}
		if got, plies := Of(position.Start(), want.Moves); plies != len(want.Moves) || got.Name != want.Name {
			t.Errorf("%s is named %s after %d plies", want.Name, got.Name, plies)
		}
		volumes[want.ECO[0]]++
	}
	if len(volumes) != 5 {
		t.Errorf("openings by volume: %v", volumes)
	}
	if !strings.Contains(text, Version) {
		t.Errorf("the list is not of version %s", Version)
	}
}

func TestOf(t *testing.T) {
	for _, test := range []struct {
		moves, eco, name string
		plies            int
	}{
		{"", "", "", 0},
		{"e4", "B00", "King's Pawn Game", 1},
		{"e4 e5 Nf3 Nc6 Bb5", "C60", "Ruy Lopez", 5},
		{"e4 e5 Nf3 Nc6 Bb5 h5 h4 Rh6 Rh2", "C60", "Ruy Lopez", 5}, // unknown moves follow
		{"d4 Nf6 c4 g6 Nc3 d5", "D80", "Grünfeld Defense", 6},
		{"c4 g6 d4 d5 Nc3 Nf6", "D80", "Grünfeld Defense", 6}, // the same position
		{"d4 g6 c4 Nf6 Nc3 d5", "D80", "Grünfeld Defense", 6},
	} {
		o, plies := Of(position.Start(), play(t, test.moves))
		if o.ECO != test.eco || plies != test.plies || o.Name != test.name {
			t.Errorf("%q: %s %s after %d plies, want %+v", test.moves, o.ECO, o.Name, plies, test)
		}
	}
	moves := play(t, "e4 e5")
	moves = []chess.Move{moves[0], chess.NoMove, chess.NoMove, moves[1]}
	if o, plies := Of(position.Start(), moves); o.ECO != "B00" || plies != 1 {
		t.Errorf("with null moves: %s after %d plies", o.ECO, plies)
	}
}

// TestAt looks for positions that differ from an opening in something.
func TestAt(t *testing.T) {
	for fen, want := range map[string]string{
		position.StartFEN: "",
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1":  "King's Pawn Game",
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 7 40": "King's Pawn Game", // other counters
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1":  "",
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQk - 0 1":   "",
	} {
		p, err := position.Parse(fen, false)
		if err != nil {
			t.Fatal(err)
		}
		if o, ok := At(&p); o.Name != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", fen, o.Name, ok)
		}
	}
}

const giuocoPianissimo = "C50 Italian Game: Giuoco Pianissimo"

// renamed has the openings of games of testdata/lichess-games.tsv that come to a
// position further on that has got a name since they were played, with that name.
var renamed = map[string]string{
	"A00 Polish Opening":                                  "A00 Polish Opening, with d5",
	"A07 King's Indian Attack":                            "A07 King's Indian Attack, with e6",
	"A45 Indian Defense":                                  "A45 Indian Defense: Accelerated London System",
	"C47 Four Knights Game: Italian Variation":            "C55 Italian Game: Two Knights Defense",
	giuocoPianissimo + ", Italian Four Knights Variation": giuocoPianissimo,
	"C50 Four Knights Game: Italian Variation":            giuocoPianissimo,
	"D02 Queen's Pawn Game: London System":                "D02 Queen's Pawn Game: London System, with e6",
}

// TestLichess compares with the tags that lichess.org gave to games. All that
// differ are in renamed.
func TestLichess(t *testing.T) {
	data, err := os.ReadFile("testdata/lichess-games.tsv")
	if err != nil {
		t.Fatal(err)
	}
	games, differ := 0, 0
	for row := range strings.Lines(string(data)) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(row), "\t")
		o, _ := Of(position.Start(), play(t, cells[2]))
		tags, name := cells[0]+" "+cells[1], o.ECO+" "+o.Name
		games++
		if name != tags {
			differ++
			if name != renamed[tags] {
				t.Errorf("%s is named %s", tags, name)
			}
		}
	}
	if games != 78 || differ != 8 {
		t.Errorf("%d of %d games have other names", differ, games)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"A00\tSodium Attack":                            "line 1: 2 columns",
		"A00\tSodium Attack\t0":                         "line 1: no moves",
		"# \nA00\tSodium Attack\t1 Na3":                 `line 2: "1" is not a number of moves`,
		"A00\tSodium Attack\t0 Na3\nA00\tA\t-1 e5":      `line 2: "-1" is not a number of moves`,
		"A00\tSodium Attack\t0 Na5":                     `line 1: move "Na5": illegal`,
		"A00\tA\t0 Nf3 d5 d4\nA00\tB\t0 d4 d5 Nf3\n":    "line 2: the position is that of A",
		"A00\tA\t0 Nf3 d5 d4\nA00\tB\t2 d4 Nf6\nA00\tB": "line 3: 2 columns",
	} {
		if _, err := read(text); err == nil || !strings.HasPrefix(err.Error(), "openings: "+want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

func TestAllocations(t *testing.T) {
	moves := play(t, "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6")
	start := position.Start()
	if n := testing.AllocsPerRun(10, func() { Of(start, moves) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
