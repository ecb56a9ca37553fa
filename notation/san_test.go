package notation

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/corpora"
	"skein/movegen"
	"skein/position"
)

// rows returns the cells of a file of tab-separated values without its header.
func rows(t testing.TB, name string) [][]string {
	t.Helper()
	lines, err := corpora.Lines(corpora.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	var cells [][]string
	for _, line := range lines[1:] {
		cells = append(cells, strings.Split(line.Text, "\t"))
	}
	return cells
}

func TestSANCorpora(t *testing.T) {
	for _, tt := range []struct {
		name     string
		chess960 bool
	}{{"san/san-std-dev.tsv", false}, {"san/san-960-dev.tsv", true}} {
		n := 0
		for _, row := range rows(t, tt.name) {
			p := parse(t, row[0], tt.chess960)
			m, err := ParseUCI(p, row[1])
			if err != nil {
				t.Errorf("%s: %v", row[0], err)
				continue
			}
			if got := FormatSAN(p, m); got != row[2] {
				t.Errorf("%s: %s is written %s, want %s", row[0], row[1], got, row[2])
			}
			if got, err := ParseSAN(p, row[2]); got != m {
				t.Errorf("%s: %s read as %v, %v, want %v", row[0], row[2], got, err, m)
			}
			n++
		}
		if n < 1000 {
			t.Errorf("%s: only %d rows", tt.name, n)
		}
	}
}

// The texts of san/move-parse.tsv that ParseSAN reads otherwise than the
// oracle: it takes the pawn letter, which the standard allows on import, and
// the suffixes of moves that occur in games on the net, figurines, castling in lower case
// and promotions in parentheses; it knows no null move, which is no legal one.
var sanDifferences = map[string]string{
	"Pe4": "e2e4",
	"e4!": "e2e4", "e4?": "e2e4", "e4!!": "e2e4", "e4!?": "e2e4",
	"a8=Q!?": "a7a8q", "a8/Q": "a7a8q", "O-O!": "e1g1", "exf6!": "e5f6",
	"♘f3": "g1f3", "♞f3": "g1f3", "o-o": "illegal", "o-o-o": "e1c1", "a8(Q)": "a7a8q",
	"exf6e.p.": "e5f6", "exf6 e.p.": "e5f6", "exf6ep": "e5f6",
	"--": "malformed", "Z0": "malformed", "0000": "malformed", "@@@@": "malformed",
	// A promotion to a pawn is as illegal as one to a king.
	"a8=P": "illegal", "a7a8p": "illegal",
}

func TestParseSANCorpus(t *testing.T) {
	compareToMoveParse(t, 3, ParseSAN, sanDifferences)
}

// compareToMoveParse reads the texts of san/move-parse.tsv with parser. What
// should come of them, a move or a kind of error, is in the column, but for
// those among the differences, all of which must occur.
func compareToMoveParse(t *testing.T, column int, parser func(*position.Position, string) (chess.Move, error),
	differences map[string]string) {
	t.Helper()
	kinds := map[string]string{
		"error: InvalidMoveError":   "malformed",
		"error: IllegalMoveError":   "illegal",
		"error: AmbiguousMoveError": "ambiguous",
	}
	used := map[string]bool{}
	n := 0
	for _, row := range rows(t, "san/move-parse.tsv") {
		var text string
		if err := json.Unmarshal([]byte(row[2]), &text); err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		want := row[column]
		if kind, ok := kinds[want]; ok {
			want = kind
		}
		if other, ok := differences[text]; ok {
			if other == want {
				t.Errorf("%q: the difference is none", text)
			}
			used[text], want = true, other
		}
		chess960 := row[1] == "960"
		m, err := parser(parse(t, row[0], chess960), text)
		got := FormatUCI(m, chess960)
		var moveErr *MoveError
		if errors.As(err, &moveErr) {
			got = moveErr.Fault.String()
		}
		if got != want {
			t.Errorf("%s: %q: got %s, %v, want %s", row[0], text, got, err, want)
		}
		n++
	}
	if n < 150 {
		t.Errorf("only %d rows", n)
	}
	if len(used) != len(differences) {
		t.Errorf("%d of %d differences occur", len(used), len(differences))
	}
}

// liberties are other ways to write what FormatSAN writes.
func liberties(p *position.Position, m chess.Move) []string {
	san := FormatSAN(p, m)
	bare := strings.TrimRight(san, "+#")
	texts := []string{bare, bare + "+", bare + "#", bare + "++", san + "!?", FormatUCI(m, true),
		strings.ReplaceAll(san, "O", "0"), strings.Replace(san, "=", "", 1), strings.Replace(san, "x", ":", 1),
		strings.NewReplacer("K", "♔", "Q", "♛", "R", "♖", "B", "♝", "N", "♘", "x", "×").Replace(san)}
	if m.IsCastling() {
		return append(texts, strings.ToLower(bare), strings.ReplaceAll(san, "-", "–"),
			strings.ReplaceAll(san, "-", "−"), strings.ReplaceAll(san, "-", "\u2011"))
	}
	full := m.From().String() + m.To().String()
	hyphen := m.From().String() + "-" + m.To().String()
	if m.IsPromotion() {
		full += m.Promotion().String()
		hyphen += "=" + m.Promotion().String()
		before, after, _ := strings.Cut(san, "=")
		texts = append(texts, before+"/"+after, before+"("+after[:1]+")"+after[1:])
	}
	letter := ""
	if t := p.At(m.From()).Type(); t != chess.Pawn {
		letter = strings.ToUpper(t.String())
		texts = append(texts, strings.Replace(san, "x", "", 1))
	} else {
		texts = append(texts, "P"+san, "P"+full)
	}
	if m.IsEnPassant() {
		texts = append(texts, bare+"e.p.", bare+" e.p.", bare+"ep", bare+"+ e.p.", bare+"e.p.#")
	}
	return append(texts, letter+full, letter+hyphen, strings.Replace(letter+hyphen, "-", "x", 1))
}

// TestSANRoundTrip reads back every legal move of random games in every way it
// can be written, and finds that no two moves are written alike.
func TestSANRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, fen := range roundTripFENs {
		for range 20 {
			p := parse(t, fen, true)
			for range 60 {
				moves := movegen.Legal(p)
				if len(moves) == 0 {
					break
				}
				seen := map[string]chess.Move{}
				for _, m := range moves {
					san := FormatSAN(p, m)
					if other, ok := seen[san]; ok {
						t.Errorf("%s: %v and %v are both written %s", p.FEN(), m, other, san)
					}
					seen[san] = m
					for _, text := range append(liberties(p, m), san) {
						if got, err := ParseSAN(p, text); got != m {
							t.Errorf("%s: %q is read as %v, %v, want %v", p.FEN(), text, got, err, m)
						}
					}
				}
				*p = p.After(moves[rng.IntN(len(moves))])
			}
		}
	}
}

func TestParseSANErrors(t *testing.T) {
	for _, tt := range []struct{ fen, text, want string }{
		{position.StartFEN, "", "malformed"},
		{position.StartFEN, strings.Repeat("N", 1000), "malformed"},
		{position.StartFEN, "ep", "malformed"},
		{position.StartFEN, "e.p.", "malformed"},
		{position.StartFEN, "++", "malformed"},
		{position.StartFEN, "=Q", "malformed"},
		{position.StartFEN, "x", "malformed"},
		{position.StartFEN, "e4ep", noEnPassant},
		{position.StartFEN, "Nf3ep", noEnPassant},
		{position.StartFEN, "e4e.p.e.p.", "malformed"},
		{position.StartFEN, "e2e4ep", noEnPassant},
		{position.StartFEN, "O-O", "castling is prevented"},
		{"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", "no right"},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "promotion is missing"},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "promotion is missing"},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=K", "no pawn is promoted to that"},
		{"4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "Ra2", "in check"},
		{"4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "Nc3", "leaves the king in check"},
		{"4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1", "d4", "leaves the king in check"},
		{"4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1", "d2d4", "leaves the king in check"},
		{"4k3/8/8/8/1b6/3p4/3P4/4K3 w - - 0 1", "d4", "no such piece can move there"},
		{position.StartFEN, "Nd2", "illegal: the square is occupied by the same side"},
		{position.StartFEN, "e2e5", "does not move there"},
		{"k7/8/8/8/8/8/8/KN3N2 w - - 0 1", "Nd2", "ambiguous"},
		{position.StartFEN, strings.Repeat("♘", 16), `"♘♘♘♘♘♘♘♘♘♘♘♘♘♘♘♘"`},
		{position.StartFEN, strings.Repeat("♘", 17), `"♘♘♘♘♘♘♘♘♘♘♘♘♘♘♘♘..."`},
	} {
		m, err := ParseSAN(parse(t, tt.fen, false), tt.text)
		var moveErr *MoveError
		if !errors.As(err, &moveErr) || m != chess.NoMove || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, %v, want an error with %q", tt.text, m, err, tt.want)
		}
		if err != nil && len(err.Error()) > 120 {
			t.Errorf("%.20q: the error is %d bytes long", tt.text, len(err.Error()))
		}
	}
}

func TestFormatLine(t *testing.T) {
	p := parse(t, "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3", false)
	var moves []chess.Move
	at := *p
	for _, text := range []string{"d6", "Qxf7"} {
		m, err := ParseSAN(&at, text)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
		at = at.After(m)
	}
	if got, want := FormatLine(p, moves), "3... d6 4. Qxf7#"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := FormatLine(p, nil); got != "" {
		t.Errorf("no moves are written %q", got)
	}
}

func TestSANAllocations(t *testing.T) {
	p := parse(t, roundTripFENs[1], false)
	moves := movegen.Legal(p)
	b := make([]byte, 0, 16)
	if n := testing.AllocsPerRun(100, func() {
		for _, m := range moves {
			b = AppendSAN(b[:0], p, m)
			if got, _, _ := parseSAN(p, b); got != m {
				t.Fatalf("%s: got %v", b, got)
			}
			b = AppendUCI(b[:0], m, true)
		}
		b = AppendLine(b[:0], p, moves[:1])
		if _, err := ParseUCI(p, "h1g1"); err != nil {
			t.Fatal(err)
		}
		if m, err := ParseSAN(p, "♔f1"); err != nil {
			t.Fatal(m, err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzParseSAN(f *testing.F) {
	for i, text := range []string{"e4", "Nf3", "O-O", "gxf3 e.p.", "a8=Q+", "Rdb1#", "0-0-0!?", "e2-e4", "--",
		"e7e8q"} {
		f.Add(uint8(i), text)
	}
	f.Fuzz(func(t *testing.T, i uint8, text string) {
		p := parse(t, roundTripFENs[int(i)%len(roundTripFENs)], true)
		m, err := ParseSAN(p, text)
		if err != nil {
			if m != chess.NoMove {
				t.Fatalf("%q: both %v and %v", text, m, err)
			}
			return
		}
		if !movegen.IsLegal(p, m) {
			t.Fatalf("%q: %v is illegal", text, m)
		}
		if again, err := ParseSAN(p, FormatSAN(p, m)); again != m {
			t.Fatalf("%q: %v read back as %v, %v", text, m, again, err)
		}
	})
}

func BenchmarkParseSAN(b *testing.B) {
	p := parse(b, roundTripFENs[1], false)
	text := []byte("Nxg6")
	for b.Loop() {
		parseSAN(p, text)
	}
}

func BenchmarkAppendSAN(b *testing.B) {
	p := parse(b, roundTripFENs[1], false)
	m, err := ParseSAN(p, "Nxg6")
	if err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 0, 16)
	for b.Loop() {
		buf = AppendSAN(buf[:0], p, m)
	}
}
