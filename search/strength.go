package search

import (
	"math"
	"slices"

	"skein/chess"
)

// Strength limits the playing strength. The zero value is full strength.
//
// Limited play searches a fixed number of nodes per move with one thread and
// without tablebases, and plays one of its best lines after adding a random
// bonus to the score of each. Up to a rating of about 2400 it searches as people
// do: it overlooks moves (docs/strength.md), and Limits.Mate only ends it. Above, the
// ordinary search ends early. A mate that is found is played, and if mated, the longest
// defense.
//
// Call Engine.NewGame when Elo changes between searches: otherwise a weaker player finds
// in the table what a stronger one has searched.
type Strength struct {
	// Elo is the playing strength, on the scale of Stockfish's skill levels,
	// continued below them: clamped to MinElo..MaxElo. 0 and MaxElo are full
	// strength.
	Elo int
	// Seed decides what is overlooked and seeds the bonuses: with the same seed
	// the same moves are played in a game that begins with NewGame, on processors of
	// the same architecture.
	Seed uint64
	// Pace delays the answer, within the limits of the clock, until people would
	// have found it: longer the harder the choice.
	Pace bool
}

// The range of Strength.Elo.
const (
	MinElo = 600
	MaxElo = 3700
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

// Level is the settings of limited play at one rating.
type Level struct {
	Elo   int
	Nodes int         // maximum per move, once an iteration is complete; 0 is no limit
	Lines int         // number of lines to choose among
	Bonus chess.Score // random bonuses are below this
	// Human selects the search that overlooks moves; Oversight, in permille, is
	// how easily, see docs/strength.md.
	Human     bool
	Oversight int
}

// levels were rated by scripts/calibrate, as docs/strength.md describes; after
// the network or the search became stronger, they must be rated again. Human
// levels come first.
var levels = []Level{
	{Elo: 480, Nodes: 54, Lines: 14, Bonus: 860, Human: true, Oversight: 1400},
	{Elo: 754, Nodes: 76, Lines: 12, Bonus: 590, Human: true, Oversight: 965},
	{Elo: 1029, Nodes: 110, Lines: 10, Bonus: 400, Human: true, Oversight: 650},
	{Elo: 1236, Nodes: 150, Lines: 10, Bonus: 280, Human: true, Oversight: 420},
	{Elo: 1431, Nodes: 250, Lines: 10, Bonus: 190, Human: true, Oversight: 270},
	{Elo: 1501, Nodes: 320, Lines: 8, Bonus: 165, Human: true, Oversight: 220},
	{Elo: 1590, Nodes: 400, Lines: 8, Bonus: 140, Human: true, Oversight: 170},
	{Elo: 1736, Nodes: 650, Lines: 8, Bonus: 115, Human: true, Oversight: 130},
	{Elo: 1825, Nodes: 1000, Lines: 8, Bonus: 95, Human: true, Oversight: 100},
	{Elo: 1964, Nodes: 2000, Lines: 8, Bonus: 75, Human: true, Oversight: 70},
	{Elo: 2192, Nodes: 4500, Lines: 8, Bonus: 55, Human: true, Oversight: 45},
	{Elo: 2381, Nodes: 12000, Lines: 8, Bonus: 30, Human: true, Oversight: 20},
	{Elo: 2438, Nodes: 3500, Lines: 3, Bonus: 23},
	{Elo: 2691, Nodes: 6000, Lines: 3, Bonus: 19},
	{Elo: 2923, Nodes: 10500, Lines: 3, Bonus: 15},
	{Elo: 3161, Nodes: 19000, Lines: 3, Bonus: 12},
	{Elo: 3355, Nodes: 35000, Lines: 3, Bonus: 10},
	{Elo: 3620, Nodes: 120000, Lines: 3, Bonus: 7},
	{Elo: MaxElo, Nodes: 320000, Lines: 3, Bonus: 4},
}

// heedsQueen is the rating above which limited play never gives its queen away to
// a reply that one look would show.
const heedsQueen = 1350

// Levels returns the levels that were rated, in the order of the table.
func Levels() []Level { return slices.Clone(levels) }

// level returns the settings for s.Elo, interpolated between levels:
// geometrically for nodes, linearly for the rest. Between the last human level
// and the next the seed chooses one of them, the nearer more often. The rating is
// 0 at full strength.
func (s Strength) level() Level {
	if s.Elo == 0 || s.Elo >= MaxElo {
		return Level{}
	}
	elo := max(s.Elo, MinElo)
	i := 1
	for levels[i].Elo < elo {
		i++
	}
	a, b := &levels[i-1], &levels[i]
	share := float64(elo-a.Elo) / float64(b.Elo-a.Elo)
	if a.Human != b.Human {
		chosen := *a
		if float64(scramble(s.Seed)>>11)/(1<<53) < share {
			chosen = *b
		}
		chosen.Elo = elo
		return chosen
	}
	between := func(a, b int) int { return int(math.Round(float64(a) + share*float64(b-a))) }
	return Level{
		Elo:       elo,
		Nodes:     int(math.Round(float64(a.Nodes) * math.Pow(float64(b.Nodes)/float64(a.Nodes), share))),
		Lines:     between(a.Lines, b.Lines),
		Bonus:     chess.Score(between(int(a.Bonus), int(b.Bonus))),
		Human:     a.Human,
		Oversight: between(a.Oversight, b.Oversight),
	}
}

// scramble returns a hash of x in which every bit depends on every bit of x.
//
// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
// Generators", 2014 (SplitMix64).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
