package search

import (
	"math"

	"skein/chess"
)

// Strength weakens a search. The zero value is the full strength.
//
// A weak player thinks less, a number of nodes to a move, and values what it
// sees less surely: among its best lines it plays one that seems best after each
// got a random bonus. So it gives away, knowingly, less than the largest bonus;
// the greater mistakes are those it does not see. It plays a mate that it sees,
// defends as well as it can against one, thinks alone whatever the number of
// threads, and does not look endgames up.
type Strength struct {
	// Elo is the rating to play at, on the scale of Stockfish's skill levels:
	// clamped to MinElo..MaxElo; 0 is the full strength.
	Elo int
	// Seed makes the bonuses: the same seed plays the same moves in a game.
	Seed uint64
}

// The range of ratings that can be played at.
const (
	MinElo = 1320
	MaxElo = 2490
)

// FullSkill is the skill level of the full strength; the least is 0.
const FullSkill = 20

// SkillElo returns the rating of a skill level from 0 on, in equal steps, or 0
// from FullSkill on, as Strength wants it.
func SkillElo(skill int) int {
	if skill >= FullSkill {
		return 0
	}
	return MinElo + (MaxElo-MinElo)*max(skill, 0)/FullSkill
}

// level is how to play at a rating.
type level struct {
	elo   int
	nodes int         // the most to search for a move, once an iteration is complete; 0 is no limit
	lines int         // among which to choose
	bonus chess.Score // above the largest bonus of a line
}

// levels were rated by matches, which docs/testing.md tells about; a stronger
// network or search needs other numbers for the same ratings.
var levels = [...]level{
	{elo: 1290, nodes: 110, lines: 4, bonus: 229},
	{elo: 1510, nodes: 230, lines: 4, bonus: 76},
	{elo: 1780, nodes: 1100, lines: 3, bonus: 34},
	{elo: 2100, nodes: 3500, lines: 3, bonus: 23},
	{elo: MaxElo, nodes: 10500, lines: 3, bonus: 15},
}

// level returns how to play: between two of the levels, nodes grow
// geometrically and the rest linearly.
func (s Strength) level() level {
	if s.Elo == 0 {
		return level{}
	}
	elo := min(max(s.Elo, MinElo), MaxElo)
	i := 1
	for levels[i].elo < elo {
		i++
	}
	a, b := &levels[i-1], &levels[i]
	share := float64(elo-a.elo) / float64(b.elo-a.elo)
	between := func(a, b int) int { return int(math.Round(float64(a) + share*float64(b-a))) }
	return level{
		elo:   elo,
		nodes: int(math.Round(float64(a.nodes) * math.Pow(float64(b.nodes)/float64(a.nodes), share))),
		lines: between(a.lines, b.lines),
		bonus: chess.Score(between(int(a.bonus), int(b.bonus))),
	}
}
