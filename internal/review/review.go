// Package review tells who erred where in a game of chess: it searches every
// position of a game and judges every move as people know it from lichess, with
// winning chances, verdicts, accuracy and a summary for each player.
//
//	reviewed, err := review.Review(ctx, engine, game, review.Options{Limits: search.Limits{Nodes: 300_000}})
//	...
//	fmt.Println(reviewed.White.Accuracy, reviewed.Plies[0].Verdict)
//	reviewed.Annotate(game) // as comments, glyphs and variations for a PGN file
//
// A [Game] in JSON is a public format: `engine analyse --pgn FILE --json` writes
// one in each line. All scores and chances are from White's point of view.
//
// Sources of the formulas: https://lichess.org/page/accuracy, and the source code
// of lichess.org.
package review

import (
	"skein/chess"
	"skein/notation"
)

// Game is a reviewed game.
type Game struct {
	Number   int               `json:"game,omitempty"` // in the input, from 1; 0 if unknown
	Tags     map[string]string `json:"tags"`           // of the PGN
	Start    string            `json:"fen"`            // FEN of the position before the first move
	Chess960 bool              `json:"chess960,omitempty"`
	Result   string            `json:"result"`          // 1-0, 0-1, 1/2-1/2 or *
	Error    string            `json:"error,omitempty"` // why the rest could not be read, empty if all was
	Opening  *Opening          `json:"opening,omitempty"`

	Engine string `json:"engine,omitempty"` // name and version
	Limit  string `json:"limit,omitempty"`  // of each search, such as "300000 nodes a move"
	Curve  Curve  `json:"curve"`

	Score   Score   `json:"score"`   // before the first move
	Chances float64 `json:"chances"` // of White before the first move, 0 to 1
	Plies   []Ply   `json:"plies"`
	White   Summary `json:"white"`
	Black   Summary `json:"black"`
}

// Opening is the opening of a game.
type Opening struct {
	ECO   string `json:"eco"`
	Name  string `json:"name"`
	Plies int    `json:"plies"` // moves from the start up to the named position
}

// Ply is a reviewed move.
type Ply struct {
	Number int    `json:"ply"`  // from 1
	Move   string `json:"move"` // UCI; castling as in the game's variant
	SAN    string `json:"san"`
	FEN    string `json:"fen"` // after the move
	Phase  Phase  `json:"phase"`

	Before  Score   `json:"before"`  // before the move: of the best move
	After   Score   `json:"after"`   // after the move
	Chances float64 `json:"chances"` // of White after the move, 0 to 1, with four decimals
	Depth   int     `json:"depth"`   // of the search before the move, in plies; 0 if unknown

	Verdict  Verdict `json:"verdict,omitempty"`
	Accuracy float64 `json:"accuracy"` // of the move, 0 to 100, with one decimal
	Loss     int     `json:"loss"`     // centipawns lost, 0 to 2000

	// Best is the best line from before the move, in UCI, and BestSAN the same with
	// move numbers. They are empty if the move is the best one, or none is known.
	Best    []string `json:"best,omitempty"`
	BestSAN string   `json:"best_san,omitempty"`
	Words   string   `json:"words,omitempty"` // the verdict in words
	// Clock is the time left to the player after the move in seconds, nil if unknown.
	Clock *float64 `json:"clock,omitempty"`

	best []chess.Move // Best
}

// tagsOf returns the tags of a game as they are in a [Game].
func tagsOf(g *notation.Game) map[string]string {
	tags := make(map[string]string, len(g.Tags))
	for _, tag := range g.Tags {
		tags[tag.Name] = tag.Value
	}
	return tags
}
