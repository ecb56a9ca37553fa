package web

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"skein/internal/review"
	"skein/notation"
)

// readGame reads a game of PGN.
func readGame(t *testing.T, pgn string) *notation.Game {
	t.Helper()
	g, err := notation.NewReader(strings.NewReader(pgn)).Read()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// reported returns the games of a report.
func reported(t *testing.T, report string) (trees []gameTree) {
	t.Helper()
	block := regexp.MustCompile(`(?s)<script type="application/json" class="game">(.*?)</script>`)
	for _, m := range block.FindAllStringSubmatch(report, -1) {
		var tree gameTree
		if err := json.Unmarshal([]byte(m[1]), &tree); err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	return trees
}

// TestReport writes two games, one of which tries to leave its element.
func TestReport(t *testing.T) {
	var page bytes.Buffer
	report, err := NewReport(&page)
	if err != nil {
		t.Fatal(err)
	}
	const hostile = `</script><script>alert(1)</script><!--`
	for _, pgn := range []string{
		"1. f3 {[%eval -0.5]} e5 {[%eval -0.6]} 2. g4 {[%eval #-1]} Qh4# 0-1",
		`[White "` + hostile + `"]` + "\n\n1. e4 {[%eval 0.3] " + hostile + "} *",
	} {
		game := readGame(t, pgn)
		reviewed, ok := review.FromEvals(game, review.Lichess)
		if !ok {
			t.Fatal("no evaluations")
		}
		if err := report.Add(game, reviewed); err != nil {
			t.Fatal(err)
		}
	}
	if err := report.Close(); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	whole := strings.HasSuffix(text, "</html>\n")
	if strings.Contains(text, hostile) || strings.Count(text, "</script>") != 3 || !whole {
		t.Errorf("scripts end %d times", strings.Count(text, "</script>"))
	}
	trees := reported(t, text)
	if len(trees) != 2 {
		t.Fatalf("%d games", len(trees))
	}
	tree := trees[1]
	if tree.Tags[0].Value != hostile || tree.Review == nil {
		t.Errorf("tags %v", tree.Tags)
	}
	for _, tag := range []string{"style", `script type="module"`} {
		_, content, _ := strings.Cut(text, "<"+tag+">")
		content, _, _ = strings.Cut(content, "</"+strings.Fields(tag)[0]+">")
		if len(content) < 1000 || !strings.Contains(text, "'"+digest(content)+"'") {
			t.Errorf("the policy does not allow the %d bytes of %s", len(content), tag)
		}
	}
	for _, outside := range []string{"src=", "url(", "@import", "http://", "https://", "fetch("} {
		if strings.Contains(strings.ReplaceAll(text, "http://www.w3.org/2000/svg", ""), outside) {
			t.Errorf("the report has %s", outside)
		}
	}
}

// TestReportRequest sends a reviewed game without what follows from its moves.
func TestReportRequest(t *testing.T) {
	_, h := newServer(t, nil)
	const review = `"review": {"after": {"text": "+1.00"}}`
	answered := post[map[string]string](t, h, "/api/report", `{"review": {"limit": "1s"}, "result": "*", "moves": [
		{"uci": "e2e4", "san": "Ke2", `+review+`, "comment": "[%clk 0:00:05]"},
		{"uci": "e7e5", "variations": [{"moves": []}, {"moves": [{"uci": "f7f6"}, {"uci": "d1h5", `+review+`}]}]}]}`)
	trees := reported(t, answered["html"])
	if len(trees) != 1 || trees[0].Review == nil || trees[0].Review.Limit != "1s" {
		t.Fatalf("games %+v", trees)
	}
	moves := trees[0].Moves
	if m := moves[0]; m.SAN != "e4" || m.Squares[1] != "e4" || m.Clock == nil || m.Review == nil ||
		m.FEN != "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" {
		t.Errorf("first move %+v", m)
	}
	variation := moves[1].Variations[0].Moves
	if m := variation[1]; m.SAN != "Qh5+" || m.Check != "e8" || m.Review == nil || variation[0].Review != nil {
		t.Errorf("variation %+v", variation)
	}
}

// TestReportMarks checks that the template has each mark once, and that nothing that
// replaces one has another.
func TestReportMarks(t *testing.T) {
	template := page("report.html")
	for _, mark := range []string{policyMark, styleMark, gamesMark, scriptMark} {
		if n := strings.Count(template, mark); n != 1 {
			t.Errorf("%s is there %d times", mark, n)
		}
		if strings.Contains(sheets(reportSheets)+bundle(reportModules), mark) {
			t.Errorf("style or script has %s", mark)
		}
	}
}

// TestBundle checks that the modules of a report can be joined: each comes after those
// that it imports, and no two have the same name at the top level.
func TestBundle(t *testing.T) {
	imported := regexp.MustCompile(`(?m)^import [^;]*"\./([a-z]+\.js)";`)
	declared := regexp.MustCompile(`(?m)^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)`)
	before, owner := map[string]bool{}, map[string]string{}
	for _, name := range reportModules {
		text := asset(name)
		for _, m := range imported.FindAllStringSubmatch(text, -1) {
			if !before[m[1]] {
				t.Errorf("%s imports %s, which comes later or not at all", name, m[1])
			}
		}
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			if other := owner[m[1]]; other != "" {
				t.Errorf("%s and %s both declare %s", other, name, m[1])
			}
			owner[m[1]] = name
		}
		before[name] = true
	}
	text := bundle(reportModules)
	if regexp.MustCompile(`(?m)^\s*(import|export)\b`).MatchString(text) || strings.Contains(text, "</script") {
		t.Error("the bundle imports or exports")
	}
}

// TestModules checks that every module imports only files that are there, and only
// names that they export.
func TestModules(t *testing.T) {
	statement := regexp.MustCompile(`(?m)^import \{([^}]*)\} from "\./([a-z-]+\.js)";`)
	entries, err := fs.ReadDir(assets, "assets")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, e := range entries {
		if path.Ext(e.Name()) != ".js" {
			continue
		}
		text := asset(e.Name())
		found := statement.FindAllStringSubmatch(text, -1)
		if len(found) != len(regexp.MustCompile(`(?m)^import `).FindAllString(text, -1)) {
			t.Errorf("%s has imports of another form", e.Name())
		}
		for _, m := range found {
			for name := range strings.SplitSeq(m[1], ",") {
				name = strings.TrimSpace(name)
				exported := regexp.MustCompile(`(?m)^export (?:async )?(?:function\*?|class|const) ` + name + `\b`)
				if name == "" {
					continue
				}
				checked++
				if !exported.MatchString(asset(m[2])) {
					t.Errorf("%s imports %s, which %s does not export", e.Name(), name, m[2])
				}
				if strings.Count(text, name) < 2 {
					t.Errorf("%s does not use %s", e.Name(), name)
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d imports found", checked)
	}
}

// TestCurve shows winning chances by the curve of the review.
func TestCurve(t *testing.T) {
	game := readGame(t, "1. e4 {[%eval 1.00]} *")
	for _, c := range []review.Curve{review.Lichess, review.Engine} {
		reviewed, ok := review.FromEvals(game, c)
		if !ok {
			t.Fatal("no evaluations")
		}
		tree := newGameTree(game)
		tree.attach(reviewed)
		got, want := tree.Moves[0].Review.After.Chance, reviewed.Plies[0].Chances
		if got != want || tree.Review.Curve != c {
			t.Errorf("%v: chances %v, want %v; curve %v", c, got, want, tree.Review.Curve)
		}
	}
}

// TestMoveReview expects all that a review says of a move.
func TestMoveReview(t *testing.T) {
	tree := newGameTree(readGame(t, "1. f3 *"))
	tree.attach(&review.Game{Plies: []review.Ply{{Verdict: review.Blunder, Words: "Blunder.", BestSAN: "1. e4",
		Accuracy: 50, Phase: review.Endgame}}})
	got := *tree.Moves[0].Review
	got.After = scoreView{}
	want := moveReview{Verdict: "blunder", Glyph: "??", Words: "Blunder.", Best: "1. e4", Accuracy: 50,
		Phase: "endgame"}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
