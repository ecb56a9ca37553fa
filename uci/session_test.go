package uci

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"skein/chess"
	"skein/movegen"
	"skein/nets"
	"skein/nnue"
	"skein/notation"
	"skein/position"
	"skein/search"
)

// patience is how long a test waits for what must come.
const patience = time.Minute

var loadNet = sync.OnceValues(func() (*nnue.Network, error) { return nets.Load("") })

func newEngine(t testing.TB) *search.Engine {
	t.Helper()
	net, err := loadNet()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := search.New(net, search.Options{Threads: 1, Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	return engine
}

// sink collects lines and wakes those who wait for one.
type sink struct {
	t       testing.TB
	mu      sync.Mutex
	changed sync.Cond
	lines   []string
}

func newSink(t testing.TB) *sink {
	s := &sink{t: t}
	s.changed.L = &s.mu
	return s
}

func (s *sink) Write(b []byte) (int, error) {
	if len(b) == 0 || b[len(b)-1] != '\n' {
		s.t.Errorf("a write of no whole line: %q", b)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(string(b)) {
		s.lines = append(s.lines, strings.TrimSuffix(line, "\n"))
	}
	s.changed.Broadcast()
	return len(b), nil
}

// all returns the lines so far.
func (s *sink) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lines)
}

// await waits until ok holds for the lines.
func (s *sink) await(what string, ok func(lines []string) bool) {
	s.t.Helper()
	late := false
	timer := time.AfterFunc(patience, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		late = true
		s.changed.Broadcast()
	})
	defer timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !ok(s.lines) {
		if late {
			s.t.Fatalf("waited in vain for %s; output:\n%s", what, strings.Join(s.lines, "\n"))
		}
		s.changed.Wait()
	}
}

// count returns how many lines begin with prefix.
func count(lines []string, prefix string) int {
	n := 0
	for _, line := range lines {
		if strings.HasPrefix(line, prefix) {
			n++
		}
	}
	return n
}

// session is a driver between a pipe and a sink, with a second driver beside it
// that follows the positions, to tell which moves are legal.
type session struct {
	*sink
	driver   *Driver
	in       *io.PipeWriter
	done     chan struct{}
	shadow   *Driver
	searches []*position.Game // the positions of all go, nil for one that was refused
	readies  int              // how many isready were sent
	over     bool             // quit was sent
}

func startSession(t testing.TB, c Config) *session {
	t.Helper()
	return startSessionUntil(context.Background(), t, c)
}

// startSessionUntil is startSession for a driver that ends with ctx.
func startSessionUntil(ctx context.Context, t testing.TB, c Config) *session {
	t.Helper()
	s := &session{sink: newSink(t), done: make(chan struct{})}
	r, w := io.Pipe()
	s.in = w
	s.driver = New(newEngine(t), r, s.sink, c)
	s.driver.grace = patience
	s.shadow = New(nil, nil, io.Discard, c)
	go func() {
		defer close(s.done)
		s.driver.Run(ctx)
		r.Close() // so that nothing can be sent any more
	}()
	t.Cleanup(func() { // before the engine is closed, also where a test fails
		w.Close()
		<-s.done
	})
	return s
}

// send sends one line.
func (s *session) send(line string) {
	s.follow(line)
	io.WriteString(s.in, line+"\n")
}

// follow keeps count of what the line asks for.
func (s *session) follow(line string) {
	j := s.shadow.parse(line)
	switch {
	case s.over || j == nil:
	case j.is("quit"):
		s.over = true
	case j.is("isready"):
		s.readies++
	case j.is("position"), j.is("flip"):
		s.shadow.carryOut(j)
	case j.is("setoption") && strings.Contains(strings.ToLower(line), "chess960"):
		s.shadow.carryOut(j)
	case isSearch(j):
		var game *position.Game
		if s.shadow.game != nil {
			game = s.shadow.game.Clone()
		}
		s.searches = append(s.searches, game)
	}
}

// isSearch reports whether j is a go that is answered by bestmove.
func isSearch(j *job) bool { return j.is("go") && !parseGo(strings.Fields(j.args)).onlyPerft }

// awaitAnswers waits until everything sent has been answered.
func (s *session) awaitAnswers() {
	s.t.Helper()
	s.await("all answers", func(lines []string) bool {
		return count(lines, "bestmove") >= len(s.searches) && count(lines, "readyok") >= s.readies
	})
}

// end ends the input and returns all output after checking that each go had
// exactly one answer, a legal move, and each isready one too.
func (s *session) end() []string {
	s.t.Helper()
	s.in.Close()
	select {
	case <-s.done:
	case <-time.After(patience):
		s.t.Fatalf("the driver does not end; output:\n%s", strings.Join(s.all(), "\n"))
	}
	lines := s.all()
	s.checkAnswers(lines)
	return lines
}

func (s *session) checkAnswers(lines []string) {
	s.t.Helper()
	answers := 0
	for _, line := range lines {
		if !strings.HasPrefix(line, "bestmove") {
			continue
		}
		if answers++; answers <= len(s.searches) {
			s.checkBestMove(s.searches[answers-1], line)
		}
	}
	if answers != len(s.searches) {
		s.t.Errorf("%d bestmove for %d go; output:\n%s", answers, len(s.searches), strings.Join(lines, "\n"))
	}
	if n := count(lines, "readyok"); n != s.readies {
		s.t.Errorf("%d readyok for %d isready", n, s.readies)
	}
}

// checkBestMove checks that the answer is legal in the position of game and its
// form is right. If game is nil, the position was refused.
func (s *session) checkBestMove(game *position.Game, line string) {
	s.t.Helper()
	if game == nil {
		if line != "bestmove 0000" {
			s.t.Errorf("%s: a move in a position that was refused", line)
		}
		return
	}
	p := &game.Pos
	words := strings.Fields(line)
	if len(words) != 2 && (len(words) != 4 || words[2] != "ponder") {
		s.t.Errorf("malformed answer %q", line)
		return
	}
	if words[1] == "(none)" {
		if movegen.Count(p) > 0 {
			s.t.Errorf("%s: no move in %s", line, p.FEN())
		}
		return
	}
	m := s.checkMove(p, words[1])
	if m != chess.NoMove && len(words) == 4 {
		next := p.After(m)
		s.checkMove(&next, words[3])
	}
}

func (s *session) checkMove(p *position.Position, text string) chess.Move {
	s.t.Helper()
	m, err := notation.ParseUCI(p, text)
	if err != nil {
		s.t.Errorf("answer in %s: %v", p.FEN(), err)
	}
	return m
}

// converse sends lines, waits for the answers to them, ends the input and
// returns the output.
func converse(t testing.TB, c Config, lines ...string) []string {
	t.Helper()
	s := startSession(t, c)
	for _, line := range lines {
		s.send(line)
	}
	s.awaitAnswers()
	return s.end()
}
