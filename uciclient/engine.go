package uciclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"skein/internal/process"
)

// Defaults of Config.
const (
	DefaultTimeout = 10 * time.Second
	DefaultGrace   = 5 * time.Second
)

// chess960Option is the option that chooses the notation of castling.
const chess960Option = "UCI_Chess960"

// Config says how to treat an engine. The zero Config has the defaults.
type Config struct {
	// Timeout is how long the engine may take to answer a command other than go;
	// 0 is DefaultTimeout.
	Timeout time.Duration
	// Grace is how long the engine may take to end after quit; 0 is DefaultGrace. Two
	// seconds of it may pass after its end if a child of the engine lives on.
	Grace time.Duration
	// Log, if not nil, is called with every line sent and received, one call at a
	// time. It must not call methods of the Engine or of a Search.
	Log func(Message)
}

// Message is a line that was sent to an engine or received from it.
type Message struct {
	Sent bool
	Line string // without its end
	Err  error  // why a received line was ignored, at least in part
}

// Engine is a running engine. Its methods may be called by several goroutines, but it
// does one search at a time.
type Engine struct {
	config       Config
	process      *process.Process
	uciok        chan struct{} // closed when the engine has introduced itself
	dead         chan struct{} // closed when it has ended and its output is read
	logging      sync.Mutex
	name, author string
	options      []Option
	turn         chan struct{} // full while a goroutine relies on no search running

	mu       sync.Mutex
	readies  []*ready // the calls of Ready whose readyok are owed, in order
	search   *Search  // the one whose bestmove is owed, or nil
	unsynced bool     // may still answer a stop or Command, and not asked since whether it is ready
	chess960 bool
	ignored  int
	answer   *answer // of the Command that waits for one, or nil
}

// Start starts an engine with the default Config; path is looked up like that of
// [exec.Command].
func Start(ctx context.Context, path string, args ...string) (*Engine, error) {
	return Config{}.Start(ctx, exec.Command(path, args...))
}

// Start starts an engine and waits until it has introduced itself. The standard
// streams of cmd must not be set. The context is that of the start: its end does not
// affect an engine that was started.
func (c Config) Start(ctx context.Context, cmd *exec.Cmd) (*Engine, error) {
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Grace == 0 {
		c.Grace = DefaultGrace
	}
	p, err := process.Start(cmd, 64)
	if err != nil {
		return nil, err
	}
	e := &Engine{config: c, process: p, uciok: make(chan struct{}), dead: make(chan struct{}),
		turn: make(chan struct{}, 1)}
	go e.receive()
	if err := e.ask(ctx, e.uciok, "uci"); err != nil {
		e.Kill()
		return nil, fmt.Errorf("%s: %w", cmd.Path, err)
	}
	if o, ok := e.Option(chess960Option); ok {
		e.chess960 = o.Default == "true"
	}
	return e, nil
}

// Name returns the name of the engine as it introduced itself.
func (e *Engine) Name() string { return e.name }

// Author returns the author of the engine as it introduced itself.
func (e *Engine) Author() string { return e.author }

// Options returns the options of the engine, in its order.
func (e *Engine) Options() []Option { return slices.Clone(e.options) }

// Option returns the option with the given name, in whatever case, and whether there
// is one.
func (e *Engine) Option(name string) (Option, bool) {
	for _, o := range e.options {
		if strings.EqualFold(o.Name, name) {
			return o, true
		}
	}
	return Option{}, false
}

// SetOption sets an option. The error is an *OptionError if the engine does not have
// the option or the value is not valid. No search may run.
func (e *Engine) SetOption(ctx context.Context, name, value string) error {
	o, ok := e.Option(name)
	if !ok {
		return &OptionError{name, "the engine has no such option"}
	}
	text, err := o.canonical(value)
	if err != nil {
		return err
	}
	if err := e.takeTurn(ctx); err != nil {
		return err
	}
	defer e.endTurn()
	line := "setoption name " + o.Name
	if o.Type != Button {
		line += " value " + text
	}
	if strings.EqualFold(name, chess960Option) {
		e.mu.Lock()
		e.chess960 = text == "true"
		e.mu.Unlock()
	}
	return e.send(ctx, line)
}

// SetCheck sets an option of type Check, with the errors of SetOption.
func (e *Engine) SetCheck(ctx context.Context, name string, value bool) error {
	return e.setTyped(ctx, name, Check, strconv.FormatBool(value))
}

// SetSpin sets an option of type Spin, with the errors of SetOption.
func (e *Engine) SetSpin(ctx context.Context, name string, value int64) error {
	return e.setTyped(ctx, name, Spin, strconv.FormatInt(value, 10))
}

// Press presses an option of type Button, with the errors of SetOption.
func (e *Engine) Press(ctx context.Context, name string) error {
	return e.setTyped(ctx, name, Button, "")
}

// setTyped sets an option that must be of the type.
func (e *Engine) setTyped(ctx context.Context, name string, t OptionType, value string) error {
	if o, ok := e.Option(name); ok && o.Type != t {
		return &OptionError{o.Name, fmt.Sprintf("is of type %s, not %s", o.Type, t)}
	}
	return e.SetOption(ctx, name, value)
}

// NewGame tells the engine that the next search is of another game. No search may
// run.
func (e *Engine) NewGame(ctx context.Context) error {
	if err := e.takeTurn(ctx); err != nil {
		return err
	}
	defer e.endTurn()
	if err := e.send(ctx, "ucinewgame"); err != nil {
		return err
	}
	return e.Ready(ctx)
}

// ready is a call of Ready.
type ready struct {
	answered chan struct{} // closed by the readyok
	givenUp  bool          // the call has returned without it; guarded by Engine.mu
}

// Ready waits until the engine has executed all commands before. It may be called
// during a search, which goes on. After a *TimeoutError, or the end of ctx while an
// earlier call that was given up was owed an answer, an answer that comes all the same
// may be taken for that to the next call.
func (e *Engine) Ready(ctx context.Context) error {
	r := &ready{answered: make(chan struct{})}
	e.mu.Lock()
	e.readies = append(e.readies, r)
	first := e.readies[0]
	dropped := first.givenUp // perhaps
	e.mu.Unlock()
	err := e.ask(ctx, r.answered, "isready")
	if err == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	r.givenUp = true
	if _, timeout := errors.AsType[*TimeoutError](err); timeout || dropped && isClosed(first.answered) {
		e.forget(r)
	}
	return err
}

// forget expects no answer any more to the isready of a call that was given up and to
// those before it: an engine may drop one, and go on answering later ones. The caller
// holds mu.
func (e *Engine) forget(r *ready) {
	if i := slices.Index(e.readies, r); i >= 0 {
		e.readies = e.readies[i+1:]
	}
}

// Ignored returns the number of lines that the engine should not have written and
// that were ignored, at least in part.
func (e *Engine) Ignored() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ignored
}

// Quit tells the engine to end, closes its input and waits for its end. It kills the
// engine if that takes longer than Config.Grace or ctx allows: the error then wraps a
// *TimeoutError or the cause of ctx. It is an *ExitError if the exit status of the
// engine was not 0.
func (e *Engine) Quit(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, e.config.Grace, &TimeoutError{"quit", e.config.Grace})
	defer cancel()
	e.tell("quit") // if it has not ended
	e.process.CloseInput()
	select {
	case <-e.dead:
	case <-ctx.Done():
		if !isClosed(e.dead) {
			e.Kill()
			return fmt.Errorf("the engine was killed: %w", context.Cause(ctx))
		}
	}
	if err := e.exitError(); err.State == nil || !err.State.Success() {
		return err
	}
	return nil
}

// Kill ends the engine at once and waits for its end.
func (e *Engine) Kill() {
	e.process.Kill()
	<-e.dead
}

// ask sends a command and waits for the channel that its answer closes.
func (e *Engine) ask(ctx context.Context, answered <-chan struct{}, command string) error {
	if err := e.send(ctx, command); err != nil {
		return err
	}
	return e.await(ctx, answered, command)
}

// await waits for the channel that the answer to a command closes.
func (e *Engine) await(ctx context.Context, answered <-chan struct{}, command string) error {
	timer := time.NewTimer(e.config.Timeout)
	defer timer.Stop()
	select {
	case <-answered:
		return nil
	case <-e.dead:
		if isClosed(answered) {
			return nil
		}
		return e.exitError()
	case <-timer.C:
		return &TimeoutError{command, e.config.Timeout}
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", command, context.Cause(ctx))
	}
}

// takeTurn waits as idle does, and lets no other goroutine start a search or send what
// must not come during one before endTurn.
func (e *Engine) takeTurn(ctx context.Context) error {
	select {
	case e.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := e.idle(ctx); err != nil {
		e.endTurn()
		return err
	}
	return nil
}

func (e *Engine) endTurn() { <-e.turn }

// idle waits until the engine has answered a search that was given up. It is an error
// if a search runs. An engine that was told to stop just as it ended its search may
// answer twice, so it is then asked whether it is ready: the second bestmove comes
// before, and is ignored.
func (e *Engine) idle(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	e.mu.Lock()
	s, unsynced := e.search, e.unsynced
	e.mu.Unlock()
	if s != nil {
		if !isClosed(s.over) {
			return ErrSearching
		}
		if err := e.await(ctx, s.answered, "stop"); err != nil {
			s.stopAgain()
			return err
		}
	}
	if !unsynced {
		return nil
	}
	if err := e.Ready(ctx); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.unsynced = false
	return nil
}

// send sends lines to the engine. If it has ended or was told to, it waits for that: the
// error is an *ExitError or the cause of ctx.
func (e *Engine) send(ctx context.Context, lines ...string) error {
	if e.tell(lines...) == nil {
		return nil
	}
	select {
	case <-e.dead:
		return e.exitError()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// tell sends lines to the engine and waits for nothing. The error is that the engine
// has ended or was told to.
func (e *Engine) tell(lines ...string) error {
	e.logging.Lock()
	defer e.logging.Unlock()
	if err := e.process.Send(lines...); err != nil || e.config.Log == nil {
		return err
	}
	for _, line := range lines {
		e.config.Log(Message{Sent: true, Line: line})
	}
	return nil
}

// receive handles the output of the engine to its end. An engine that closes its
// output is killed, as it can say nothing more.
func (e *Engine) receive() {
	for {
		line, err := e.process.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err == nil && !e.keep(line) {
			err = e.handle(line)
		}
		if err != nil {
			e.mu.Lock()
			e.ignored++
			e.mu.Unlock()
		}
		if e.config.Log != nil {
			e.logging.Lock()
			e.config.Log(Message{Line: line, Err: err})
			e.logging.Unlock()
		}
	}
	select {
	case <-e.process.Done():
	case <-time.After(e.config.Grace):
		e.process.Kill()
		<-e.process.Done()
	}
	close(e.dead)
	e.mu.Lock()
	s := e.search
	e.mu.Unlock()
	if s != nil {
		s.end(Result{}, e.exitError())
	}
}

// exitError describes the end of the engine, which must be dead.
func (e *Engine) exitError() *ExitError {
	state, _ := e.process.Wait(context.Background())
	return &ExitError{state, e.process.Stderr()}
}

// isClosed reports whether the channel, on which nothing is sent, is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
