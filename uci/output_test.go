package uci

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"skein/chess"
	"skein/internal/corpora"
	"skein/internal/ucicheck"
	"skein/movegen"
	"skein/position"
)

// checkedPositions are searched by TestOutput: quiet, tactical, mates, with few or
// no moves, and with the castling of Chess960.
var checkedPositions = []string{
	position.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1",
	"k7/8/1K6/8/8/8/8/7R w - - 0 1",
	"5rk1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
	"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
	"7k/8/5K2/8/8/8/8/6Q1 b - - 0 1",
	"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
	"4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
	"8/8/8/4k3/8/8/4K2R/8 w - - 96 200",
	"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
	mated,
	stalemate,
}

// checkedSession is a driver whose output is checked line by line.
type checkedSession struct {
	*sink
	check ucicheck.Session
	in    *io.PipeWriter
	done  chan struct{}
	sent  []string
}

func startCheckedSession(t *testing.T) *checkedSession {
	t.Helper()
	s := &checkedSession{sink: newSink(t), done: make(chan struct{})}
	r, w := io.Pipe()
	s.in = w
	d := New(newEngine(t), r, s, Config{})
	d.grace, d.interval = patience, time.Millisecond
	go func() {
		defer close(s.done)
		d.Run(context.Background())
	}()
	return s
}

// Write checks the lines before they are collected.
func (s *checkedSession) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		if err := s.check.Received(strings.TrimSuffix(line, "\n")); err != nil {
			recent := s.all()
			recent = recent[max(0, len(recent)-12):]
			s.mu.Lock()
			sent := strings.Join(s.sent, "\n")
			s.mu.Unlock()
			s.t.Errorf("%v\nafter\n%s\nof the session\n%s", err, strings.Join(recent, "\n"), sent)
		}
	}
	return s.sink.Write(b)
}

func (s *checkedSession) send(format string, args ...any) {
	s.t.Helper()
	line := fmt.Sprintf(format, args...)
	s.mu.Lock()
	s.sent = append(s.sent, line)
	s.mu.Unlock()
	if err := s.check.Sent(line); err != nil {
		s.t.Fatal(err)
	}
	io.WriteString(s.in, line+"\n")
}

// awaitAnswer waits until every go has been answered.
func (s *checkedSession) awaitAnswer() {
	s.t.Helper()
	s.await("bestmove", func([]string) bool { return !s.check.Searching() })
}

// end ends the session.
func (s *checkedSession) end() {
	s.t.Helper()
	s.in.Close()
	<-s.done
	if err := s.check.End(); err != nil {
		s.t.Error(err)
	}
}

// TestOutput checks everything that is written about short searches with random
// options and limits, many of which end in the middle of an iteration.
func TestOutput(t *testing.T) {
	sessions, searches := 40, 8
	if testing.Short() {
		sessions = 8
	}
	for seed := range sessions {
		rng := rand.New(rand.NewPCG(uint64(seed), 17))
		s := startCheckedSession(t)
		s.send("uci")
		s.send("setoption name Hash value %d", 1+rng.IntN(2))
		chess960 := rng.IntN(4) == 0
		s.send("setoption name UCI_Chess960 value %v", chess960)
		for range searches {
			s.send("setoption name Threads value %d", 1+rng.IntN(4))
			s.send("setoption name MultiPV value %d", []int{1, 1, 2, 3, 5, 256}[rng.IntN(6)])
			for _, name := range []string{"UCI_ShowWDL", "UCI_ShowCurrLine", "UCI_ShowRefutations"} {
				s.send("setoption name %s value %v", name, rng.IntN(3) == 0)
			}
			s.send("setoption name UCI_LimitStrength value %v", rng.IntN(8) == 0)
			s.send("setoption name SyzygyPath value %s", []string{emptyString, corpora.Path("syzygy")}[rng.IntN(2)])
			fen := checkedPositions[rng.IntN(len(checkedPositions))]
			if strings.Contains(fen, "HFhf") && !chess960 {
				fen = position.StartFEN
			}
			s.send("position fen %s", fen)
			s.search(rng, fen)
			s.send("isready")
		}
		s.end()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// search sends a go of any kind for a position and waits for the answer.
func (s *checkedSession) search(rng *rand.Rand, fen string) {
	pause := func() { time.Sleep(time.Duration(rng.IntN(10000)) * time.Microsecond) }
	mate := 1 + rng.IntN(4)
	switch rng.IntN(11) {
	case 0:
		s.send("go depth %d", 1+rng.IntN(8))
	case 1:
		s.send("go nodes %d", 1+rng.IntN(100))
	case 2:
		s.send("go nodes %d", 1+rng.IntN(20000))
	case 3:
		s.send("go movetime %d", 1+rng.IntN(15))
	case 4:
		s.send("go wtime %d btime %d winc 1 binc 1", 20+rng.IntN(100), 20+rng.IntN(100))
	case 5:
		s.send("go mate %d nodes %d", mate, 1+rng.IntN(50000))
	case 6:
		s.send("go mate %d", mate)
		pause()
		s.send("stop")
	case 7:
		s.send("go ponder wtime 50 btime 50")
		pause()
		s.send("%s", []string{"ponderhit", "stop"}[rng.IntN(2)])
	case 8:
		s.send("go depth %d searchmoves%s", 1+rng.IntN(6), someMoves(rng, fen))
	default:
		s.send("go infinite")
		pause()
		s.send("stop")
	}
	s.awaitAnswer()
}

// someMoves returns about half of the legal moves of a position, each after a space.
func someMoves(rng *rand.Rand, fen string) string {
	p, err := position.Parse(fen, true)
	if err != nil {
		panic(err)
	}
	var moves []byte
	for _, m := range movegen.Legal(&p) {
		if rng.IntN(2) == 0 {
			moves = appendMoves(moves, []chess.Move{m}, false)
		}
	}
	return string(moves)
}

// TestLongOutput checks a search that lasts long enough for the reports of root
// moves and of scores outside the window.
func TestLongOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("takes four seconds")
	}
	s := startCheckedSession(t)
	s.send("setoption name Threads value 2")
	s.send("position fen %s", checkedPositions[1])
	s.send("go movetime 4000")
	s.awaitAnswer()
	s.end()
	if count(s.all(), "info depth") < 10 || !strings.Contains(strings.Join(s.all(), "\n"), " currmove ") {
		t.Errorf("output:\n%s", strings.Join(s.all(), "\n"))
	}
}
