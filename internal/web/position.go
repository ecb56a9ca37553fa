package web

import (
	"cmp"
	"fmt"
	"net/http"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
	"skein/openings"
	"skein/position"
	"skein/rules"
	"skein/syzygy"
)

// gameRequest is a game of which a request wants something.
type gameRequest struct {
	FEN      string   `json:"fen"` // of the start; empty is the initial position
	Chess960 bool     `json:"chess960"`
	Moves    []string `json:"moves"` // in UCI notation
}

// playedGame is a game up to its current position.
type playedGame struct {
	*position.Game
	start    position.Position
	chess960 bool
	moves    []chess.Move
	before   position.Position // the last move; the start if there is none
}

// replay plays the moves of a request. The error names what is wrong.
func (r *gameRequest) replay() (*playedGame, error) {
	start, err := position.Parse(cmp.Or(r.FEN, position.StartFEN), r.Chess960)
	if err != nil {
		return nil, err
	}
	g := &playedGame{position.NewGame(start), start, r.Chess960, nil, start}
	for i, text := range r.Moves {
		m, err := parseMove(&g.Pos, text)
		if err != nil {
			return nil, fmt.Errorf("ply %d: %w", i+1, err)
		}
		g.play(m)
	}
	return g, nil
}

// parseMove reads a move in UCI notation, or the null move of a PGN, which is not one
// out of check.
func parseMove(p *position.Position, text string) (chess.Move, error) {
	if text == chess.NoMove.String() && !p.InCheck() {
		return chess.NoMove, nil
	}
	return notation.ParseUCI(p, text)
}

func (g *playedGame) play(m chess.Move) {
	g.before = g.Pos
	g.Play(m)
	g.moves = append(g.moves, m)
}

// playText plays a move in SAN or UCI notation, if the game is not over.
func (g *playedGame) playText(text string) error {
	if o := rules.Ended(g.Game); o.Over() {
		return fmt.Errorf("the game is over: %s", o.Reason)
	}
	m, err := notation.ParseSAN(&g.Pos, text)
	if err == nil {
		g.play(m)
	}
	return err
}

// moveView is a move as the page shows it.
type moveView struct {
	UCI     string    `json:"uci"`
	SAN     string    `json:"san"`
	Squares [2]string `json:"squares"` // origin and target of the piece; of the king if it castles
}

// newMoveView describes a move, which must be legal in p, or NoMove.
func newMoveView(p *position.Position, m chess.Move, chess960 bool) moveView {
	v := moveView{UCI: notation.FormatUCI(m, chess960), SAN: notation.FormatSAN(p, m)}
	if m != chess.NoMove {
		v.Squares = [2]string{m.From().String(), kingTarget(m).String()}
	}
	return v
}

// kingTarget returns the square on which a piece stands after its move.
func kingTarget(m chess.Move) chess.Square {
	if !m.IsCastling() {
		return m.To()
	}
	king, _ := m.CastlingTargets()
	return king
}

// legalMove is a move that can be made on the board.
type legalMove struct {
	UCI       string   `json:"uci"`
	SAN       string   `json:"san"`
	From      string   `json:"from"`
	To        []string `json:"to"` // any of these squares; the second is the rook of castling
	Promotion string   `json:"promotion,omitempty"`
}

// positionView is a position as the page shows it.
type positionView struct {
	FEN     string       `json:"fen"`
	Turn    string       `json:"turn"` // white or black
	Check   string       `json:"check,omitempty"`
	Last    *moveView    `json:"last,omitempty"`
	Legal   []legalMove  `json:"legal"`
	Outcome *outcomeView `json:"outcome,omitempty"`
	Opening *openingView `json:"opening,omitempty"`
	Table   *tableView   `json:"table,omitempty"`
	Mating  [2]bool      `json:"mating_material"` // of White and Black, if the other side's time is up
}

// outcomeView says why a game is over, or why a draw can be claimed.
type outcomeView struct {
	Result    string `json:"result"`
	Reason    string `json:"reason"`
	Claimable bool   `json:"claimable,omitempty"`
}

type openingView struct {
	ECO  string `json:"eco"`
	Name string `json:"name"`
}

// position answers with the position after the moves of a game and, if it has one,
// a further move in SAN or UCI notation.
func (s *Server) position(w http.ResponseWriter, r *http.Request) {
	var request struct {
		gameRequest
		Play string `json:"play"`
	}
	if !read(w, r, maxRequest, &request) {
		return
	}
	g, err := request.replay()
	if err == nil && request.Play != "" {
		err = g.playText(request.Play)
	}
	if err != nil {
		answer(w, nil, err)
		return
	}
	answer(w, s.view(g), nil)
}

// view describes the current position of a game.
func (s *Server) view(g *playedGame) *positionView {
	p := &g.Pos
	v := &positionView{FEN: p.FEN(), Turn: p.SideToMove().String(), Check: checkedKing(p),
		Legal: legalMoves(p, g.chess960), Opening: openingOf(g.start, g.moves),
		Mating: [2]bool{p.HasMatingMaterial(chess.White), p.HasMatingMaterial(chess.Black)}}
	if n := len(g.moves); n > 0 {
		last := newMoveView(&g.before, g.moves[n-1], g.chess960)
		v.Last = &last
	}
	if o := rules.EndedOrClaimable(g.Game); o.Over() {
		v.Outcome = &outcomeView{o.Result.String(), o.Reason.String(), o.Reason.Claimable()}
		if !o.Reason.Claimable() {
			v.Legal = []legalMove{}
		}
	}
	if len(v.Legal) > 0 {
		v.Table = tableOf(s.Tables, g)
	}
	return v
}

// openingOf names the opening of a game, nil if it has none.
func openingOf(start position.Position, moves []chess.Move) *openingView {
	if o, plies := openings.Of(start, moves); plies > 0 {
		return &openingView{o.ECO, o.Name}
	}
	return nil
}

// checkedKing returns the square of a king in check, "" if there is none.
func checkedKing(p *position.Position) string {
	if !p.InCheck() {
		return ""
	}
	return p.King(p.SideToMove()).String()
}

// legalMoves returns the moves of a position.
func legalMoves(p *position.Position, chess960 bool) []legalMove {
	legal := movegen.Legal(p)
	list := make([]legalMove, len(legal))
	for i, m := range legal {
		list[i] = legalMove{UCI: notation.FormatUCI(m, chess960), SAN: notation.FormatSAN(p, m),
			From: m.From().String(), To: []string{kingTarget(m).String()}}
		if m.IsPromotion() {
			list[i].Promotion = m.Promotion().String()
		}
		if m.IsCastling() {
			list[i].To = castlingSquares(p, m)
		}
	}
	return list
}

// castlingSquares returns the squares onto which the king can be moved to castle: its
// target, unless the king can step there, and the rook's square.
func castlingSquares(p *position.Position, m chess.Move) []string {
	target, _ := m.CastlingTargets()
	step := chess.NewMove(m.From(), target)
	if target == m.From() || target == m.To() || movegen.IsLegal(p, step) {
		return []string{m.To().String()}
	}
	return []string{target.String(), m.To().String()}
}

// tableView is what endgame tablebases say about a position.
type tableView struct {
	Result string      `json:"result"` // in words
	Moves  []tableMove `json:"moves"`  // all moves, best first
}

type tableMove struct {
	UCI    string `json:"uci"`
	SAN    string `json:"san"`
	Result string `json:"result"` // for the side that moves
	DTZ    int    `json:"dtz"`    // plies to the next capture or pawn move, without a sign; 0 if unknown
}

// tableOf looks a position up, and returns nil if the tables do not know it.
func tableOf(tables *syzygy.Tables, g *playedGame) *tableView {
	if g.Pos.Occupied().Count() > tables.Largest() {
		return nil
	}
	ranking, err := tables.Rank(g.Game, true)
	if err != nil || len(ranking.Moves) == 0 {
		return nil
	}
	v := &tableView{Result: tableResult(ranking.Moves[0].WDL, g.Pos.SideToMove())}
	for _, m := range ranking.Moves {
		v.Moves = append(v.Moves, tableMove{notation.FormatUCI(m.Move, g.chess960), notation.FormatSAN(&g.Pos, m.Move),
			m.WDL.String(), max(m.DTZ, -m.DTZ)})
	}
	return v
}

// tableResult says who wins, from the result of the best move of a side.
func tableResult(wdl syzygy.WDL, side chess.Color) string {
	winner := map[chess.Color]string{chess.White: "White", chess.Black: "Black"}
	switch wdl {
	case syzygy.Win:
		return winner[side] + " wins"
	case syzygy.Loss:
		return winner[side.Other()] + " wins"
	case syzygy.CursedWin:
		return "Draw by the fifty-move rule, else " + winner[side] + " wins"
	case syzygy.BlessedLoss:
		return "Draw by the fifty-move rule, else " + winner[side.Other()] + " wins"
	}
	return "Draw"
}
