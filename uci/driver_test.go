package uci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"skein/internal/input"
	"skein/position"
	"skein/search"
)

const (
	mated     = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
	stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
)

// begun waits until the search of the last go has begun.
func (s *session) begun() {
	s.t.Helper()
	s.send("isready")
	s.await("readyok", func(lines []string) bool { return count(lines, "readyok") == s.readies })
}

// TestReadyDuringSearch asks in the middle of a search, and with commands that
// must wait for it queued in between.
func TestReadyDuringSearch(t *testing.T) {
	s := startSession(t, Config{})
	s.send("go infinite")
	s.send("setoption name Hash value 2")
	s.send("position startpos moves e2e4")
	for range 100 {
		s.send("isready")
	}
	s.await("100 readyok", func(lines []string) bool { return count(lines, "readyok") == 100 })
	if n := count(s.all(), "bestmove"); n != 0 {
		t.Errorf("%d bestmove before stop", n)
	}
	s.send("stop")
	s.awaitAnswers()
	s.end()
}

// TestReadyAsSearchBegins lets isready come in at the moment when a search begins:
// either the reader answers it or the executor.
func TestReadyAsSearchBegins(t *testing.T) {
	const rounds = 20_000
	d := New(nil, nil, io.Discard, Config{})
	inboxes := make([]*inbox, rounds)
	for i := range inboxes {
		inboxes[i] = newInbox()
		inboxes[i].put(d.parse("go infinite"))
		inboxes[i].next()
	}
	ready := d.parse("isready")
	dealtWith := make([]bool, rounds)
	var begun, done atomic.Int64
	go func() {
		for i, b := range inboxes {
			for begun.Load() <= int64(i) {
				runtime.Gosched()
			}
			dealtWith[i] = b.put(ready)
			done.Add(1)
		}
	}()
	for i, b := range inboxes {
		begun.Add(1)
		answers := b.beginSearch()
		for done.Load() <= int64(i) {
			runtime.Gosched()
		}
		if !dealtWith[i] {
			answers++
		}
		if answers != 1 {
			t.Fatalf("round %d: %d answers", i, answers)
		}
	}
}

// TestReadyAfterStop lets isready come after the stop of a search that is running or
// has not begun: it waits for what was read before it, as the search is about to end.
func TestReadyAfterStop(t *testing.T) {
	d := New(nil, nil, io.Discard, Config{})
	for _, running := range []bool{true, false} {
		b := newInbox()
		b.put(d.parse("go infinite"))
		if running {
			b.next()
			b.beginSearch()
		}
		b.stop()
		b.put(d.parse("setoption name Hash value 1"))
		if !b.put(d.parse("isready")) {
			t.Errorf("running %t: isready is to be answered at once", running)
		}
		if !running {
			b.next()
			if n := b.beginSearch(); n != 0 {
				t.Errorf("%d answers as the search begins", n)
			}
		}
		if b.next(); !b.next().is("isready") {
			t.Errorf("running %t: isready is not the last job", running)
		}
	}
}

// TestReadyAfterAnswer lets isready come while the answer to a go is being written: it
// waits for what was read before it, as the search is over.
func TestReadyAfterAnswer(t *testing.T) {
	for _, position := range []string{"startpos", "fen x"} {
		r, w := io.Pipe()
		var d *Driver
		out := &replier{newSink(t), func() {
			if !d.inbox.put(d.parse("isready")) {
				t.Errorf("%s: isready is to be answered at once", position)
			}
			w.Close()
		}}
		d = New(newEngine(t), r, out, Config{})
		d.grace = patience
		go io.WriteString(w, "position "+position+"\ngo depth 1\n")
		d.Run(context.Background())
		lines := out.all() // an error comes before the answer
		refused := slices.IndexFunc(lines, func(s string) bool { return strings.Contains(s, "ERROR: go: ") })
		if answer := slices.Index(lines, "bestmove 0000"); refused > answer || (refused >= 0) != (position == "fen x") {
			t.Errorf("%s: output:\n%s", position, strings.Join(lines, "\n"))
		}
	}
}

// replier calls reply when bestmove is being written.
type replier struct {
	*sink
	reply func()
}

func (r *replier) Write(b []byte) (int, error) {
	if strings.HasPrefix(string(b), "bestmove") {
		r.reply()
	}
	return r.sink.Write(b)
}

// TestReadyInOrder asks outside a search: the answer comes after what was asked
// for before.
func TestReadyInOrder(t *testing.T) {
	lines := converse(t, Config{}, "ucinewgame", "position startpos moves e2e4", "d", "isready")
	fen, ready := slices.Index(lines, "FEN: "+afterE4), slices.Index(lines, "readyok")
	if fen < 0 || ready < fen {
		t.Errorf("readyok before the work was done; output:\n%s", strings.Join(lines, "\n"))
	}
}

// TestDraw expects the pieces that give check.
func TestDraw(t *testing.T) {
	lines := converse(t, Config{}, "position fen 4k3/8/8/8/8/5n2/4r3/4K3 w - - 0 1", "d")
	if lines[len(lines)-1] != "Checkers: e2 f3" {
		t.Errorf("output:\n%s", strings.Join(lines, "\n"))
	}
}

// TestSecondGo sends commands during a search: they are carried out after it,
// in order.
func TestSecondGo(t *testing.T) {
	s := startSession(t, Config{})
	s.send("go infinite")
	s.begun()
	s.send("position fen " + mated)
	s.send("go depth 3")
	s.send("position fen k7/8/1K6/8/8/8/8/7R w - - 0 1")
	s.send("go depth 3")
	s.send("stop")
	s.awaitAnswers()
	lines := s.end()
	answers := slices.DeleteFunc(lines, func(s string) bool { return !strings.HasPrefix(s, "bestmove") })
	if len(answers) != 3 || answers[1] != "bestmove (none)" {
		t.Errorf("answers %q", answers)
	}
}

// TestStopEndsWaiting stops searches that could never end otherwise.
func TestStopEndsWaiting(t *testing.T) {
	s := startSession(t, Config{})
	for range 20 {
		s.send("go infinite")
	}
	s.send("stop")
	s.awaitAnswers()
	// Later ones are not meant.
	s.send("go depth 2")
	s.awaitAnswers()
	if lines := s.end(); count(lines, "info depth 2 ") == 0 {
		t.Error("the go after stop was stopped")
	}
}

// TestNothingBeforeStop searches positions where there is nothing to search.
func TestNothingBeforeStop(t *testing.T) {
	for _, fen := range []string{mated, stalemate, "k7/8/1K6/8/8/8/8/7R w - - 0 1"} {
		for _, words := range []string{"go infinite", "go ponder wtime 1 btime 1", "go", "go infinite mate 1 depth 1"} {
			s := startSession(t, Config{})
			s.send("position fen " + fen)
			s.send(words)
			s.begun()
			time.Sleep(2 * time.Millisecond)
			if n := count(s.all(), "bestmove"); n != 0 {
				t.Errorf("%s, %s: answered before stop", fen, words)
			}
			s.send("stop")
			s.awaitAnswers()
			s.end()
		}
	}
}

func TestPonderHit(t *testing.T) {
	s := startSession(t, Config{})
	s.send("go ponder depth 2")
	s.begun()
	s.send("ponderhit")
	s.awaitAnswers()
	// Read before the search began.
	s.send("go ponder wtime 10 btime 10")
	s.send("ponderhit")
	s.awaitAnswers()
	s.end()
}

// TestEnd ends a driver in every way while it searches; it answers all the
// same.
func TestEnd(t *testing.T) {
	for name, end := range map[string]func(s *session, cancel func()){
		"quit":         func(s *session, _ func()) { s.send("quit") },
		"end of input": func(s *session, _ func()) { s.in.Close() },
		"canceled":     func(_ *session, cancel func()) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			s := startSessionUntil(ctx, t, Config{})
			s.send("go infinite")
			s.begun()
			end(s, cancel)
			s.end()
		})
	}
}

// TestReserveProcessors checks that GOMAXPROCS is raised, by a new driver and the option
// Threads, too, and never lowered.
func TestReserveProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	d := New(newEngine(t), nil, io.Discard, Config{})
	if got := runtime.GOMAXPROCS(0); got != DefaultThreads+2 {
		t.Errorf("a new driver: GOMAXPROCS is %d", got)
	}
	if d.setThreads(value{number: 4}); runtime.GOMAXPROCS(0) != 6 {
		t.Errorf("Threads 4: GOMAXPROCS is %d", runtime.GOMAXPROCS(0))
	}
	runtime.GOMAXPROCS(2)
	for _, tt := range []struct{ threads, want int }{{1, 3}, {8, 10}, {1, 10}} {
		if reserveProcessors(tt.threads); runtime.GOMAXPROCS(0) != tt.want {
			t.Errorf("%d threads: GOMAXPROCS is %d, want %d", tt.threads, runtime.GOMAXPROCS(0), tt.want)
		}
	}
}

// TestAnswersBeforeQuit sends everything at once, as a script does.
func TestAnswersBeforeQuit(t *testing.T) {
	for _, input := range []string{
		"uci\nd\nisready\nquit\n", "uci\nd\nisready\n", "uci\r\nd\r\nisready", "\ufeffuci\nd\nisready\n",
	} {
		out := newSink(t)
		d := New(newEngine(t), strings.NewReader(input), out, Config{})
		d.grace = patience
		d.Run(context.Background())
		lines := out.all()
		if count(lines, "uciok") != 1 || count(lines, "FEN: "+position.StartFEN) != 1 || count(lines, "readyok") != 1 {
			t.Errorf("%q: output:\n%s", input, strings.Join(lines, "\n"))
		}
	}
}

// TestAbandons quits while a command hangs: what it writes later is dropped.
func TestAbandons(t *testing.T) {
	hang, begun, written := make(chan struct{}), make(chan struct{}), make(chan struct{})
	c := Config{Commands: []Command{{Name: "hang", Run: func(_ []string, out io.Writer) error {
		close(begun)
		<-hang
		io.WriteString(out, "late\n")
		close(written)
		return nil
	}}}}
	r, w := io.Pipe()
	out := newSink(t)
	d := New(newEngine(t), r, out, c)
	d.grace = time.Millisecond
	go func() {
		io.WriteString(w, "hang\nuci\n")
		<-begun
		w.Close()
	}()
	if err := d.Run(context.Background()); !errors.Is(err, ErrInterrupted) {
		t.Errorf("error %v", err)
	}
	close(hang)
	<-written
	if lines := out.all(); len(lines) != 0 {
		t.Errorf("output %q", lines)
	}
}

// TestRunCommandsCutOff cancels while a command hangs.
func TestRunCommandsCutOff(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	ctx, cancel := context.WithCancel(context.Background())
	c := Config{Commands: []Command{{Name: "hang", Run: func([]string, io.Writer) error {
		cancel()
		<-hang
		return nil
	}}}}
	d := New(newEngine(t), nil, newSink(t), c)
	d.grace = time.Millisecond
	if err := d.RunCommands(ctx, []string{"hang"}); !errors.Is(err, ErrInterrupted) {
		t.Errorf("error %v", err)
	}
}

// brokenPipe fails every write.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestBrokenPipe(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	d := New(newEngine(t), r, brokenPipe{}, Config{})
	d.grace = patience
	go io.WriteString(w, "go infinite\n")
	if err := d.Run(context.Background()); !errors.Is(err, ErrOutput) || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}

// TestFailingInput reads commands up to a failure, but not the line that it cuts short.
func TestFailingInput(t *testing.T) {
	failure := errors.New("bad disk")
	long := strings.Repeat(" ", input.MaxLine)
	for _, text := range []string{"isready\n", "isready\nisready", "isready\nisready" + long} {
		var out bytes.Buffer
		in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(failure))
		if err := New(newEngine(t), in, &out, Config{}).Run(context.Background()); !errors.Is(err, ErrInput) ||
			!errors.Is(err, failure) {
			t.Errorf("%.20q: error %v", text, err)
		}
		if got := strings.Count(out.String(), "readyok"); got != 1 {
			t.Errorf("%d bytes: readyok %d times, want one", len(text), got)
		}
	}
}

func TestRunCommands(t *testing.T) {
	failing := errors.New("bad luck")
	c := Config{Commands: []Command{{Name: "fail", Run: func(args []string, out io.Writer) error {
		io.WriteString(out, strings.Join(args, "+")+"\n")
		return failing
	}}}}
	for _, tt := range []struct {
		lines []string
		want  string // of the output
		err   string
	}{
		{[]string{"isready"}, "readyok", ""},
		{[]string{"position startpos moves e2e4", "go depth 2"}, "info depth 2 ", ""},
		{[]string{"go depth 1", "stop", "go depth 3"}, "info depth 3 ", ""},
		{[]string{"foo"}, "info string ERROR: unknown command", "unknown command"},
		{[]string{"fail 1 2", "isready"}, "1+2", "fail: bad luck"},
		{[]string{"position fen x", "d"}, "info string ERROR: d: the last position was refused: FEN: board", "board"},
		{[]string{"position startpos moves e2e5", "go infinite"}, "bestmove 0000", "move 1"},
		{[]string{"position fen x", "position startpos", "go depth 2"}, "info depth 2", "board"},
		{[]string{"quit", "foo"}, "", ""},
		{[]string{"", " "}, "", ""},
		{nil, "", ""},
	} {
		out := newSink(t)
		err := New(newEngine(t), nil, out, c).RunCommands(context.Background(), tt.lines)
		if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%q: error %v, want %q", tt.lines, err, tt.err)
		}
		if lines := out.all(); tt.want != "" && count(lines, tt.want) == 0 {
			t.Errorf("%q: no line %q; output:\n%s", tt.lines, tt.want, strings.Join(lines, "\n"))
		}
	}
}

// TestRunCommandsInOrder expects each line to be answered before the next one begins,
// an isready after a search, too, however many there are.
func TestRunCommandsInOrder(t *testing.T) {
	out := newSink(t)
	lines := []string{"go depth 2", "isready", "d"}
	for len(lines)*(&job{}).size() < 2*maxWaiting {
		lines = append(lines, "isready")
	}
	if err := New(newEngine(t), nil, out, Config{}).RunCommands(context.Background(), lines); err != nil {
		t.Error(err)
	}
	var order []string
	for _, line := range out.all() {
		for _, begin := range []string{"bestmove", "readyok", "FEN"} {
			if strings.HasPrefix(line, begin) && len(order) < 3 {
				order = append(order, begin)
			}
		}
	}
	if want := []string{"bestmove", "readyok", "FEN"}; !slices.Equal(order, want) {
		t.Errorf("order %q, want %q", order, want)
	}
	if got := count(out.all(), "readyok"); got != len(lines)-2 {
		t.Errorf("%d answers of %d", got, len(lines)-2)
	}
}

// TestRunCommandsUnheard has nobody to answer to.
func TestRunCommandsUnheard(t *testing.T) {
	err := New(newEngine(t), nil, brokenPipe{}, Config{}).RunCommands(context.Background(), []string{"isready", "foo"})
	if !errors.Is(err, ErrOutput) || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}

// TestRunCommandsCanceled cancels commands after the first line of output. An infinite
// search ends that way; others, and perft, are cut off.
func TestRunCommandsCanceled(t *testing.T) {
	for _, tt := range []struct {
		lines     []string
		bestmoves int
		err       error
	}{
		{[]string{"go infinite"}, 1, nil},
		{[]string{"go depth 200"}, 1, ErrInterrupted},
		{[]string{"go infinite", "position startpos moves e2e4", "go depth 60", "d"}, 1, ErrInterrupted},
		{[]string{"go perft 6"}, 0, ErrInterrupted},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		out := newSink(t)
		d := New(newEngine(t), nil, out, Config{})
		d.grace = patience
		go func() {
			out.await("a line", func(lines []string) bool { return len(lines) > 0 })
			cancel()
		}()
		if err := d.RunCommands(ctx, tt.lines); err != tt.err {
			t.Errorf("%q: error %v, want %v", tt.lines, err, tt.err)
		}
		if lines := out.all(); count(lines, "bestmove") != tt.bestmoves || count(lines, "FEN") > 0 {
			t.Errorf("%q: output:\n%s", tt.lines, strings.Join(lines, "\n"))
		}
	}
}

// TestOverlongLine sends more than a line may hold, in place of which no earlier position
// is searched, and then goes on.
func TestOverlongLine(t *testing.T) {
	s := startSession(t, Config{})
	s.shadow.carryOut(&job{err: errLineTooLong})
	s.follow("go infinite")
	s.follow("isready")
	moves := strings.Repeat("e2e4 ", input.MaxLine/5)
	go io.WriteString(s.in, "position startpos moves "+moves+"\ngo infinite\nisready\n")
	s.awaitAnswers()
	if lines := s.end(); count(lines, "info string ERROR: ignored a line of more than") != 1 ||
		count(lines, "bestmove 0000") != 1 {
		t.Errorf("output:\n%s", strings.Join(lines, "\n"))
	}
}

// TestFullQueue reads more commands during a search than the queue has room for:
// the rest is ignored, which is reported in order, and stop works.
func TestFullQueue(t *testing.T) {
	s := startSession(t, Config{})
	s.send("go infinite")
	s.begun()
	const surplus = 5
	args := strings.Repeat("x", input.MaxLine)
	fill := &job{handler: s.driver.byName["register"], args: args}
	room := maxWaiting / fill.size()
	for range room + surplus {
		s.driver.inbox.put(fill)
	}
	if size := sizeOf(s.driver.inbox); size > maxWaiting+fill.size() {
		t.Errorf("%d bytes are waiting", size)
	}
	s.send("stop")
	want := fmt.Sprintf("info string ERROR: ignored %d lines: the queue of commands was full", surplus)
	s.await("the report", func(lines []string) bool { return count(lines, want) == 1 })
	s.shadow.carryOut(&job{ignored: surplus})
	s.send("go infinite")
	s.send("isready")
	s.awaitAnswers()
	if lines := s.end(); count(lines, "bestmove 0000") != 1 {
		t.Error("the position is searched although one may be among the lines that were ignored")
	}
	if size := sizeOf(s.driver.inbox); size != 0 {
		t.Errorf("%d bytes are waiting in an empty queue", size)
	}
}

func sizeOf(b *inbox) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.size
}

// TestDebugLog logs what is read right after the option, also during a search.
func TestDebugLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "with blanks in its name.log")
	s := startSession(t, Config{})
	s.send("go infinite")
	s.send("setoption name Debug Log File value " + path)
	s.send("d")
	s.send("stop")
	s.awaitAnswers()
	s.begun()
	s.send("setoption name Debug Log File value <empty>")
	s.end()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" >> d\n", " >> stop\n", " << FEN: " + position.StartFEN + "\n", " << readyok\n"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %q in the log:\n%s", want, data)
		}
	}

	dir := t.TempDir()
	lines := converse(t, Config{}, "setoption name Debug Log File value "+dir, "isready")
	if count(lines, "info string ERROR: option Debug Log File: "+dir+": not a regular file") != 1 {
		t.Errorf("output:\n%s", strings.Join(lines, "\n"))
	}
}

func TestDebugRemarks(t *testing.T) {
	lines := converse(t, Config{}, "debug on", "stop", "ponderhit", "really isready")
	for _, want := range []string{"info string stop ignored", "info string ponderhit ignored",
		`info string ignored "really" before "isready"`} {
		if count(lines, want) != 1 {
			t.Errorf("no line %q; output:\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

func TestEvalFile(t *testing.T) {
	var loaded []string
	c := Config{LoadNet: func(path string) error {
		loaded = append(loaded, path)
		if path == "missing" {
			return os.ErrNotExist
		}
		return nil
	}}
	lines := converse(t, c, "setoption name EvalFile value my net.nnue", "setoption name EvalFile value <empty>",
		"setoption name EvalFile value missing", "isready")
	if !slices.Equal(loaded, []string{"my net.nnue", "", "missing"}) {
		t.Errorf("loaded %q", loaded)
	}
	if count(lines, "info string ERROR: option EvalFile: file does not exist") != 1 {
		t.Errorf("output:\n%s", strings.Join(lines, "\n"))
	}
	if lines := converse(t, Config{}, "setoption name EvalFile value x", "isready"); count(lines,
		"info string ERROR: option EvalFile") != 1 {
		t.Errorf("output:\n%s", strings.Join(lines, "\n"))
	}
}

// TestDescribe counts the descriptions before readyok: one at first, and one
// after the network was exchanged.
func TestDescribe(t *testing.T) {
	net := "first"
	c := Config{
		Describe: func() string { return "network " + net },
		LoadNet: func(path string) error {
			if path == "missing" {
				return os.ErrNotExist
			}
			net = path
			return nil
		},
	}
	lines := converse(t, c, "ucinewgame", "isready", "isready", "setoption name EvalFile value missing", "isready",
		"setoption name EvalFile value second", "isready")
	said := slices.DeleteFunc(lines,
		func(s string) bool { return s != "readyok" && !strings.HasPrefix(s, "info string network") })
	if want := []string{"info string network first", "readyok", "readyok", "readyok", "info string network second",
		"readyok"}; !slices.Equal(said, want) {
		t.Errorf("said %q instead of %q", said, want)
	}
}

// TestClockStart expects the clock of a go that was read during another command that can
// take long to start at the end of that.
func TestClockStart(t *testing.T) {
	c := Config{Commands: []Command{{Name: "work", Run: func([]string, io.Writer) error { return nil }}}}
	for _, line := range []string{"go depth 1", "go perft 1", "work"} {
		d := New(newEngine(t), nil, io.Discard, c)
		if err := d.RunCommands(context.Background(), []string{line}); err != nil {
			t.Fatal(err)
		}
		before, after := d.searchEnd.Add(-time.Hour), d.searchEnd.Add(time.Hour)
		if d.searchEnd.IsZero() || d.clockStart(before) != d.searchEnd || d.clockStart(after) != after {
			t.Errorf("%s: the end is %v, the clocks start at %v and %v", line, d.searchEnd, d.clockStart(before),
				d.clockStart(after))
		}
	}
}

// TestOptionValues sets each option of the driver and of endgame tables.
func TestOptionValues(t *testing.T) {
	d := New(newEngine(t), nil, io.Discard, Config{})
	var lines []string
	for _, option := range []string{
		"Threads value 2", "MultiPV value 3", "Move Overhead value 70", "UCI_Chess960 value true",
		"UCI_ShowWDL value true", "UCI_ShowCurrLine value true", "UCI_ShowRefutations value true",
		"UCI_AnalyseMode value true", "OwnBook value true", "UCI_LimitStrength value true", "UCI_Elo value 1500",
		"Skill Level value 4", "Strength Seed value 5", "Human Pace value true", "SyzygyProbeDepth value 6",
		"SyzygyProbeLimit value 5", "Syzygy50MoveRule value false",
	} {
		lines = append(lines, "setoption name "+option)
	}
	if err := d.RunCommands(context.Background(), lines); err != nil {
		t.Fatal(err)
	}
	want := settings{
		threads: 2, multiPV: 3, moveOverhead: 70 * time.Millisecond, chess960: true, showWDL: true, currLines: true,
		refutations: true, analyse: true, ownBook: true, limitStrength: true, elo: 1500, skill: 4, strengthSeed: 5,
		pace: true,
	}
	if d.settings != want {
		t.Errorf("settings %+v, want %+v", d.settings, want)
	}
	if want := (search.Tablebase{ProbeDepth: 6, ProbeLimit: 5}); d.tablebase != want {
		t.Errorf("%+v, want %+v", d.tablebase, want)
	}
	lim := d.limits(newGoing(""), new(goRequest))
	if want := (search.Strength{Seed: 5, Pace: true}); lim.Strength != want || lim.MultiPV != 3 ||
		lim.MoveOverhead != 70*time.Millisecond || lim.CurrLines == 0 || lim.Refutations == 0 {
		t.Errorf("limits %+v", lim)
	}
}

// TestRightsWithoutChess960 drops rights that only Chess960 has, unless that is on.
func TestRightsWithoutChess960(t *testing.T) {
	const set = "position fen 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"
	for value, want := range map[string]string{"false": "w - - 0 1", "true": "w KQ - 0 1"} {
		lines := converse(t, Config{}, "setoption name UCI_Chess960 value "+value, set, "d")
		if text := strings.Join(lines, "\n"); !strings.Contains(text, want) {
			t.Errorf("UCI_Chess960 %s:\n%s", value, text)
		}
	}
}

// TestChess960Castling lets the engine castle, in both notations.
func TestChess960Castling(t *testing.T) {
	const castle = "go depth 1 searchmoves e1h1"
	set := "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
	if lines := converse(t, Config{}, set, castle); count(lines, "bestmove e1g1") != 1 {
		t.Errorf("output:\n%s", strings.Join(lines, "\n"))
	}
	if lines := converse(t, Config{}, "setoption name UCI_Chess960 value true", set, castle); count(lines,
		"bestmove e1h1") != 1 {
		t.Errorf("output:\n%s", strings.Join(lines, "\n"))
	}
}

func TestShowWDL(t *testing.T) {
	lines := converse(t, Config{}, "setoption name UCI_ShowWDL value true", "go depth 2")
	if !strings.Contains(strings.Join(lines, "\n"), " wdl ") {
		t.Errorf("output:\n%s", strings.Join(lines, "\n"))
	}
}

func TestFlip(t *testing.T) {
	for fen, want := range map[string]string{
		position.StartFEN:                   "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
		"r3k2r/8/8/8/8/8/8/R3K3 w Qk - 3 7": "r3k3/8/8/8/8/8/8/R3K2R b Kq - 3 7",
		"rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3": "rnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/" +
			"RNBQKBNR w KQkq e6 0 3",
		"1r2k1r1/8/8/8/8/8/8/1R2KR2 w Fgb - 0 1": "1r2kr2/8/8/8/8/8/8/1R2K1R1 b BGf - 0 1",
	} {
		p, err := position.Parse(fen, true)
		if err != nil {
			t.Fatal(err)
		}
		flipped, err := position.Parse(flipFEN(p.FEN()), true)
		if err != nil {
			t.Errorf("%s: %v", fen, err)
			continue
		}
		wanted, err := position.Parse(want, true)
		if err != nil {
			t.Fatal(err)
		}
		if flipped.FEN() != wanted.FEN() {
			t.Errorf("%s: got %s, want %s", fen, flipped.FEN(), wanted.FEN())
		}
	}
}

func TestPerftStops(t *testing.T) {
	s := startSession(t, Config{})
	s.send("go perft 20")
	s.begun()
	s.send("stop")
	s.await("the end of perft", func(lines []string) bool { return count(lines, "info string perft stopped") == 1 })
	s.send("go perft 1")
	s.send("go perft 0")
	s.send("go perft 700000") // deeper than any stack
	s.send("go perft")
	s.send("go perft x")
	s.await("a count and four refusals", func(lines []string) bool {
		return count(lines, "Nodes searched: 20") == 1 &&
			count(lines, "info string ERROR: go perft: the depth must be between 1 and 20") == 2 &&
			count(lines, "info string ERROR: go perft: ") == 4
	})
	if n := count(s.end(), "bestmove"); n > 0 {
		t.Errorf("perft was answered with a move")
	}
}

// TestInterleavings sends commands in random order with short pauses, and
// counts the answers and the goroutines left over.
func TestInterleavings(t *testing.T) {
	commands := []string{
		"go infinite", "go ponder wtime 20 btime 20", "go depth 3", "go nodes 500", "go movetime 2",
		"go wtime 5 btime 5",
		"stop", "stop", "stop", "ponderhit", "ponderhit", "isready", "isready", "ucinewgame",
		"position startpos moves e2e4", "position fen " + mated, "position fen x", "position startpos moves e2e5",
		"setoption name Hash value 1", "setoption name Threads value 2", "setoption name MultiPV value 2", "joho", "",
		"setoption name Debug Log File value " + filepath.Join(t.TempDir(), "log"),
	}
	before := runtime.NumGoroutine()
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		s := startSession(t, Config{})
		for range 15 {
			s.send(commands[rng.IntN(len(commands))])
			time.Sleep(time.Duration(rng.IntN(5000)) * time.Microsecond)
		}
		switch rng.IntN(3) {
		case 0:
			s.send("quit")
		case 1:
			s.send("stop")
			s.awaitAnswers()
		}
		s.end()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for start := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(start) > patience {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// TestClockOfGo expects the clock of a go to start when it is read.
func TestClockOfGo(t *testing.T) {
	d := New(newEngine(t), nil, io.Discard, Config{})
	d.take("go depth 1")
	j := d.inbox.next()
	if lim := d.limits(j.going, new(goRequest)); lim.Start.IsZero() || lim.Start != j.going.read {
		t.Errorf("the clock starts at %v, the go was read at %v", lim.Start, j.going.read)
	}
}
