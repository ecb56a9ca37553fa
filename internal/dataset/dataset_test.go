package dataset_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"skein/chess"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
)

func parse(t testing.TB, fen string) position.Position {
	t.Helper()
	p, err := position.Parse(fen, true)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// write writes a file in a new folder and returns its name.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// all returns the entries of the files.
func all(t *testing.T, workers int, names ...string) ([]dataset.Entry, error) {
	t.Helper()
	var list []dataset.Entry
	err := dataset.Entries(t.Context(), names, record.Filter{}, workers, func(e *dataset.Entry) error {
		list = append(list, *e)
		return nil
	})
	return list, err
}

// TestKinds writes the same positions as games, records and text, in files of
// many batches, and expects to read them in order.
func TestKinds(t *testing.T) {
	const n = 3000
	shuffle := []chess.Move{
		chess.NewMove(chess.A1, chess.B1), chess.NewMove(chess.H8, chess.G8),
		chess.NewMove(chess.B1, chess.A1), chess.NewMove(chess.G8, chess.H8),
	}
	var bin, txt bytes.Buffer
	games := filepath.Join(t.TempDir(), "x.skr")
	w, _, err := record.Open(t.Context(), games, "")
	if err != nil {
		t.Fatal(err)
	}
	var want []dataset.Entry
	for i := range n {
		start := parse(t, fmt.Sprintf("7k/8/8/8/8/8/4P3/K7 w - - 0 %d", i+1))
		g := record.Game{Start: start, Result: rules.BlackWins + rules.Result(i%3)}
		play := position.NewGame(g.Start)
		for j := range i % 5 {
			e := record.Entry{Position: play.Pos, Score: chess.Score(i - j), Result: g.Result}
			g.Plies = append(g.Plies, record.Ply{Move: shuffle[j%4], Score: e.Score})
			play.Play(shuffle[j%4])
			want = append(want, dataset.Entry{Entry: e})
			b := e.Pack()
			bin.Write(b[:])
			fmt.Fprintln(&txt, e.String())
		}
		if err := w.Write(&g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(txt.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	files := []string{
		games, write(t, "x.bin", bin.Bytes()),
		write(t, "x.txt", append([]byte("# comment\n\n"), txt.Bytes()...)), write(t, "x.txt.gz", zipped.Bytes()),
	}
	for _, workers := range []int{1, 3} {
		got, err := all(t, workers, files...)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want)*len(files) {
			t.Fatalf("%d entries instead of %d times %d", len(got), len(files), len(want))
		}
		for i := range got {
			if got[i] != want[i%len(want)] {
				t.Fatalf("entry %d of %s: %v", i%len(want), files[i/len(want)], got[i])
			}
		}
	}
}

// TestColumns reads text with an additional column, which is ignored.
func TestColumns(t *testing.T) {
	got, err := all(t, 1, write(t, "x.txt", []byte("7k/8/8/8/8/8/4P3/K7 w - - 0 1 | 5 | 0.5 | an engine\n")))
	if err != nil || len(got) != 1 ||
		got[0].Score != 5 || got[0].Result != rules.Draw || got[0].NoScore || got[0].NoResult {
		t.Error(got, err)
	}
}

func TestErrors(t *testing.T) {
	const good = "7k/8/8/8/8/8/4P3/K7 w - - 0 1 | 5 | 0.5\n"
	e := record.Entry{Position: parse(t, "7k/8/8/8/8/8/4P3/K7 w - - 0 1"), Result: rules.Draw}
	b := e.Pack()
	games := filepath.Join(t.TempDir(), "x.skr")
	w, _, err := record.Open(t.Context(), games, "")
	if err != nil {
		t.Fatal(err)
	}
	step := record.Ply{Move: chess.NewMove(chess.A1, chess.B1)}
	g := record.Game{Start: e.Position, Result: rules.Draw, Plies: []record.Ply{step, step}}
	if err := errors.Join(w.Write(&g), w.Close()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		file  string
		wants []string
		good  int
	}{
		{write(t, "x.pgx", nil), []string{"x.pgx", "extension"}, 0},
		{"missing.txt", []string{"missing.txt"}, 0},
		{write(t, "x.txt", []byte(strings.Repeat(good, 1500)+"nonsense\n"+good)), []string{"x.txt: line 1501"}, 1024},
		{
			write(t, "x.epd", []byte("7k/8/8/8/8/8/4P3/K7 w - - ce 1;\n7k/8/8/8/8/8/4P3/K7 w - - ce x;\n")),
			[]string{"x.epd: line 2: EPD: ce"}, 0,
		},
		{
			write(t, "x.bin", append(bytes.Repeat(b[:], 2048), b[:20]...)),
			[]string{"x.bin: byte 65536", "within a record"}, 2048,
		},
		{write(t, "y.bin", append(b[:], make([]byte, 32)...)), []string{"y.bin: byte 32"}, 0},
		{write(t, "x.txt.gz", []byte("certainly no gzip")), []string{"x.txt.gz", "gzip"}, 0},
		{games, []string{"x.skr: byte", "ply 1", "illegal"}, 0},
		{write(t, "y.skr", []byte("nonsense nonsense")), []string{"y.skr: byte 0", "not a file of games"}, 0},
		{
			write(t, "long.txt", bytes.Repeat([]byte("x"), 1<<20+1)),
			[]string{"long.txt: line 1", "line 1: longer than a mebibyte"}, 0,
		},
	} {
		got, err := all(t, 2, test.file)
		if err == nil || len(got) != test.good {
			t.Errorf("%s: %d entries, error %v", test.file, len(got), err)
			continue
		}
		for _, want := range test.wants {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("error %v does not say %q", err, want)
			}
		}
	}
}

// TestLaterErrors expects no work on files before one that cannot be read.
func TestLaterErrors(t *testing.T) {
	good := write(t, "x.txt", []byte("7k/8/8/8/8/8/4P3/K7 w - - 0 1 | 5 | 0.5\n"))
	pgn := write(t, "x.pgn", []byte("1. e4 1-0\n"))
	for _, bad := range []string{"missing.skr", write(t, "x.pgx", nil)} {
		if got, err := all(t, 1, good, bad); err == nil || !strings.Contains(err.Error(), bad) || len(got) > 0 {
			t.Errorf("%s: %d entries, error %v", bad, len(got), err)
		}
	}
	for _, bad := range []string{"missing.skr", good} {
		read := 0
		err := dataset.GameReader{Whole: true}.Batches([]string{pgn, bad})(t.Context(), func(*dataset.GameBatch) error {
			read++
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), bad) || read > 0 {
			t.Errorf("%s: %d batches of games, error %v", bad, read, err)
		}
	}
}

func TestParseEPD(t *testing.T) {
	const white, black = "7k/8/8/8/8/8/4P3/K7 w - - ", "7k/8/8/8/8/8/4P3/K7 b - - "
	for _, test := range []struct {
		line   string
		score  chess.Score
		result rules.Result
		noScore,
		noResult bool
	}{
		{white, 0, rules.Draw, true, true},
		{white + `c9 "1-0";`, 0, rules.WhiteWins, true, false},
		{white + `c9 "0-1"; ce 34;`, 87, rules.BlackWins, false, false},
		{black + `ce -34; id "a;b"; c0 "1/2-1/2"`, 87, rules.Draw, false, false},
		{black + `id "ce 5; c9 1-0";`, 0, rules.Draw, true, true},
		{white + `c0 "by hand"; c1 "1-0"; c2 "0-1";`, 0, rules.WhiteWins, true, false},
		{white + `c0 "[0-1]"; c1 "1-0";`, 0, rules.WhiteWins, true, false},
		{white + "0 12 [0.0]", 0, rules.BlackWins, true, false},
		{black + "3 12 [1.0] ce 7;", -18, rules.WhiteWins, false, false},
	} {
		e, err := dataset.ParseEPD(test.line)
		if err != nil || e.Score != test.score || e.Result != test.result ||
			e.NoScore != test.noScore || e.NoResult != test.noResult {
			t.Errorf("%q: %d %v %v %v, %v", test.line, e.Score, e.Result, e.NoScore, e.NoResult, err)
		}
	}
	for line, want := range map[string]string{
		"":                  "EPD: a position has 4 fields",
		"7k/8 w - -":        "board",
		white + "ce 40000;": "score 40000 is beyond 32767",
		white + "ce;":       "ce",
		white + "[0.7]":     `"0.7" is not a result`,
	} {
		if _, err := dataset.ParseEPD(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", line, err, want)
		}
	}
}

func FuzzParseEPD(f *testing.F) {
	f.Add(`7k/8/8/8/8/8/4P3/K7 b - - 3 12 [1.0] ce 7; c9 "0-1";`)
	f.Fuzz(func(t *testing.T, line string) {
		e, err := dataset.ParseEPD(line)
		if err != nil {
			return
		}
		if again, err := record.ParseEntry(e.String()); err != nil || again != e.Entry {
			t.Errorf("%q became %q: %v", line, e.String(), err)
		}
	})
}

// TestOrdered checks the order of results of items that finish out of order.
func TestOrdered(t *testing.T) {
	produce := func(_ context.Context, put func(int) error) error {
		for i := range 100 {
			if err := put(i); err != nil {
				return err
			}
		}
		return errors.New("the end")
	}
	for _, test := range []struct {
		badWork, badEmit, emitted int
		want                      string
	}{
		{-1, -1, 100, "the end"},
		{50, -1, 50, "work 50"},
		{-1, 30, 30, "emit 30"},
	} {
		n := 0
		err := dataset.Ordered(t.Context(), 4, produce, func(_ context.Context, _, i int) (int, error) {
			time.Sleep(time.Duration(i%3) * time.Millisecond)
			if i == test.badWork {
				return 0, fmt.Errorf("work %d", i)
			}
			return 2 * i, nil
		}, func(i int) error {
			if i == 2*test.badEmit {
				return fmt.Errorf("emit %d", i/2)
			}
			if i != 2*n {
				t.Errorf("result %d is %d", n, i)
			}
			n++
			return nil
		})
		if err == nil || err.Error() != test.want || n != test.emitted {
			t.Errorf("%d results, error %v instead of %q", n, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := dataset.Ordered(ctx, 4, func(_ context.Context, put func(int) error) error {
		for {
			if err := put(0); err != nil {
				return err
			}
		}
	}, func(context.Context, int, int) (int, error) { return 0, nil }, func(int) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	err = dataset.Ordered(t.Context(), 4, produce, func(ctx context.Context, _, i int) (int, error) {
		if i > 0 {
			<-ctx.Done() // work that is under way ends
		}
		return i, ctx.Err()
	}, func(int) error { return errors.New("full") })
	if err == nil || err.Error() != "full" {
		t.Error(err)
	}
}

const pgn = `[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 {0.31} e5 {-0.20/10 1.1s} 2. Qh5 {+0.35/12 0.5s} Nc6 {0.00/9} 3. Bc4 {+M1/20} Nf6 {-M1/20} 4. Qxf7# {+M0/1} 1-0

[Result "0-1"]

1. f3 { [%eval 0.05] } e5 { [%eval -0.7] } 2. g4 { [%eval #-1] } Qh4# 0-1

[Result "*"]

1. d4 *

[Result "1/2-1/2"]

1. d4 {1.e4/e5 is another game} d5 {1/2-1/2} 1/2-1/2
`

func TestPGN(t *testing.T) {
	file := write(t, "x.pgn", []byte(pgn))
	got, err := all(t, 2, file)
	if err != nil {
		t.Fatal(err)
	}
	const none = 1 << 14
	want := []int{none, 51, 90, 0, 31999, 31998, 32000, none, 13, -179, -31999, none, none, none}
	if len(got) != len(want) {
		t.Fatalf("%d positions instead of %d", len(got), len(want))
	}
	for i, e := range got {
		result := rules.WhiteWins
		if i >= 7 {
			result = rules.BlackWins
		}
		if i >= 11 {
			result = rules.Draw
		}
		if e.NoScore != (want[i] == none) || !e.NoScore && int(e.Score) != want[i] ||
			e.Result != result || e.NoResult != (i == 11) {
			t.Errorf("position %d: %d (unknown: %v), %v (unknown: %v), expected %d",
				i, e.Score, e.NoScore, e.Result, e.NoResult, want[i])
		}
	}
	var games []record.Game
	err = dataset.GameReader{}.Batches([]string{file})(t.Context(), func(b *dataset.GameBatch) error {
		for i := range b.Games {
			if err := b.Replay(i, nil); err != nil {
				t.Error(err)
			}
		}
		games = append(games, b.Games...)
		return nil
	})
	if err != nil || len(games) != 2 || len(games[0].Plies) != 6 || len(games[1].Plies) != 3 {
		t.Fatal(games, err)
	}
	if fen := games[0].Start.FEN(); !strings.HasPrefix(fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b") {
		t.Error("the scores start at", fen)
	}
	whole := 0
	err = dataset.GameReader{Whole: true}.Batches([]string{file})(t.Context(), func(b *dataset.GameBatch) error {
		whole += len(b.Games)
		return nil
	})
	if err != nil || whole != 3 {
		t.Errorf("%d whole games, %v", whole, err)
	}
	bad := write(t, "bad.pgn", []byte("[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n"))
	_, err = all(t, 1, bad)
	if err == nil || !strings.Contains(err.Error(), bad) || !strings.Contains(err.Error(), "Ke3") {
		t.Error(err)
	}
}

func FuzzPGN(f *testing.F) {
	f.Add([]byte(pgn))
	f.Fuzz(func(t *testing.T, data []byte) {
		dataset.TrimmedPGN(bytes.NewReader(data), func(b *dataset.GameBatch) error {
			for i := range b.Games {
				if err := b.Replay(i, nil); err != nil {
					t.Error(err)
				}
			}
			return nil
		})
	})
}

// FuzzEntries reads anything as a file of each kind.
func FuzzEntries(f *testing.F) {
	for name, data := range map[string][]byte{
		"x.pgn": []byte(pgn),
		"x.txt": []byte("7k/8/8/8/8/8/4P3/K7 w - - 0 1 | 5 | 0.5\n"),
		"x.epd": []byte("7k/8/8/8/8/8/4P3/K7 b - - 3 12 [1.0] ce 7;\n"),
		"x.bin": make([]byte, record.EntrySize),
		"x.skr": []byte("SkeinRec"),
	} {
		f.Add(name, data)
		for _, extension := range []string{".gz", ".zst"} {
			var b bytes.Buffer
			z, err := dataset.Compress(&b, name+extension)
			if err != nil {
				f.Fatal(err)
			}
			if _, err := z.Write(data); err != nil {
				f.Fatal(err)
			}
			if err := z.Close(); err != nil {
				f.Fatal(err)
			}
			f.Add(name+extension, b.Bytes())
		}
	}
	f.Add("\x00.bin", []byte{})
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		_, err := dataset.KindOf(name)
		if err != nil || name != filepath.Base(name) || len(name) > 10 || strings.Contains(name, "\x00") {
			return // not the name of a file of data
		}
		entries, err := all(t, 2, write(t, name, data))
		for i := range entries {
			if entries[i].Result == rules.NoResult {
				t.Errorf("entry %d of %s has no result, %v", i, name, err)
			}
		}
	})
}

func TestCompress(t *testing.T) {
	text := bytes.Repeat([]byte("7k/8/8/8/8/8/4P3/K7 w - - 0 1 | 5 | 0.5\n"), 5000)
	entries, err := all(t, 2, write(t, "x.txt", text))
	if err != nil {
		t.Fatal(err)
	}
	var records bytes.Buffer
	for i := range entries {
		if err := dataset.WriteEntry(&records, &entries[i].Entry, dataset.Records); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"x.txt.gz", "x.txt.zst", "x.bin.gz", "x.bin.zst"} {
		data := text
		if strings.HasPrefix(name, "x.bin") {
			data = records.Bytes()
		}
		var b bytes.Buffer
		z, err := dataset.Compress(&b, name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := z.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := all(t, 2, write(t, name, b.Bytes())); err != nil || len(got) != 5000 || b.Len() > len(data)/10 {
			t.Errorf("%s: %d positions from %d bytes, %v", name, len(got), b.Len(), err)
		}
		for _, cut := range []int{1, 8, b.Len() / 2} {
			if got, err := all(t, 2, write(t, name, b.Bytes()[:b.Len()-cut])); err == nil {
				t.Errorf("%s without its last %d bytes: %d positions and no error", name, cut, len(got))
			}
		}
	}
	if dataset.Compressed("x.txt") || !dataset.Compressed("x.skr.zst") {
		t.Error("compressed or not?")
	}
	if _, err := dataset.Compress(nil, "x.txt"); err == nil {
		t.Error("x.txt compressed")
	}
}
