package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"skein/internal/review"
	"skein/notation"
	"skein/position"
)

// maxListed is the largest number of games that are listed of a text.
const maxListed = 1000

// importView is what a text holds.
type importView struct {
	Games   []gameHeading `json:"games"`
	More    bool          `json:"more,omitempty"`    // there are games that are not listed
	Tree    *gameTree     `json:"tree"`              // of the game asked for; null if it cannot be shown
	Warning string        `json:"warning,omitempty"` // about that game: what is missing, or why it cannot be shown
}

// gameHeading names a game of a list.
type gameHeading struct {
	White  string `json:"white"`
	Black  string `json:"black"`
	Event  string `json:"event"`
	Date   string `json:"date"`
	Result string `json:"result"`
	Plies  int    `json:"plies"`
}

// importGame answers with a game of a text, which is PGN or a FEN.
func (s *Server) importGame(w http.ResponseWriter, r *http.Request) {
	if s.games.acquire(r.Context()) != nil {
		refuse(w, http.StatusServiceUnavailable, ending)
		return
	}
	defer s.games.release()
	var request struct {
		Text string `json:"text"`
		Game int    `json:"game"` // from 0
	}
	if !read(w, r, 2*maxText, &request) {
		return
	}
	if len(request.Text) > maxText {
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the text has more than %d KiB", maxText>>10))
		return
	}
	text := trim(request.Text)
	switch {
	case text == "":
		answer(w, nil, errors.New("nothing to read: expected a FEN or PGN"))
	case isLink(text):
		answer(w, nil, errors.New("this is a link, and the server asks no other one: paste the PGN itself"))
	case isFEN(text):
		view, err := readFEN(text)
		answer(w, view, err)
	default:
		view, err := readPGN(text, request.Game)
		answer(w, view, err)
	}
}

// What may surround a text that was copied from elsewhere.
const (
	quotes    = "\"'`“”„‘’‚«»"
	invisible = "\ufeff\u200b\u200e\u200f\u2060" // byte order mark, zero-width space, marks of direction, word joiner
)

// trim returns a text without white space, and without quotes if it begins with one, at
// its ends.
func trim(text string) string {
	text = strings.TrimFunc(text, isBlank)
	if first, _ := utf8.DecodeRuneInString(text); strings.ContainsRune(quotes, first) {
		text = strings.TrimFunc(text, func(c rune) bool { return isBlank(c) || strings.ContainsRune(quotes, c) })
	}
	return text
}

func isBlank(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(invisible, c) }

// isLink reports whether a text is the address of a page.
func isLink(text string) bool {
	return len(strings.Fields(text)) == 1 && (strings.Contains(text, "://") || strings.HasPrefix(text, "www."))
}

// isFEN reports whether a text looks like a FEN and not like PGN, which begins with a
// tag, a comment, a move or a result.
func isFEN(text string) bool {
	fields := strings.Fields(text)
	return len(fields) > 0 && strings.Count(fields[0], "/") >= 2 && !strings.ContainsAny(fields[0], "[{;%-")
}

// readFEN returns a game without moves.
func readFEN(text string) (*importView, error) {
	p, chess960, err := position.ParseAny(strings.Join(strings.Fields(text), " "))
	if err != nil {
		return nil, err
	}
	return &importView{Games: []gameHeading{}, Tree: newGameTree(notation.NewGame(p, chess960))}, nil
}

// readPGN lists the games of a text and returns one of them.
func readPGN(text string, number int) (*importView, error) {
	view := &importView{Games: []gameHeading{}}
	var failed error // of the game asked for
	for g, err := range notation.NewReader(strings.NewReader(text)).All() {
		if g == nil {
			return nil, err
		}
		if view.More = len(view.Games) == maxListed; view.More {
			break
		}
		if len(view.Games) == number {
			if err != nil {
				view.Warning = err.Error()
			}
			if failed = view.show(g, err); failed != nil {
				view.Warning = failed.Error()
			}
		}
		view.Games = append(view.Games, newHeading(g))
	}
	switch {
	case len(view.Games) == 0:
		return nil, errors.New("no game found: expected a FEN or PGN")
	case number < 0:
		return nil, fmt.Errorf("game %d: they are counted from 1", number+1)
	case number >= len(view.Games):
		return nil, fmt.Errorf("game %d: there are only %d", number+1, len(view.Games))
	case len(view.Games) == 1 && failed != nil:
		return nil, failed
	case len(view.Games) == 1 && len(view.Tree.Moves) == 0 && len(view.Tree.Tags) == 0:
		return nil, errors.New("no moves found: expected a FEN or PGN")
	}
	return view, nil
}

// show sets the tree to a game that was read with an error, which may be nil. It
// returns an error if there is nothing to show.
func (v *importView) show(g *notation.Game, err error) error {
	if err != nil && len(g.Main.Moves) == 0 {
		return err
	}
	if err := checkSize(&g.Main); err != nil {
		return err
	}
	v.Tree = newGameTree(g)
	if reviewed, ok := review.FromEvals(g, review.CurveOf(g.Tags.Get("Annotator"))); ok && len(reviewed.Plies) > 0 {
		v.Tree.attach(reviewed)
	}
	return nil
}

func newHeading(g *notation.Game) gameHeading {
	return gameHeading{White: g.Tags.Get("White"), Black: g.Tags.Get("Black"), Event: g.Tags.Get("Event"),
		Date: g.Tags.Get("Date"), Result: g.Result.String(), Plies: len(g.Main.Moves)}
}

// export answers with a game as write writes it, in a field with a name.
func (s *Server) export(field string, write func(*gameTree, io.Writer) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.games.acquire(r.Context()) != nil {
			refuse(w, http.StatusServiceUnavailable, ending)
			return
		}
		defer s.games.release()
		var tree gameTree
		if !readTree(w, r, func(d *treeDecoder) error { return d.game(&tree) }) {
			return
		}
		var text strings.Builder
		err := write(&tree, &text)
		answer(w, map[string]string{field: text.String()}, err)
	}
}

// pgn writes the game as PGN.
func (t *gameTree) pgn(w io.Writer) error {
	g, err := t.game()
	if err != nil {
		return err
	}
	return notation.NewWriter(w).Write(g)
}
