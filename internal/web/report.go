package web

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"skein/internal/review"
	"skein/notation"
)

// Report is a page with reviewed games in one file that needs no server and asks for
// nothing else. Its games are written one by one.
type Report struct {
	w      io.Writer
	footer string
}

// Marks in report.html, besides those of page.
const (
	policyMark = "POLICY"
	styleMark  = "/* style */"
	gamesMark  = "<!-- games -->"
	scriptMark = "/* script */"
)

// reportPolicy allows the script and the style of a report and nothing else.
const reportPolicy = "default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'"

// reportModules are the modules of a report in the order of their imports.
var reportModules = []string{"dom.js", "game.js", "text.js", "board.js", "moves.js", "chart.js", "summary.js",
	"viewer.js", "navigation.js", "report.js"}

// reportSheets are the style sheets of a report in their order.
var reportSheets = []string{"base.css", "layout.css", "board.css", "panels.css", "narrow.css"}

// NewReport begins a report. The error is that of w.
func NewReport(w io.Writer) (*Report, error) {
	style, script := sheets(reportSheets), bundle(reportModules)
	text := strings.NewReplacer(
		policyMark, fmt.Sprintf(reportPolicy, digest(script), digest(style)),
		styleMark, style,
		scriptMark, script,
	).Replace(page("report.html"))
	header, footer, _ := strings.Cut(text, gamesMark)
	_, err := io.WriteString(w, header)
	return &Report{w, footer}, err
}

// Add writes a game, which gets the annotations of its review. The error is that of
// the writer.
func (r *Report) Add(game *notation.Game, reviewed *review.Game) error {
	return r.add(reviewedTree(game, reviewed))
}

func (r *Report) add(tree *gameTree) error {
	text, err := json.Marshal(tree) // <, > and & are escaped, so that no text can end the element
	if err != nil {
		return err
	}
	_, err = io.WriteString(r.w, `<script type="application/json" class="game">`+string(text)+"</script>\n")
	return err
}

// Close ends the page. It does not close the writer.
func (r *Report) Close() error {
	_, err := io.WriteString(r.w, r.footer)
	return err
}

// digest returns what a policy calls the content of an element.
func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// sheets returns style sheets as a single one.
func sheets(names []string) string {
	var style strings.Builder
	for _, name := range names {
		style.WriteString(asset(name))
	}
	return style.String()
}

// bundle returns modules as a single one. Their top-level names must differ.
func bundle(names []string) string {
	importLine := regexp.MustCompile(`(?m)^import [^;]*;\n`)
	exportWord := regexp.MustCompile(`(?m)^export `)
	var script strings.Builder
	for _, name := range names {
		text := importLine.ReplaceAllString(asset(name), "")
		script.WriteString(exportWord.ReplaceAllString(text, ""))
	}
	return script.String()
}

// report writes the report of a game that the page describes, which has been reviewed.
func (t *gameTree) report(w io.Writer) error {
	if t.Review == nil {
		return errors.New("the game has not been reviewed")
	}
	game, err := t.game()
	if err != nil {
		return err
	}
	whole := newGameTree(game)
	whole.Review = t.Review
	whole.takeReviews(&t.lineTree)
	report, err := NewReport(w)
	if err == nil {
		err = report.add(whole)
	}
	if err == nil {
		err = report.Close()
	}
	return err
}
