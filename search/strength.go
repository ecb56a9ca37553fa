package search

import (
	"math"

	"skein/chess"
)

// Strength limits the playing strength. The zero value is full strength.
//
// Limited play searches fewer nodes per move, and plays the best of several
// lines after adding a random bonus to the score of each. The move played is
// thus worse than the best by less than the largest bonus; larger mistakes come
// from the shallow search. A mate that is found is played, and if mated, the
// longest defense. Only one thread searches, and tablebases are not used.
type Strength struct {
	// Elo is the playing strength, on the scale of Stockfish's skill levels:
	// clamped to MinElo..MaxElo; 0 is full strength.
	Elo int
	// Seed seeds the random bonuses: with the same seed the same moves are
	// played in a game.
	Seed uint64
}

// The range of Strength.Elo.
const (
	MinElo = 1320
	MaxElo = 2490
)

// FullSkill is the skill level of full strength; the lowest is 0.
const FullSkill = 20

// SkillElo returns Strength.Elo for a skill level: from MinElo at 0 in equal
// steps, 0 (full strength) at FullSkill or above.
func SkillElo(skill int) int {
	if skill >= FullSkill {
		return 0
	}
	return MinElo + (MaxElo-MinElo)*max(skill, 0)/FullSkill
}

// level is the settings for a rating.
type level struct {
	elo   int
	nodes int         // maximum per move, once an iteration is complete; 0 is no limit
	lines int         // number of lines to choose among
	bonus chess.Score // random bonuses are below this
}

// levels were rated by matches, described in docs/testing.md; after the network
// or the search became stronger, they must be rated again.
var levels = [...]level{
	{elo: 1290, nodes: 110, lines: 4, bonus: 229},
	{elo: 1510, nodes: 230, lines: 4, bonus: 76},
	{elo: 1780, nodes: 1100, lines: 3, bonus: 34},
	{elo: 2100, nodes: 3500, lines: 3, bonus: 23},
	{elo: MaxElo, nodes: 10500, lines: 3, bonus: 15},
}

// level returns the settings for s.Elo, interpolated between levels:
// geometrically for nodes, linearly for the rest.
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
