//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// engineAttacks returns the attacks on the engine.
func engineAttacks() []*attack {
	return []*attack{
		{name: "engine: SIGTERM during a search", try: endsSearch(func(p *process) { p.signal(syscall.SIGTERM) })},
		{name: "engine: SIGINT during a search", try: endsSearch(func(p *process) { p.signal(syscall.SIGINT) })},
		{name: "engine: end of input during a search", try: endsSearch(func(p *process) { p.CloseInput() })},
		{name: "engine: reader gone during a search", try: readerGone},
		{name: "engine: slow reader", try: slowReader},
		{name: "engine: output on a full device", try: fullDevice},
		{name: "engine: suspended and resumed", try: suspended},
		{name: "engine: hostile lines", try: hostileLines},
		{name: "engine: debug log on a FIFO", try: optionOnFIFO("Debug Log File")},
		{name: "engine: network from a FIFO", try: optionOnFIFO("EvalFile")},
		{name: "engine: book from a FIFO", try: optionOnFIFO("BookFile")},
		{name: "engine: tables emptied in use", try: tablesInUse(truncate(0))},
		{name: "engine: tables cut in use", try: tablesInUse(truncate(100))},
		{name: "engine: tables removed in use", try: tablesInUse(os.Remove)},
		{name: "engine: many threads in little memory", try: littleMemory("Threads", "256")},
		{name: "engine: large hash in little memory", try: littleMemory("Hash", "100000")},
		{name: "engine: control group with little memory", try: littleMemoryGroup},
		{name: "engine: control group with few processors", try: fewProcessorsGroup},
		{name: "engine: four threads on one core", try: oneCore},
		{name: "engine: twenty engines at once", try: twentyEngines},
		{name: "engine: SIGINT while reading games", try: interruptedRead("analyse", "--pgn")},
		{name: "engine: SIGINT while reading a suite", try: interruptedRead("epd")},
	}
}

// search starts the engine and sends commands, the last of which starts a search.
func (f *field) search(commands ...string) (*process, error) {
	p, err := start(f.program("engine"))
	if err != nil {
		return nil, err
	}
	p.send(commands...)
	_, err = p.await("info depth 2")
	return p, err
}

// endsSearch ends an infinite search, after which the engine must be gone soon.
func endsSearch(end func(*process)) func(*field) error {
	return func(f *field) error {
		p, err := f.search("setoption name Threads value 2", "go infinite")
		if err != nil {
			return err
		}
		f.pause(200 * time.Millisecond)
		end(p)
		return p.ends(0)
	}
}

// readerGone closes the pipe that the engine writes to.
func readerGone(f *field) error {
	cmd := exec.Command(f.program("engine"))
	in, err := cmd.StdinPipe() // stays open
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_, err = io.WriteString(in, "go infinite\n")
	for lines := bufio.NewScanner(out); err == nil && !strings.HasPrefix(lines.Text(), "info depth 2"); {
		if !lines.Scan() {
			err = errors.New("no search")
		}
	}
	out.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case waited := <-ended:
		return errors.Join(err, waited)
	case <-time.After(patience):
		cmd.Process.Kill()
		return fmt.Errorf("hangs: the engine goes on %v after its reader went", patience)
	}
}

// slowReader leaves the output of a search unread until the engine waits for its reader.
func slowReader(f *field) error {
	p, err := startUnread(f.program("engine"))
	if err != nil {
		return err
	}
	p.send("go infinite")
	for range 1 << 16 { // half a mebibyte of answers, more than a pipe and the buffers hold
		p.send("isready")
	}
	p.send("stop")
	time.Sleep(time.Second)
	if _, err := p.await("bestmove"); err != nil {
		return err
	}
	return p.answers()
}

// fullDevice gives the engine an output that cannot be written.
func fullDevice(f *field) error {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		return errSkipped
	}
	defer full.Close()
	for _, args := range [][]string{{"bench", "2"}, {"--version"}, {"compiler"}} {
		cmd := exec.Command(f.program("engine"), args...)
		cmd.Stdout = full
		if err := cmd.Run(); err == nil {
			return fmt.Errorf("engine %s succeeded without writing", strings.Join(args, " "))
		}
	}
	return nil
}

// suspended stops the process in the middle of a timed search.
func suspended(f *field) error {
	p, err := f.search("setoption name Threads value 2", "go movetime 300")
	if err != nil {
		return err
	}
	p.signal(syscall.SIGSTOP)
	f.pause(600 * time.Millisecond)
	p.signal(syscall.SIGCONT)
	if _, err := p.await("bestmove"); err != nil {
		return err
	}
	return p.answers()
}

// hostileLines sends pieces of commands mixed with rubbish.
func hostileLines(f *field) error {
	p, err := start(f.program("engine"))
	if err != nil {
		return err
	}
	words := []string{
		"go", "position", "fen", "startpos", "moves", "e2e4", "e7e5", "setoption", "name", "value", "Hash", "Threads",
		"-1", "99999999999999999999", "depth", "3", "nodes", "100", "mate", "2", "infinite", "stop", "ponder",
		"ponderhit", "searchmoves", "movetime", "5", "8/8/8/8/8/8/8/8", "w", "KQkq", "-", "0", "\x00", "\xff\xfe",
		"\t", "d", "eval", "MultiPV", "500", "UCI_Chess960", "true", "ucinewgame", "perft", "bench", "1", "é",
		strings.Repeat("x", 5000),
	}
	for range 300 {
		var line []string
		for range 1 + f.rng.IntN(6) {
			line = append(line, words[f.rng.IntN(len(words))])
		}
		if f.rng.IntN(3) == 0 {
			line = append([]string{"go nodes 500"}, line...)
		}
		p.send(strings.Join(line, " "))
		if f.rng.IntN(5) == 0 {
			p.send("stop")
		}
	}
	return p.answers()
}

// optionOnFIFO gives the engine a FIFO for a file, one that nobody opens.
func optionOnFIFO(option string) func(*field) error {
	return func(f *field) error {
		if err := syscall.Mkfifo(f.file("fifo"), 0o600); err != nil {
			return errSkipped
		}
		p, err := start(f.program("engine"))
		if err != nil {
			return err
		}
		p.send("setoption name "+option+" value "+f.file("fifo"), "go depth 3")
		if _, err := p.await("bestmove"); err != nil {
			return err
		}
		return p.answers()
	}
}

// truncate returns a function that leaves so many bytes of a file.
func truncate(size int64) func(name string) error {
	return func(name string) error { return os.Truncate(name, size) }
}

// tablesInUse spoils tables while a search looks positions up in them.
func tablesInUse(spoil func(name string) error) func(*field) error {
	return func(f *field) error {
		names, err := filepath.Glob(filepath.Join(f.tables, "*.rtb?"))
		if err != nil || len(names) == 0 {
			return errSkipped
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if err := os.WriteFile(f.file(filepath.Base(name)), data, 0o600); err != nil {
				return err
			}
		}
		p, err := f.search("setoption name SyzygyPath value "+f.dir, "setoption name Threads value 2",
			"position fen 8/8/8/2k5/4p3/8/1Q1K4/8 w - - 0 1", "go infinite")
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := spoil(f.file(filepath.Base(name))); err != nil {
				return err
			}
			f.pause(5 * time.Millisecond)
		}
		f.pause(300 * time.Millisecond)
		p.send("stop", "position fen 8/8/8/2k5/8/8/1R1K4/8 w - - 0 1", "go depth 8")
		return p.answers()
	}
}

// littleMemory asks for more than an address space of 3 GB holds. The engine may
// refuse, but must live on.
func littleMemory(option, value string) func(*field) error {
	return func(f *field) error {
		path, args := limited("-v 3000000", f.program("engine"))
		p, err := start(path, args...)
		if err != nil {
			return err
		}
		p.send("setoption name "+option+" value "+value, "go depth 5")
		if _, err := p.await("bestmove"); err != nil {
			return err
		}
		return p.answers()
	}
}

// oneCore lets four threads share one processor with the reader.
func oneCore(f *field) error {
	taskset, err := exec.LookPath("taskset")
	if err != nil {
		return errSkipped
	}
	p, err := start(taskset, "-c", "0", f.program("engine"))
	if err != nil {
		return err
	}
	p.send("setoption name Threads value 4", "go infinite")
	f.pause(300 * time.Millisecond)
	p.send("stop")
	if _, err := p.await("bestmove"); err != nil {
		return err
	}
	return p.answers()
}

// twentyEngines search at the same time.
func twentyEngines(f *field) error {
	var all []*process
	for range 20 {
		p, err := start(f.program("engine"))
		if err != nil {
			return err
		}
		p.send("go movetime 200", "go wtime 300 btime 300", "go depth 4")
		all = append(all, p)
	}
	var failure error
	for _, p := range all {
		for range 3 {
			if _, err := p.await("bestmove"); err != nil && failure == nil {
				failure = err
			}
		}
		if err := p.answers(); err != nil && failure == nil {
			failure = err
		}
	}
	return failure
}

// interruptedRead interrupts a command that waits for input.
func interruptedRead(args ...string) func(*field) error {
	return func(f *field) error {
		p, err := start(f.program("engine"), append(args, "-")...)
		if err != nil {
			return err
		}
		time.Sleep(200*time.Millisecond + time.Duration(f.rng.Int64N(int64(200*time.Millisecond))))
		p.signal(syscall.SIGINT)
		return p.ends(130)
	}
}
