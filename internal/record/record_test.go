package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/corpora"
	"skein/internal/record"
	"skein/movegen"
	"skein/position"
	"skein/rules"
)

func parse(t testing.TB, fen string) position.Position {
	t.Helper()
	p, err := position.Parse(fen, true)
	if err != nil {
		t.Fatal(fen, err)
	}
	return p
}

// randomGame plays n random moves from p, or fewer if the game ends. Special
// moves are preferred, so that short games have all kinds.
func randomGame(r *rand.Rand, p position.Position, n int) record.Game {
	g := record.Game{
		Start: p, Result: rules.BlackWins + rules.Result(r.IntN(3)), End: record.End(r.IntN(record.NumEnds)),
	}
	for range n {
		moves := movegen.Legal(&p)
		if len(moves) == 0 {
			break
		}
		m := moves[r.IntN(len(moves))]
		for _, odd := range moves {
			if (odd.IsCastling() || odd.IsEnPassant() || odd.IsPromotion()) && r.IntN(4) == 0 {
				m = odd
			}
		}
		g.Plies = append(g.Plies, record.Ply{Move: m, Score: chess.Score(int16(r.Uint32()))})
		var d position.Delta
		var next position.Position
		p.Do(m, &next, &d)
		p = next
	}
	return g
}

// games returns n random games of up to plies moves from various positions.
func games(t testing.TB, n, plies int) []record.Game {
	t.Helper()
	var starts []string
	for _, name := range []string{
		"standard.epd", "chess960-dev.epd", "dfrc-dev.epd",
		"edge-castling960-dev.epd", "edge-ep-dev.epd", "edge-promo-dev.epd",
	} {
		lines, err := corpora.Lines(corpora.Path("perft/" + name))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			fen, _, _ := strings.Cut(line.Text, ";")
			if _, err := position.Parse(fen, true); err == nil { // the perft suites have impossible checks
				starts = append(starts, fen)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	var list []record.Game
	for range n {
		list = append(list, randomGame(r, parse(t, starts[r.IntN(len(starts))]), r.IntN(plies+1)))
	}
	return list
}

// write writes a file of the games and returns its name. It closes a block
// after every perBlock games if that is not zero.
func write(t testing.TB, list []record.Game, perBlock int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "games.skr")
	w, _, err := record.Open(t.Context(), name, "a test")
	if err != nil {
		t.Fatal(err)
	}
	add(t, w, list, perBlock)
	return name
}

// add writes games as write does and closes the file.
func add(t testing.TB, w *record.Writer, list []record.Game, perBlock int) {
	t.Helper()
	for i := range list {
		err := w.Write(&list[i])
		if err == nil && perBlock > 0 && (i+1)%perBlock == 0 {
			err = w.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func contents(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// read returns the games in data and the error that stopped reading, nil at the
// end.
func read(data []byte) ([]record.Game, error) {
	r, err := record.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var list []record.Game
	for {
		var g record.Game
		if err := r.Read(&g); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return list, err
		}
		list = append(list, g)
	}
}

// same compares games; nil plies are the same as no plies.
func same(a, b []record.Game) error {
	if len(a) != len(b) {
		return fmt.Errorf("%d games instead of %d", len(a), len(b))
	}
	for i := range a {
		x, y := a[i], b[i]
		if len(x.Plies) == 0 && len(y.Plies) == 0 {
			x.Plies, y.Plies = nil, nil
		}
		if !reflect.DeepEqual(x, y) {
			return fmt.Errorf("game %d: %v instead of %v", i, x, y)
		}
	}
	return nil
}

func TestRoundTrip(t *testing.T) {
	list := games(t, 2000, 60)
	kinds := map[string]int{}
	for _, g := range list {
		for _, ply := range g.Plies {
			m := ply.Move
			switch {
			case m.IsCastling():
				king, _ := m.CastlingTargets()
				kinds["castling to "+king.String()]++
			case m.IsEnPassant():
				kinds["en passant"]++
			case m.IsPromotion():
				kinds["promotion to "+m.Promotion().String()]++
			}
		}
	}
	for _, kind := range []string{"castling to g1", "castling to c1", "castling to g8", "castling to c8",
		"en passant", "promotion to n", "promotion to b", "promotion to r", "promotion to q"} {
		if kinds[kind] < 5 {
			t.Errorf("only %d times %s", kinds[kind], kind)
		}
	}

	name := write(t, list, 0)
	data := contents(t, name)
	got, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := same(got, list); err != nil {
		t.Error(err)
	}
	positions := 0
	for _, g := range list {
		positions += len(g.Plies)
	}
	w, torn, err := record.Append(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if w.Games() != int64(len(list)) || w.Positions() != int64(positions) || torn != 0 {
		t.Errorf("the file has %d games, %d positions, %d torn bytes instead of %d, %d, 0",
			w.Games(), w.Positions(), torn, len(list), positions)
	}
}

// TestReader checks the description and the places of games that a reader
// returns.
func TestReader(t *testing.T) {
	list := games(t, 6, 9)
	data := contents(t, write(t, list, 4))
	r, err := record.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if r.Description() != "a test" {
		t.Errorf("description %q", r.Description())
	}
	var g record.Game
	offset := int64(16 + len("a test") + 4)
	for i := range list {
		if i%4 == 0 {
			offset += 20
		}
		if err := r.Read(&g); err != nil {
			t.Fatal(err)
		}
		want := record.Place{Offset: offset, Block: i / 4, Game: int64(i)}
		if r.Place() != want || want.PlyOffset(2) != offset+40 {
			t.Errorf("game %d: at %+v instead of %+v", i, r.Place(), want)
		}
		offset += int64(36 + 4*len(list[i].Plies))
	}
	for range 2 {
		if err := r.Read(&g); !errors.Is(err, io.EOF) {
			t.Error("after the last game:", err)
		}
	}
}

// TestLayout compares a small file byte by byte with docs/data-format.md.
func TestLayout(t *testing.T) {
	g := record.Game{
		Start:  parse(t, "r3k3/1P6/8/2pP4/8/8/8/4K2R w Kq c6 0 31"),
		Result: rules.WhiteWins,
		End:    record.ScoreWin,
		Plies: []record.Ply{
			{Move: chess.NewEnPassant(35, 42), Score: 1},
			{Move: chess.NewCastling(chess.E8, chess.A8), Score: -2},
			{Move: chess.NewPromotion(49, 57, chess.Queen), Score: 300},
			{Move: chess.NewMove(58, 57), Score: 0},
		},
	}
	want := "SkeinRec" + "\x01\x00" + "\x00\x01" + "\x06\x00\x00\x00" + "a test" + "????" +
		"SkBl" + "\x34\x00\x00\x00" + "\x01\x00\x00\x00" + "\x00\x00\x00\x00" + "????" +
		"\x90\x00\x00\x00\x0c\x00\x02\x11" + // e1 h1 c5 d5 b7 a8 e8
		"\x65\x08\xe0\x0d\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x2a" + "\x00" + "\x1f\x00" + "\x00\x00" + "\x02" + "\x07" +
		"\xa3\x4a\x01\x00" + "\x3c\x8e\xfe\xff" + "\x71\xfe\x2c\x01" + "\x7a\x0e\x00\x00" + "\x00\x00\x00\x00"
	got := contents(t, write(t, []record.Game{g}, 0))
	if len(got) != len(want) {
		t.Fatalf("%d bytes instead of %d", len(got), len(want))
	}
	for i := range got {
		if want[i] != '?' && got[i] != want[i] {
			t.Errorf("byte %d is %#02x instead of %#02x", i, got[i], want[i])
		}
	}
}

// TestUnit checks that scores in other units are converted, except mates and tablebase wins, and that Append refuses
// such files.
func TestUnit(t *testing.T) {
	list := games(t, 1, 12)
	scores := []chess.Score{0, 67, -134, 27000, -31990, 31000}
	for i := range list[0].Plies {
		list[0].Plies[i].Score = scores[i%len(scores)]
	}
	for _, test := range []struct {
		unit, set int
		want      []chess.Score
	}{
		{chess.UnitsPerPawn, 0, scores},
		{0, 0, scores},
		{67, 0, []chess.Score{0, 256, -512, chess.MaxEval, -31990, 31000}},
		{0, 67, []chess.Score{0, 256, -512, chess.MaxEval, -31990, 31000}},
		{512, 0, []chess.Score{0, 33, -67, 13500, -31990, 31000}},
	} {
		name := write(t, list, 0)
		record.WithUnit(t, name, test.unit)
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := record.NewReader(f)
		if err != nil || r.Unit() != test.unit {
			t.Fatal(r.Unit(), err)
		}
		if test.set != 0 {
			r.SetUnit(test.set)
		}
		var g record.Game
		if err := r.Read(&g); err != nil {
			t.Fatal(err)
		}
		for i, ply := range g.Plies {
			if want := test.want[i%len(scores)]; ply.Score != want {
				t.Errorf("unit %d, set to %d: score %d became %d instead of %d",
					test.unit, test.set, list[0].Plies[i].Score, ply.Score, want)
			}
		}
		w, _, err := record.Append(t.Context(), name)
		if (err == nil) != (test.unit == chess.UnitsPerPawn) {
			t.Errorf("unit %d: append says %v", test.unit, err)
		}
		if err == nil {
			w.Close()
		}
		f.Seek(0, io.SeekStart)
		var again bytes.Buffer
		original := contents(t, name)
		_, err = record.Recover(t.Context(), f, int64(len(original)), &again)
		if err != nil || !bytes.Equal(again.Bytes(), original) {
			t.Errorf("unit %d: recovered as another file, %v", test.unit, err)
		}
	}
}
