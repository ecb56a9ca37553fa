package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"skein/nets"
	"skein/search"
)

// patience is how long tests wait for what must happen.
const patience = 30 * time.Second

// newServer serves on the loopback until the end of the test, when no goroutine of the
// server may be left.
func newServer(t *testing.T, change func(*Config)) (*Server, *httptest.Server) {
	t.Helper()
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	engine, err := search.New(net, search.Options{Threads: 1, Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	config := Config{Name: "Skein test", Engine: engine, Threads: 2, Hash: 2, Log: func(err error) { t.Log(err) }}
	if change != nil {
		change(&config)
	}
	s := New(config)
	h := httptest.NewUnstartedServer(nil)
	h.Config.Handler = s.handler(h.Listener.Addr())
	h.Start()
	t.Cleanup(func() {
		h.Client().CloseIdleConnections()
		h.Close()
		await(t, "goroutines are left", func() bool { return runtime.NumGoroutine() <= before })
		if served, waiting := s.engine.state(); served+waiting > 0 {
			t.Errorf("%d requests have the engine and %d wait", served, waiting)
		}
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, h
}

// await waits until a condition holds.
func await(t *testing.T, otherwise string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%s\n%s", otherwise, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// request returns a request with a JSON body to a server.
func request(ctx context.Context, t *testing.T, h *httptest.Server, path string, body any) *http.Request {
	t.Helper()
	text, ok := body.(string)
	if !ok {
		encoded, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		text = string(encoded)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL+path, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", h.URL)
	return r
}

// send sends a request and returns the status and the body of the response.
func send(t *testing.T, h *httptest.Server, r *http.Request) (int, string) {
	t.Helper()
	response, err := h.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// post sends a request that must succeed and decodes the response.
func post[T any](t *testing.T, h *httptest.Server, path string, body any) T {
	t.Helper()
	status, text := send(t, h, request(t.Context(), t, h, path, body))
	if status != http.StatusOK {
		t.Fatalf("%s %v: status %d, %s", path, body, status, text)
	}
	var value T
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v in %s", path, err, text)
	}
	return value
}

// event is an event of a stream.
type event struct{ name, data string }

// events starts a request whose response is a stream, and returns its events. Closing
// the stream ends the request, as closing a tab does.
func events(t *testing.T, h *httptest.Server, path string, body any) (received <-chan event, closeTab func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	response, err := h.Client().Do(request(ctx, t, h, path, body))
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		t.Fatalf("%s: status %d, %s", path, response.StatusCode, text)
	}
	list := make(chan event, 1000)
	go func() {
		defer close(list)
		defer response.Body.Close()
		e := event{}
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				e.name = name
			} else if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				e.data = data
				list <- e
			}
		}
	}()
	return list, cancel
}

// next returns the next event with a name.
func next(t *testing.T, received <-chan event, name string) event {
	t.Helper()
	for timeout := time.After(patience); ; {
		select {
		case e, ok := <-received:
			if !ok {
				t.Fatalf("the stream ended without an event %s", name)
			}
			if e.name == name {
				return e
			}
		case <-timeout:
			t.Fatalf("no event %s", name)
		}
	}
}

// serve starts a server as the command does. The function that it returns ends the
// server, and returns its error.
func serve(t *testing.T, s *Server) (address string, end func() error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	return listener.Addr().String(), func() error {
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(patience):
			return errors.New("the server goes on")
		}
	}
}

// analyzeAt starts an analysis at a server, which goes on until the test or the server ends.
func analyzeAt(t *testing.T, address string) {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/api/analyze",
		strings.NewReader(`{"lines": 1, "threads": 1, "hash": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	if line, err := bufio.NewReader(response.Body).ReadString('\n'); line != "event: analysis\n" {
		t.Fatalf("%q, %v", line, err)
	}
}

// TestServe ends a server during a search.
func TestServe(t *testing.T) {
	s, _ := newServer(t, nil)
	address, end := serve(t, s)
	analyzeAt(t, address)
	if err := end(); err != nil {
		t.Error(err)
	}
}

// TestLog logs two lines, which are one error.
func TestLog(t *testing.T) {
	var logged []string
	log.New(logWriter(func(err error) { logged = append(logged, err.Error()) }), "", 0).Print("one\ntwo")
	if want := []string{"one\ntwo"}; !slices.Equal(logged, want) {
		t.Errorf("logged %q, want %q", logged, want)
	}
}

// TestServeSlowClients ends a server to which one client sends a request slowly and another
// one nothing.
func TestServeSlowClients(t *testing.T) {
	s, _ := newServer(t, nil)
	address, end := serve(t, s)
	var clients [2]net.Conn
	for i := range clients {
		client, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		clients[i] = client
	}
	const head = "POST /api/export HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n" +
		"Content-Length: 100\r\nExpect: 100-continue\r\n\r\n{"
	if _, err := fmt.Fprintf(clients[0], head, address); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(clients[0]).ReadString('\n') // once the server reads the body
	if !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}

// TestServeWaits ends a server during a request that takes longer than others get. Whoever
// called Serve may use the engine afterwards.
func TestServeWaits(t *testing.T) {
	s, _ := newServer(t, nil)
	begun, answered := make(chan struct{}), atomic.Bool{}
	s.routes = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		time.Sleep(grace + grace/2)
		answered.Store(true)
	})
	address, end := serve(t, s)
	client, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := fmt.Fprintf(client, "GET / HTTP/1.1\r\nHost: %s\r\n\r\n", address); err != nil {
		t.Fatal(err)
	}
	<-begun
	if err := end(); err != nil || !answered.Load() {
		t.Errorf("the request was answered: %v; %v", answered.Load(), err)
	}
}
