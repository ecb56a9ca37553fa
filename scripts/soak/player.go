//go:build linux

package main

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"skein/internal/corpora"
	"skein/nets"
	"skein/position"
	"skein/search"
)

// player plays rounds in one session after another.
type player struct {
	*session
	rng     *rand.Rand
	dir     string   // for files of its own
	starts  []string // FENs for all sessions
	shuffle []string // FENs for Chess960
	played  []int    // rounds, as kinds
	faults  int      // in the output

	chess960 bool
	threads  int
}

// newPlayer starts the first session.
func newPlayer(rng *rand.Rand) (*player, error) {
	p := &player{rng: rng, played: make([]int, len(kinds)), threads: 1}
	var err error
	if p.starts, err = readFENs("perft/standard.epd", false); err != nil {
		return nil, err
	}
	if p.shuffle, err = readFENs("perft/chess960-dev.epd", true); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return nil, err
	}
	p.dir = dir
	if err = os.WriteFile(p.file("copy.nnue"), nets.Default, 0o600); err == nil {
		p.session, err = startSession(p.fault)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return p, nil
}

// readFENs returns the positions of a perft suite that can be set up.
func readFENs(name string, chess960 bool) ([]string, error) {
	rows, err := corpora.PerftRows(corpora.Path(name))
	if err != nil {
		return nil, err
	}
	var fens []string
	for _, row := range rows {
		if _, err := position.Parse(row.FEN, chess960); err == nil {
			fens = append(fens, row.FEN)
		}
	}
	if len(fens) == 0 {
		return nil, fmt.Errorf("no positions in %s", name)
	}
	return fens, nil
}

// shownFaults is how many faults are shown.
const shownFaults = 10

// fault counts what is wrong with the output, and logs the first ones.
func (p *player) fault(err error) {
	if p.faults++; p.faults <= shownFaults {
		log.Printf("%v\n\n", err)
	}
}

// file returns the path of a file of its own.
func (p *player) file(name string) string { return filepath.Join(p.dir, name) }

// close removes its files. The session ends with the process.
func (p *player) close() { os.RemoveAll(p.dir) }

// total returns the number of rounds played.
func (p *player) total() int {
	n := 0
	for _, rounds := range p.played {
		n += rounds
	}
	return n
}

// round plays a round of a random kind.
func (p *player) round() error {
	sum := 0
	for _, k := range kinds {
		sum += k.weight
	}
	i, n := 0, p.rng.IntN(sum)
	for ; n >= kinds[i].weight; i++ {
		n -= kinds[i].weight
	}
	if err := kinds[i].play(p); err != nil {
		return fmt.Errorf("%s: %w", kinds[i].name, err)
	}
	p.played[i]++
	return nil
}

// defaults are the options at rest.
var defaults = []string{
	"Hash value 16", "Threads value 1", "MultiPV value 1", "UCI_Chess960 value false", "UCI_ShowWDL value false",
	"UCI_ShowCurrLine value false", "UCI_ShowRefutations value false", "UCI_AnalyseMode value false",
	"UCI_LimitStrength value false", "UCI_Elo value 1320", "Skill Level value 20", "OwnBook value false",
	"BookFile value <empty>", "EvalFile value <empty>", "SyzygyPath value <empty>", "SyzygyProbeDepth value 1",
	"Debug Log File value <empty>",
}

// rest brings the session into the state in which samples are taken: default options,
// the initial position, a new game.
func (p *player) rest() error {
	lines := []string{"debug off"}
	for _, option := range defaults {
		lines = append(lines, "setoption name "+option)
	}
	p.chess960, p.threads = false, 1
	err := p.sendAll(append(lines, "position startpos", "ucinewgame", "isready")...)
	if err == nil {
		_, err = p.await()
	}
	if removeErr := os.Remove(p.file("log")); !errors.Is(removeErr, os.ErrNotExist) {
		err = errors.Join(err, removeErr)
	}
	return err
}

func (p *player) sendAll(lines ...string) error {
	for _, line := range lines {
		if err := p.send("%s", line); err != nil {
			return err
		}
	}
	return nil
}

// set sends an option with a value.
func (p *player) set(name string, value any) error {
	return p.send("setoption name %s value %v", name, value)
}

// oneIn returns true with a probability of 1/n.
func (p *player) oneIn(n int) bool { return p.rng.IntN(n) == 0 }

// pick returns one of the values.
func pick[T any](rng *rand.Rand, values ...T) T { return values[rng.IntN(len(values))] }

// fen returns a position to begin with.
func (p *player) fen() string {
	switch {
	case p.oneIn(4):
		return position.StartFEN
	case p.chess960 && !p.oneIn(3):
		return pick(p.rng, p.shuffle...)
	}
	return pick(p.rng, p.starts...)
}

// pause waits for a random time up to most.
func (p *player) pause(most time.Duration) { time.Sleep(time.Duration(p.rng.Int64N(int64(most)))) }

// setOptions changes several options.
func (p *player) setOptions() error {
	settings := []struct {
		name  string
		value any
	}{
		{"Hash", pick(p.rng, 1, 2, 16, 33, 64)},
		{"MultiPV", pick(p.rng, 1, 1, 2, 3, 5, 256)},
		{"UCI_ShowWDL", p.oneIn(2)},
		{"UCI_ShowCurrLine", p.oneIn(4)},
		{"UCI_ShowRefutations", p.oneIn(4)},
		{"UCI_AnalyseMode", p.oneIn(4)},
		{"UCI_LimitStrength", p.oneIn(8)},
		{"UCI_Elo", search.MinElo + p.rng.IntN(search.MaxElo-search.MinElo+1)},
		{"Skill Level", pick(p.rng, 0, 7, 19, 20, 20, 20)},
		{"OwnBook", p.oneIn(3)},
		{"BookFile", pick(p.rng, "<empty>", corpora.Path("polyglot/openings-cc0.bin"))},
		{"EvalFile", pick(p.rng, "<empty>", p.file("copy.nnue"))},
		{"SyzygyPath", pick(p.rng, "<empty>", corpora.Path("syzygy"))},
		{"SyzygyProbeDepth", 1 + p.rng.IntN(5)},
		{"Debug Log File", pick(p.rng, "<empty>", p.file("log"))},
	}
	for range 1 + p.rng.IntN(4) {
		s := pick(p.rng, settings...)
		if err := p.set(s.name, s.value); err != nil {
			return err
		}
	}
	p.chess960, p.threads = p.oneIn(3), pick(p.rng, 1, 1, 1, 1, 1, 2, 2, 3, 4)
	err := errors.Join(p.set("UCI_Chess960", p.chess960), p.set("Threads", p.threads),
		p.sendAll(pick(p.rng, "debug on", "debug off"), pick(p.rng, "setoption name Clear Hash", "ucinewgame")),
		p.send("isready"))
	if err == nil {
		_, err = p.await()
	}
	return err
}

// restart ends the session, with quit or the end of the input, and starts another.
// Nothing is being searched then: the driver does not wait long for a search to end,
// and its engine could not be closed.
func (p *player) restart() error {
	if err := p.end(p.oneIn(2)); err != nil {
		return err
	}
	s, err := startSession(p.fault)
	if err != nil {
		return err
	}
	p.session, p.chess960, p.threads = s, false, 1
	if err := p.sendAll("uci", "isready"); err != nil {
		return err
	}
	_, err = p.await()
	return err
}
