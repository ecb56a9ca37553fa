package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"skein/chess"
	"skein/internal/review"
	"skein/notation"
	"skein/search"
)

// gameReview is a review as far as it is about the whole game.
type gameReview struct {
	Engine string         `json:"engine,omitempty"` // name and version
	Limit  string         `json:"limit,omitempty"`  // of each search
	Curve  review.Curve   `json:"curve,omitempty"`  // of winning chances; missing for that of lichess
	Start  scoreView      `json:"start"`            // before the first move
	White  review.Summary `json:"white"`
	Black  review.Summary `json:"black"`
}

// moveReview is the review of a move.
type moveReview struct {
	After    scoreView `json:"after"` // after the move
	Verdict  string    `json:"verdict,omitempty"`
	Glyph    string    `json:"glyph,omitempty"`
	Words    string    `json:"words,omitempty"`
	Best     string    `json:"best,omitempty"` // best line in SAN
	Accuracy float64   `json:"accuracy"`
	Phase    string    `json:"phase"`
}

// UnmarshalJSON implements json.Unmarshaler. The page may have a game from before an
// upgrade of the server, whose review had other fields: those are ignored.
func (r *gameReview) UnmarshalJSON(data []byte) error {
	type fields gameReview // without this method
	return json.Unmarshal(data, (*fields)(r))
}

// UnmarshalJSON implements json.Unmarshaler, as for the review of the game.
func (r *moveReview) UnmarshalJSON(data []byte) error {
	type fields moveReview
	return json.Unmarshal(data, (*fields)(r))
}

// attach adds a review to the tree of its game.
func (t *gameTree) attach(reviewed *review.Game) {
	// Scores of a review are from White's point of view.
	score := func(s review.Score) scoreView { return newScoreView(s.Of(chess.White), chess.White, reviewed.Curve) }
	t.Review = &gameReview{Engine: reviewed.Engine, Limit: reviewed.Limit, Curve: reviewed.Curve,
		Start: score(reviewed.Score), White: reviewed.White, Black: reviewed.Black}
	for i := range t.Moves {
		p := &reviewed.Plies[i]
		t.Moves[i].Review = &moveReview{After: score(p.After), Verdict: p.Verdict.String(),
			Glyph: p.Verdict.Glyph(), Words: p.Words, Best: p.BestSAN, Accuracy: p.Accuracy,
			Phase: p.Phase.String()}
	}
}

// reviewRequest asks for a review of the main line of a game.
type reviewRequest struct {
	Game    gameTree `json:"game"`
	TimeMS  int      `json:"time_ms"` // of each search
	Threads int      `json:"threads"`
}

// Limits of the searches of a review.
const (
	minSearchTime = 10 * time.Millisecond
	maxSearchTime = 10 * time.Minute
)

// readReview returns a request for a review and its game, without the tree. If it cannot,
// it answers with the reason and returns no game.
func (s *Server) readReview(w http.ResponseWriter, r *http.Request) (request reviewRequest, game *notation.Game) {
	if s.games.acquire(r.Context()) != nil {
		refuse(w, http.StatusServiceUnavailable, ending)
		return request, nil
	}
	defer s.games.release()
	if !readTree(w, r, func(d *treeDecoder) error { return d.review(&request) }) {
		return request, nil
	}
	game, err := request.Game.game()
	if err == nil {
		err = between("time_ms", request.TimeMS, int(minSearchTime.Milliseconds()), int(maxSearchTime.Milliseconds()))
	}
	if err == nil {
		err = between("threads", request.Threads, 1, s.Threads)
	}
	if err == nil && len(game.Main.Moves) == 0 {
		err = errors.New("the game has no moves")
	}
	if err != nil {
		answer(w, nil, err)
		return request, nil
	}
	request.Game = gameTree{} // its memory is not needed while the engine searches
	return request, game
}

// review answers with a stream of the events "waiting", "progress", with the numbers
// of positions that are searched and that are there, and "reviewed", with the game.
func (s *Server) review(w http.ResponseWriter, r *http.Request) {
	request, game := s.readReview(w, r)
	if game == nil {
		return
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	out := newStream(w)
	if err := s.engine.await(ctx, out, false); err != nil {
		return
	}
	defer s.engine.release()
	options := review.Options{Engine: s.Name,
		Limits: search.Limits{MoveTime: time.Duration(request.TimeMS) * time.Millisecond}}
	options.Progress = func(p review.Progress) {
		if err := s.progress(ctx, out, p, request.Threads); err != nil {
			cancel(err)
		}
	}
	if err := s.engine.configure(request.Threads, s.Hash, 0); err != nil {
		out.send("failed", map[string]string{"error": err.Error()})
		return
	}
	reviewed, err := review.Review(ctx, s.engine.Engine, game, options)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	switch {
	case r.Context().Err() != nil:
	case err != nil:
		out.send("failed", map[string]string{"error": err.Error()})
	default:
		out.send("reviewed", reviewedTree(game, reviewed))
	}
}

// progress tells how far a review has come, and lets those who wait use the engine. The
// error is that of the connection, of ctx or of the settings. The review has the engine
// in any case, as it may still begin a search.
func (s *Server) progress(ctx context.Context, out *stream, p review.Progress, threads int) error {
	if err := out.send("progress", map[string]int{"done": p.Done, "total": p.Total}); err != nil {
		return err
	}
	if waiting, _ := s.engine.demand(); waiting == 0 {
		return nil
	}
	s.engine.release()
	if err := s.engine.await(ctx, out, false); err != nil {
		return errors.Join(err, s.engine.acquire(context.Background(), true))
	}
	return s.engine.configure(threads, s.Hash, 0)
}

// reviewedTree returns the tree of a game with its review, as annotations too.
func reviewedTree(game *notation.Game, reviewed *review.Game) *gameTree {
	reviewed.Annotate(game)
	tree := newGameTree(game)
	tree.attach(reviewed)
	return tree
}
