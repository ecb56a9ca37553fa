// Package browser tests the page of engine serve in Chromium.
//
//	scripts/browser/run
//
// runs the tests, for which it installs Chromium and fetches axe-core where possible.
package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for the page.
const patience = 30 * time.Second

// engine is the program that is tested.
var engine string

// allocator is the browser of all tests.
var allocator context.Context

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// run builds the engine, starts the browser and runs the tests.
func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "browser")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	engine = filepath.Join(folder, "engine")
	build := exec.Command("go", "build", "-o", engine, "./cmd/engine")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		log.Printf("%v: %v\n%s", build, err, out)
		return 1
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox,                           // containers lack what the sandbox needs
		chromedp.Flag("renderer-process-limit", "1"), // a process for each tab takes longer
		chromedp.UserDataDir(filepath.Join(folder, "profile")),
		chromedp.WindowSize(1280, 800))
	allocated, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	// The driver reports events that it does not know, which newer versions of Chromium send.
	browser, cancel := chromedp.NewContext(allocated, chromedp.WithErrorf(func(string, ...any) {}))
	defer cancel()
	if err := chromedp.Run(browser); err != nil {
		log.Print(err)
		return 1
	}
	allocator = browser
	return m.Run()
}

// serve starts the engine's server and returns the address of its page.
func serve(t *testing.T, args ...string) string {
	t.Helper()
	address, _ := start(t, args...)
	return address
}

// start is serve, and also returns a function that ends the server.
func start(t *testing.T, args ...string) (address string, stop func()) {
	t.Helper()
	cmd := exec.Command(engine, append([]string{"serve", "--port", "0", "--threads", "1", "--hash", "16"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	t.Cleanup(stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), stop
}

// tab is a tab of the browser.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	requests []string // addresses
	faults   []string // errors of scripts, and what the console shows as errors
}

// open opens a page in a new tab, which is closed at the end of the test.
func open(t *testing.T, url string, actions ...chromedp.Action) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*patience)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx}
	chromedp.ListenTarget(ctx, b.note)
	b.do(append(append([]chromedp.Action{network.Enable()}, actions...), chromedp.Navigate(url))...)
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, fault := range b.faults {
			t.Errorf("the page reports: %s", fault)
		}
	})
	return b
}

// note keeps requests and errors.
func (b *tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *cdpruntime.EventExceptionThrown:
		b.faults = append(b.faults, e.ExceptionDetails.Error())
	case *cdpruntime.EventConsoleAPICalled:
		if e.Type == cdpruntime.APITypeError {
			b.faults = append(b.faults, fmt.Sprintf("%s", e.Args[0].Value))
		}
	}
}

// do runs actions, and fails the test if one fails.
func (b *tab) do(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// eval evaluates an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	var value T
	b.do(chromedp.Evaluate(expression, &value, func(p *cdpruntime.EvaluateParams) *cdpruntime.EvaluateParams {
		return p.WithAwaitPromise(true)
	}))
	return value
}

// wait waits until an expression is true in the page.
func (b *tab) wait(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	// By intervals, as there are no animation frames in a tab in the background.
	poll := chromedp.Poll(expression, nil, chromedp.WithPollingInterval(20*time.Millisecond),
		chromedp.WithPollingTimeout(patience))
	if err := chromedp.Run(ctx, poll); err != nil {
		b.t.Fatalf("%s: %v; the page shows\n%s", expression, err, eval[string](b, "document.body.innerText"))
	}
}

// square is the center of a square in the window.
func (b *tab) square(name string) (x, y float64) {
	b.t.Helper()
	return b.center("#board [data-square=" + name + "]")
}

// center is the center of an element in the window.
func (b *tab) center(selector string) (x, y float64) {
	b.t.Helper()
	at := eval[[2]float64](b, fmt.Sprintf(`(() => {
		const box = document.querySelector(%q).getBoundingClientRect();
		return [box.x + box.width / 2, box.y + box.height / 2];
	})()`, selector))
	return at[0], at[1]
}

// busy returns how many searches run or wait.
func busy(t *testing.T, url string) int {
	t.Helper()
	response, err := http.Get(url + "api/engine")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var state struct{ Served, Waiting int }
	if err := json.NewDecoder(response.Body).Decode(&state); err != nil {
		t.Fatal(err)
	}
	return state.Served + state.Waiting
}
