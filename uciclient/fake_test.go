package uciclient

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"skein/internal/input"
	"skein/nets"
	"skein/search"
	"skein/uci"
)

// patience bounds what never takes long, unless something hangs.
const patience = time.Minute

// brief is a timeout for answers that never come.
const brief = 50 * time.Millisecond

// TestMain lets the test binary be the engines that tests start: under the name skein
// this one, under the name fake one that behaves as its argument says.
func TestMain(m *testing.M) {
	switch strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") {
	case "skein":
		runSkein()
	case "fake":
		runFake(os.Args[1])
	default:
		os.Exit(runTests(m))
	}
}

// runTests runs the tests with the engines on the path.
func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "uciclient")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	for _, name := range []string{"skein", "fake"} {
		name = filepath.Join(dir, name+suffix)
		if os.Symlink(exe, name) != nil { // Windows may not permit it
			if err := os.Link(exe, name); err != nil {
				panic(err)
			}
		}
	}
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return m.Run()
}

func runSkein() {
	net, err := nets.Load("")
	if err != nil {
		panic(err)
	}
	engine, err := search.New(net, search.Options{Threads: uci.DefaultThreads, Hash: uci.DefaultHash})
	if err != nil {
		panic(err)
	}
	if err := uci.New(engine, os.Stdin, os.Stdout, uci.Config{}).Run(context.Background()); err != nil {
		panic(err)
	}
}

// runFake is an engine that knows a few answers by heart and misbehaves in one way.
func runFake(behavior string) {
	waiting := false // for stop or ponderhit
	late := false    // a bestmove is owed, and comes with the next readyok
	again := false   // likewise, one that was not asked for
	dropped := false // has ignored the command that it ignores once
	held := behavior == "answers the first two isready at once"
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		words := strings.Fields(in.Text())
		disturbed := waiting && words[0] != "stop" && words[0] != "isready"
		if behavior == "dies at "+words[0] || behavior == "dies if disturbed" && disturbed {
			fmt.Fprintln(os.Stderr, "a fatal fault")
			os.Exit(3)
		}
		if behavior == "hangs at "+words[0] {
			continue
		}
		if behavior == "drops one "+words[0] && !dropped {
			dropped = true
			continue
		}
		switch words[0] {
		case "uci":
			if behavior == "has too many options" {
				fmt.Println("option name Hash type spin default 16 min 1 max 1024")
				for n := range maxOptions {
					fmt.Println("option name Button", n, "type button")
				}
			}
			fmt.Print(introduction)
		case "isready":
			if held {
				if held = false; in.Scan() {
					fmt.Println("readyok") // to the first
				}
			}
			if late {
				fmt.Println("info depth 9 pv a2a3\nbestmove a2a3 ponder a7a6")
			}
			if again {
				fmt.Println("bestmove a2a4")
			}
			late, again = false, false
			fmt.Println("readyok")
		case "go":
			waiting = slices.Contains(words, "infinite") || slices.Contains(words, "ponder")
			fakeSearch(behavior, waiting)
		case "stop", "ponderhit":
			if !waiting {
				continue
			}
			if late = behavior == "answers late"; !late {
				fmt.Println("bestmove a2a3 ponder a7a6")
			}
			again = behavior == "answers twice"
			waiting = false
		case "eval":
			fmt.Println("info string about the position\n\n  pawns  0.12\neval  0.34")
		case "bench":
			time.Sleep(10 * brief)
			fmt.Println("bestmove a2a4")
		case "dump":
			for range longLines {
				fmt.Println(longLine)
			}
		case "quit":
			os.Exit(0)
		}
	}
	if behavior == "hangs at quit" {
		time.Sleep(patience)
	}
}

const introduction = `id name Fake 1.0
id author nobody in particular
option name Hash type spin default 16 min 1 max 1024
option name Style type combo default Normal var Solid var Normal var Very Risky
option name Clear Hash type button
option name UCI_Chess960 type check default false
option name Book File type string default <empty>
uciok
`

// longLines lines as long as longLine exceed what may wait to be read.
const longLines = 40

var longLine = "info string " + strings.Repeat("x", 1<<19)

// fakeSearch is the reaction of the fake to go, up to the bestmove unless it waits for
// another command.
func fakeSearch(behavior string, waits bool) {
	switch behavior {
	case "dies in a search":
		fmt.Println("info depth 1 score cp 10 pv e2e4")
		fmt.Fprintln(os.Stderr, strings.Repeat("a long story\n", 10000)+"a fatal fault")
		os.Exit(3)
	case "closes its output":
		os.Stdout.Close()
	case "plays an illegal move":
		fmt.Println("bestmove e2e5")
	case "plays nothing":
		fmt.Println("bestmove")
	case "plays none":
		fmt.Println("bestmove (none)")
	case "prints garbage":
		fmt.Println(strings.Repeat("x", input.MaxLine+1))
		fmt.Println("\x00\xff\xfe\n\n\r\nbestmov e2e4\nreadyok\nuciok\nid name Other\noption name Other type button")
		fmt.Println("info depth -1 nodes x pv e2e4 e2e4 score cp 7\ncopyprotection ok\nregistration checking")
		fmt.Println("info multipv 2 pv d2d4\ninfo string done\nbestmove e2e4 ponder e2e4\nbestmove d2d4")
	case "reports no line":
		fmt.Println("info depth 1 score cp 10\ninfo depth 2 score cp 20\nbestmove e2e4")
	case "prints a lot":
		for n := range 10 * maxInfos {
			fmt.Println("info nodes", n)
		}
		fmt.Println("bestmove e2e4")
	case "prints long lines":
		for range longLines {
			fmt.Println(longLine)
		}
		fmt.Println("bestmove e2e4")
	default:
		fmt.Println("info depth 1 score cp 10 pv e2e4 e7e5")
		if !waits {
			fmt.Println("bestmove e2e4 ponder e7e5")
		}
	}
}

// limit returns a context that ends when something hangs.
func limit(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// startFake starts an engine that misbehaves. At the end of the test all goroutines
// of its Engine must be gone.
func startFake(t *testing.T, behavior string) *Engine {
	t.Helper()
	e, err := Start(limit(t), "fake", behavior)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		e.Kill()
		checkGoroutines(t)
	})
	return e
}

// startLogged starts an engine that behaves, and returns what is sent to it.
func startLogged(t *testing.T) (e *Engine, sent *[]string) {
	t.Helper()
	sent = new([]string)
	config := Config{Log: func(m Message) {
		if m.Sent {
			*sent = append(*sent, m.Line)
		}
	}}
	e, err := config.Start(limit(t), exec.Command("fake", ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Kill)
	return e, sent
}

// checkGoroutines fails unless all goroutines that an Engine starts end.
func checkGoroutines(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		left := 0
		for _, f := range []string{
			"skein/uciclient.", "skein/internal/process.", "os/exec.",
		} {
			left += strings.Count(string(stacks), "created by "+f)
		}
		if left == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d goroutines are left:\n%s", left, stacks)
		}
	}
}
