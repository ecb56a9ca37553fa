package web

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"skein/internal/review"
	"skein/movegen"
	"skein/position"
	"skein/syzygy"
)

// TestErrors sends requests that cannot be answered; the error names what is wrong.
func TestErrors(t *testing.T) {
	_, h := newServer(t, nil)
	long := `"moves": [{}` + strings.Repeat(",{}", maxMoves) + "]"
	analysis := func(field string) string {
		return `{"lines": 1, "threads": 1, "hash": 1, ` + field + `}`
	}
	for _, tt := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"position", `{`, 400, "request: unexpected EOF"},
		{"position", `{} {}`, 400, "text after the end"},
		{"position", `{"fen": 1}`, 400, "fen"},
		{"position", `{"EvalFile": "/etc/passwd"}`, 400, `unknown field \"EvalFile\"`},
		{"analyze", analysis(`"SyzygyPath": "/"`), 400, `unknown field \"SyzygyPath\"`},
		{"position", `{"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}`, 400, "king"},
		{"position", `{"fen": "hello"}`, 400, "board"},
		{"position", `{"moves": ["e2e4", "e2e4"]}`, 400, `ply 2: move \"e2e4\"`},
		{"position", `{"moves": ["0000", "0000"], "play": "Ke3"}`, 400, `move \"Ke3\": illegal`},
		{"position", `{"fen": "8/8/4k3/8/8/4K3/8/8 w - - 0 1", "play": "Ke4"}`, 400, "the game is over"},
		{"position", strings.Repeat(" ", maxRequest+1), 413, "more than 512 KiB"},
		{"import", `{"text": "` + strings.Repeat("a", maxText+1) + `"}`, 413, "the text has more than 4096 KiB"},
		{"import", `{"text": "` + strings.Repeat("a", 2*maxText) + `"}`, 413, "the request has more than 8192 KiB"},
		{"import", `{"text": " "}`, 400, "nothing to read"},
		{"import", `{"text": "What a game"}`, 400, `line 1, column 1: move \"What\": malformed`},
		{"import", `{"text": ";"}`, 400, "expected a FEN or PGN"},
		{"import", `{"text": "https://lichess.org/abcdefgh/black"}`, 400, "this is a link"},
		{"import", `{"text": "8/8/8/8/8/8/8/8 w - - 0 1"}`, 400, "king"},
		{"import", `{"text": "8/8/8/8/8/8/8/8 w - - 0 1\n8/8/8/8/8/8/8/8 w"}`, 400, "expected at most 6, found 8"},
		{"import", `{"text": "[Event \"x\"]\n\n1. e5 *"}`, 400, `line 3, column 4: move \"e5\": illegal`},
		{"import", `{"text": "1. e4 *", "game": 1}`, 400, "game 2: there are only 1"},
		{"import", `{"text": "1. e4 *", "game": -1}`, 400, "game 0: they are counted from 1"},
		{"export", `{"moves": [{"uci": "e2e5"}]}`, 400, `move \"e2e5\"`},
		{"export", `{"result": "won", "moves": []}`, 400, `result \"won\"`},
		{"export", `{"moves": [{"uci": "e2e4", "glyphs": [256]}]}`, 400, "glyph: 256 is not between 1 and 255"},
		{"export", `{"moves": [{"uci": "e2e4"}`, 400, "unexpected EOF"},
		{"export", `{"moves": [{"uci": "e2e4",}]}`, 400, "invalid character '}'"},
		{"export", `{"moves": [1, 2]}`, 400, "offset 12: expected {"},
		{"export", `{"moves": {}}`, 400, "offset 11: expected ["},
		{"export", ``, 400, "unexpected EOF"},
		{"analyze", analysis(`"lines": 11`), 400, "lines: 11 is not between 1 and 10"},
		{"analyze", analysis(`"threads": 3`), 400, "threads: 3 is not between 1 and 2"},
		{"analyze", analysis(`"hash": 1048576`), 400, "hash: 1048576 is not between 1 and 2"},
		{"analyze", analysis(`"depth": -1`), 400, "depth: -1"},
		{"play", `{"elo": 100}`, 400, "elo: 100 is not between 600 and 3700"},
		{"play", `{"white_ms": -1}`, 400, "white_ms: -1"},
		{"play", `{"moves": ["f2f3", "e7e5", "g2g4", "d8h4"]}`, 400, "white has no legal move"},
		{"export", `{"moves": [{"uci": "e2e4", "eval": 1}]}`, 400, `unknown field \"eval\"`},
		{"report", `{"review": {}, "moves": [{"uci": "e2e5"}]}`, 400, `move \"e2e5\"`},
		{"report", `{"moves": [{"uci": "e2e4"}]}`, 400, "the game has not been reviewed"},
		{"review", `{"game": {"moves": []}, "time_ms": 100, "threads": 1}`, 400, "the game has no moves"},
		{"review", `{"game": {"moves": [{"uci": "e2e4"}]}, "time_ms": 1, "threads": 1}`, 400, "time_ms: 1 is not"},
		{"review", `{"game": {"moves": [{"uci": "e2e4"}]}, "time_ms": 100, "threads": 9}`, 400, "threads: 9"},
		{"export", "{" + long + "}", 400, "more than 50000 moves"},
		{"report", `{"review": {}, ` + long + "}", 400, "more than 50000 moves"},
		{"review", `{"game": {` + long + "}}", 400, "more than 50000 moves"},
		{"chess960", `{"number": 960}`, 400, "number: 960 is not between 0 and 959"},
	} {
		status, body := send(t, h, request(t.Context(), t, h, "/api/"+tt.path, tt.body))
		if status != tt.status || !strings.HasPrefix(body, `{"error":`) || !strings.Contains(body, tt.want) {
			t.Errorf("%s %.80s: status %d, %s; want %s", tt.path, tt.body, status, body, tt.want)
		}
	}
}

// TestFiles asks for the files of the page, and for files of the machine.
func TestFiles(t *testing.T) {
	_, h := newServer(t, nil)
	for path, want := range map[string]int{
		"/": 200, "/app.js": 200, "/base.css": 200, "/icon.svg": 200,
		"/index.html": 404, "/report.html": 404, "/web.go": 404, "/assets/app.js": 404, "/etc/passwd": 404,
		"/..%2f..%2fetc%2fpasswd": 404, "/%2e%2e/web.go": 404, "//etc/passwd": 404, "/assets/../web.go": 404,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if status, body := send(t, h, r); status != want {
			t.Errorf("%s: status %d, want %d; %.100s", path, status, want, body)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, page := send(t, h, r)
	for _, inline := range []string{" style=", "<style", "onclick=", "javascript:", "http://", "https://"} {
		if i := strings.Index(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), inline); i >= 0 {
			t.Errorf("the page has %s", inline)
		}
	}
	if n := strings.Count(page, `<g id="`); n != 12 {
		t.Errorf("the page has %d pieces", n)
	}
}

// TestPosition asks about positions of each kind.
func TestPosition(t *testing.T) {
	_, h := newServer(t, nil)
	view := post[positionView](t, h, "/api/position", `{"moves": ["e2e4", "e7e5", "g1f3", "b8c6"], "play": "Bb5"}`)
	if want := (moveView{"f1b5", "Bb5", [2]string{"f1", "b5"}}); view.Last == nil || *view.Last != want {
		t.Errorf("last move %+v", view.Last)
	}
	if view.Opening == nil || view.Opening.Name != "Ruy Lopez" || view.Opening.ECO != "C60" || view.Turn != "black" {
		t.Errorf("opening %+v, %s to move", view.Opening, view.Turn)
	}
	mate := post[positionView](t, h, "/api/position", `{"moves": ["f2f3", "e7e5", "g2g4"], "play": "d8h4"}`)
	won := outcomeView{"0-1", "checkmate", false}
	if o := mate.Outcome; o == nil || *o != won || len(mate.Legal) > 0 || mate.Check != "e1" {
		t.Errorf("after mate: %+v, %+v", mate, mate.Outcome)
	}
	moves := strings.Repeat(`"g1f3", "g8f6", "f3g1", "f6g8", `, 2)
	drawn := post[positionView](t, h, "/api/position", `{"moves": [`+strings.TrimSuffix(moves, ", ")+`]}`)
	if o := drawn.Outcome; o == nil || o.Result != "1/2-1/2" || !o.Claimable || len(drawn.Legal) != 20 {
		t.Errorf("after a repetition: %+v, %d moves", drawn.Outcome, len(drawn.Legal))
	}
}

// TestCastlingSquares checks onto which squares the king can be moved to castle.
func TestCastlingSquares(t *testing.T) {
	for fen, want := range map[string]string{
		"4k3/8/8/8/8/8/8/4K2R w K - 0 1":  "g1 h1",
		"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1":  "c1 a1",
		"4k3/8/8/8/8/8/8/5K1R w K - 0 1":  "h1", // a step leads to g1 too
		"4k3/8/8/8/8/8/8/6KR w K - 0 1":   "h1", // the king stays
		"4k3/8/8/8/8/8/8/1K4R1 w G - 0 1": "g1",
	} {
		p, err := position.Parse(fen, true)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, m := range legalMoves(&p, true) {
			if strings.HasPrefix(m.SAN, "O-O") {
				found = true
				if got := strings.Join(m.To, " "); got != want {
					t.Errorf("%s: %s, want %s", fen, got, want)
				}
			}
		}
		if !found {
			t.Errorf("%s: no castling among %d moves", fen, movegen.Count(&p))
		}
	}
}

// TestTransfer reads a game with variations and writes it again.
func TestTransfer(t *testing.T) {
	_, h := newServer(t, nil)
	const pgn = `[Event "Test"]
[Site "?"]
[Date "2026.01.02"]
[Round "?"]
[White "A"]
[Black "B"]
[Result "1-0"]

{Before} 1. e4 $1 {after e4} (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5
{[%clk 0:03:00]} 2. Nf3 1-0

`
	view := post[importView](t, h, "/api/import", map[string]any{"text": "1. d4 d5 *\n\n" + pgn, "game": 1})
	if len(view.Games) != 2 || view.Games[1] != (gameHeading{"A", "B", "Test", "2026.01.02", "1-0", 3}) {
		t.Fatalf("games %+v", view.Games)
	}
	if len(view.Tree.Moves) != 3 || view.Tree.Moves[0].Variations[0].Moves[1].Variations[0].Moves[1].SAN != "c4" {
		t.Errorf("moves %+v", view.Tree.Moves)
	}
	if clock := view.Tree.Moves[1].Clock; clock == nil || *clock != 180 {
		t.Errorf("the clock after the second move: %v", clock)
	}
	written := post[map[string]string](t, h, "/api/export", view.Tree)["pgn"]
	if written != pgn {
		t.Errorf("wrote\n%s\nof\n%s", written, pgn)
	}
	position960 := post[importView](t, h, "/api/import",
		map[string]any{"text": "nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w EGeg - 0 1"})
	if !position960.Tree.Chess960 || len(position960.Tree.Moves) > 0 {
		t.Errorf("a position of Chess960: %+v", position960.Tree)
	}
	cut := post[importView](t, h, "/api/import", map[string]any{"text": "1. e4 e5 2. Ke3 *"})
	if len(cut.Tree.Moves) != 2 || !strings.Contains(cut.Warning, `move "Ke3": illegal`) {
		t.Errorf("a game with an illegal move: %d moves, %s", len(cut.Tree.Moves), cut.Warning)
	}
	const unknown = "[White \"C\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 *\n\n"
	listed := post[importView](t, h, "/api/import", map[string]any{"text": unknown + pgn})
	if len(listed.Games) != 2 || listed.Tree != nil || !strings.Contains(listed.Warning, "Crazyhouse") {
		t.Errorf("a list with a game that cannot be read: %+v", listed)
	}
	if status, body := send(t, h, request(t.Context(), t, h, "/api/import",
		map[string]any{"text": unknown})); status != http.StatusBadRequest || !strings.Contains(body, "Crazyhouse") {
		t.Errorf("that game alone: status %d, %s", status, body)
	}
	evaluated := post[importView](t, h, "/api/import",
		map[string]any{"text": "1. f3 {[%eval -0.5]} e5 {[%eval -0.6]} 2. g4 {[%eval #-1]} Qh4# *"})
	tree := evaluated.Tree
	if r := tree.Review; r == nil || r.White.Blunders != 1 || tree.Moves[2].Review.Verdict != "blunder" {
		t.Errorf("a game with evaluations: %+v", tree.Review)
	}
	for annotator, want := range map[string]string{
		"Lichess": "inaccuracy", "Skein, 1s a move, the engine's curve of chances": "mistake",
	} {
		text := "[Annotator \"" + annotator + "\"]\n\n1. e4 {[%eval 0]} e5 {[%eval 0]} 2. g4 {[%eval -0.9]} *"
		tree := post[importView](t, h, "/api/import", map[string]any{"text": text}).Tree
		if got := tree.Moves[2].Review.Verdict; got != want {
			t.Errorf("reviewed by %s: %s, want %s", annotator, got, want)
		}
	}
}

// TestOldReview sends a game whose review has fields that this server does not know.
func TestOldReview(t *testing.T) {
	_, h := newServer(t, nil)
	const old = `{"review": {"limit": "old", "white": {"rating": 1}, "grade": "A"}, "moves": [{"uci": "e2e4",
		"review": {"after": {"text": "+1.00", "bar": 1}, "accuracy": 50, "grade": "B"}}]}`
	for path, want := range map[string]string{"export": `1. e4 *`, "report": `old`} {
		status, body := send(t, h, request(t.Context(), t, h, "/api/"+path, old))
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: status %d, %.200s", path, status, body)
		}
	}
}

// TestPastedText reads texts as other programs and pages give them to be pasted.
func TestPastedText(t *testing.T) {
	_, h := newServer(t, nil)
	const fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 7"
	for _, text := range []string{
		"\ufeff" + fen, `"` + fen + `"`, "“" + fen + "”\n", "‘" + fen + "’", "\u200b" + fen + "\u200e",
		strings.ReplaceAll(fen, " ", "\u00a0"), strings.Replace(fen, " b", "\r\n  b", 1), "\u3000" + fen + "\n\n",
	} {
		tree := post[importView](t, h, "/api/import", map[string]any{"text": text}).Tree
		if tree.FEN != fen {
			t.Errorf("%q is read as %s", text, tree.FEN)
		}
	}
	for _, text := range []string{
		"\ufeff1. e4 {a} *", `"1. e4 {a} *"`, "“1. e4 {a} *”", "\u200b 1. e4 {a}",
		"'[Event \"x\"]\n\n1. e4 {a} *'",
	} {
		view := post[importView](t, h, "/api/import", map[string]any{"text": text})
		if len(view.Tree.Moves) != 1 || view.Tree.Moves[0].Comment != "a" || view.Warning != "" {
			t.Errorf("%q is read as %+v", text, view)
		}
	}
	for text, comment := range map[string]string{
		`1. e4 ; "a"`: `"a"`, "{24/12/2025} 1. e4 {a} *": "a", "{http://127.0.0.1/} 1. e4 {a}\n": "a",
	} {
		tree := post[importView](t, h, "/api/import", map[string]any{"text": text}).Tree
		if len(tree.Moves) != 1 || tree.Moves[0].Comment != comment {
			t.Errorf("%q is read as %+v", text, tree)
		}
	}
}

// TestDeepVariations sends variations within each other.
func TestDeepVariations(t *testing.T) {
	_, h := newServer(t, nil)
	nest := func(depth int) string {
		text := `{"moves": [{"uci": "d2d4"}]}`
		for range depth {
			text = fmt.Sprintf(`{"moves": [{"uci": "e2e4", "variations": [%s]}]}`, text)
		}
		return text
	}
	post[map[string]string](t, h, "/api/export", nest(maxDepth))
	status, body := send(t, h, request(t.Context(), t, h, "/api/export", nest(maxDepth+1)))
	if status != http.StatusBadRequest || !strings.Contains(body, "more than 200 variations in each other") {
		t.Errorf("status %d, %s", status, body)
	}
}

// TestManyMoves reads a game with too many moves.
func TestManyMoves(t *testing.T) {
	text := strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", maxMoves/4)
	if view, err := readPGN("1. "+text, 0); err != nil || len(view.Tree.Moves) != maxMoves {
		t.Errorf("%d moves: %v", maxMoves, err)
	}
	if _, err := readPGN("1. "+text+"e4", 0); err == nil || !strings.Contains(err.Error(), "50001 moves") {
		t.Errorf("one more: %v", err)
	}
	if view, err := readPGN(strings.Repeat("1. d4 *\n\n", maxListed+1), 0); err != nil || !view.More ||
		len(view.Games) != maxListed {
		t.Errorf("a list of %d games: %v", maxListed+1, err)
	}
}

// TestManyMovesSent sends a game with as many moves as can be read, and the comments that
// its text may have.
func TestManyMovesSent(t *testing.T) {
	_, h := newServer(t, nil)
	comment := strings.Repeat("long ", maxText/maxMoves/5)
	tree := gameTree{Review: &gameReview{}}
	var game gameRequest
	for i := range maxMoves {
		uci := []string{"g1f3", "g8f6", "f3g1", "f6g8"}[i%4]
		tree.Moves = append(tree.Moves, moveTree{moveView: moveView{UCI: uci}, Comment: comment})
		game.Moves = append(game.Moves, uci)
	}
	view := post[positionView](t, h, "/api/position", game)
	if last := view.Last; last == nil || last.SAN != "Ng8" {
		t.Errorf("last move %+v", last)
	}
	for _, path := range []string{"export", "report"} {
		written := post[map[string]string](t, h, "/api/"+path, tree)
		if n := strings.Count(written["pgn"]+written["html"], "Ng8"); n != maxMoves/4 {
			t.Errorf("%s: %d of %d moves", path, 4*n, maxMoves)
		}
	}
}

// TestLargeText sends a text that is as large as it can be, as JSON more than that.
func TestLargeText(t *testing.T) {
	_, h := newServer(t, nil)
	text := "[White \"You\"]\n\n1. e4 e5"
	text += strings.Repeat("\n", maxText-len(text)-1) + "*"
	view := post[importView](t, h, "/api/import", map[string]any{"text": text})
	if view.Tree == nil || len(view.Tree.Moves) != 2 {
		t.Errorf("read as %+v", view)
	}
}

// TestManyTags sends a game with as many tags as can be written, and one with more.
func TestManyTags(t *testing.T) {
	_, h := newServer(t, nil)
	var tree gameTree
	for _, name := range strings.Fields("Event Site Date Round White Black Result") { // which are written in any case
		tree.Tags = append(tree.Tags, tagPair{name, "x"})
	}
	for i := len(tree.Tags); i < maxTags; i++ {
		tree.Tags = append(tree.Tags, tagPair{fmt.Sprintf("T%d", i), "x"})
	}
	tree.Moves = []moveTree{}
	post[map[string]string](t, h, "/api/export", tree)
	tree.Tags = append(tree.Tags, tree.Tags[0])
	status, body := send(t, h, request(t.Context(), t, h, "/api/export", tree))
	if status != http.StatusBadRequest || !strings.Contains(body, "request: the game has more than 1000 tags") {
		t.Errorf("one more: status %d, %s", status, body)
	}
}

// FuzzImport reads texts, and makes games again of the trees that come out.
func FuzzImport(f *testing.F) {
	f.Add("1. e4 {x} (1. d4 $1 d5) e5 *")
	f.Add("[FEN \"nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w EGeg - 0 1\"]\n[Variant \"Chess960\"]\n\n1. -- d5 0-1")
	f.Add("8/8/8/8/8/8/8/4K2k w - - 0 1")
	f.Fuzz(func(t *testing.T, text string) {
		view, err := readPGN(text, 0)
		if isFEN(text) {
			view, err = readFEN(text)
		}
		if err != nil || view.Tree == nil {
			return
		}
		game, err := view.Tree.game()
		if err != nil {
			t.Fatal(err)
		}
		was := view.Tree
		if is := newGameTree(game); len(is.Moves) != len(was.Moves) || is.FEN != was.FEN {
			t.Errorf("%d moves from %s became %d from %s", len(was.Moves), was.FEN, len(is.Moves), is.FEN)
		}
	})
}

// TestMoveNames checks that the page knows the verdicts by the names and glyphs that
// reviews give.
func TestMoveNames(t *testing.T) {
	style, moves := asset("panels.css"), asset("moves.js")
	for v := review.Inaccuracy; v <= review.OnlyMove; v++ {
		for _, rule := range []string{".dot." + v.String(), ".move." + v.String()} {
			if !strings.Contains(style, rule) {
				t.Errorf("panels.css has no %s", rule)
			}
		}
		if glyph := fmt.Sprintf("%d: %q", v.NAG(), v); !strings.Contains(moves, glyph) {
			t.Errorf("moves.js does not have %s", glyph)
		}
	}
}

// TestTables asks about positions that endgame tablebases know.
func TestTables(t *testing.T) {
	tables := syzygy.Open(filepath.Join("..", "..", "testdata", "syzygy"), func(err error) { t.Log(err) })
	if tables.Largest() < 3 {
		t.Fatalf("tables of %d men", tables.Largest())
	}
	t.Cleanup(func() { tables.Close() })
	_, h := newServer(t, func(c *Config) { c.Tables = tables })
	for fen, want := range map[string]string{
		"8/8/8/8/8/4k3/8/4K2Q w - - 0 1":    "White wins",
		"8/8/8/8/8/4k3/8/4K2Q b - - 0 1":    "White wins",
		"q7/8/8/8/8/4k3/8/4K3 w - - 0 1":    "Black wins",
		"8/8/8/8/8/4k3/8/4K2B w - - 0 1":    "", // over
		"4k3/4n3/8/8/8/8/4N3/4K3 w - - 0 1": "Draw",
		"":                                  "",
	} {
		view := post[positionView](t, h, "/api/position", gameRequest{FEN: fen})
		if got := view.Table; (got == nil) != (want == "") || got != nil && got.Result != want {
			t.Errorf("%s: %+v, want %q", fen, got, want)
		}
		if view.Table != nil && len(view.Table.Moves) != len(view.Legal) {
			t.Errorf("%s: %d moves of %d", fen, len(view.Table.Moves), len(view.Legal))
		}
	}
}

// TestTablesFiftyMoves asks about wins that come too late for the fifty-move rule.
func TestTablesFiftyMoves(t *testing.T) {
	tables := syzygy.Open(filepath.Join("..", "..", "testdata", "syzygy"), func(err error) { t.Log(err) })
	t.Cleanup(func() { tables.Close() })
	_, h := newServer(t, func(c *Config) { c.Tables = tables })
	for _, side := range []string{"w", "b"} {
		fen := "8/8/8/3k4/8/8/8/K6R " + side + " - - 90 80"
		view := post[positionView](t, h, "/api/position", gameRequest{FEN: fen})
		const want = "Draw by the fifty-move rule, else White wins"
		if view.Table == nil || view.Table.Result != want {
			t.Errorf("%s: %+v, want %q", fen, view.Table, want)
		}
	}
}

// TestCastlingView expects the king's squares where it has castled.
func TestCastlingView(t *testing.T) {
	_, h := newServer(t, nil)
	view := post[positionView](t, h, "/api/position", `{"fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "play": "O-O"}`)
	if want := (moveView{"e1g1", "O-O", [2]string{"e1", "g1"}}); view.Last == nil || *view.Last != want {
		t.Errorf("last move %+v, want %+v", view.Last, want)
	}
}
