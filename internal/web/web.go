/*
Package web serves a page for playing and analysis with one engine, for the browser
of the machine it runs on, and writes reviewed games as files to be opened without a
server.

	server := web.New(web.Config{Name: "Skein 0.1.0", Engine: engine, Threads: 2, Hash: 256})
	err := server.Serve(ctx, listener)

Rules, notation, openings and tablebases are those of the packages of this module; the
page, which is embedded, only draws. It keeps the game: every request has the start
position and all moves, so that the server has no state but the engine.

A search belongs to the request that asked for it, whose response is a stream of
server-sent events. It ends with that request, thus when the page is closed. The engine
searches for one request at a time: first for those that want a move of an opponent,
otherwise in the order of their arrival.

Requests are refused unless their Host and Origin are those of this server, and, with a
token, unless a cookie has it. Their bodies are limited. No request can name a file.
*/
package web

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"skein/search"
	"skein/syzygy"
)

// Config is what a server offers.
type Config struct {
	Name          string // of the engine, with version
	Engine        *search.Engine
	Threads, Hash int             // of the engine: the most that a page can ask for, the hash in MiB
	Tables        *syzygy.Tables  // nil for none
	Token         string          // what a browser must know; "" if none is needed
	Log           func(err error) // reports failures that no page can be told of; may be nil
}

// Server serves the page.
type Server struct {
	Config
	engine *sharedEngine
	games  slots
	routes http.Handler
}

// New returns a server. The engine must not be used otherwise until Serve returns.
func New(c Config) *Server {
	s := &Server{Config: c, games: make(slots, maxGamesAtOnce)}
	s.engine = &sharedEngine{Engine: c.Engine, threads: c.Threads, hash: c.Hash}
	mux := http.NewServeMux()
	for path, f := range pageFiles() {
		mux.Handle("GET "+path, f)
	}
	mux.HandleFunc("GET /api/engine", s.describe)
	mux.HandleFunc("POST /api/position", s.position)
	mux.HandleFunc("POST /api/analyze", s.analyze)
	mux.HandleFunc("POST /api/play", s.play)
	mux.HandleFunc("POST /api/review", s.review)
	mux.HandleFunc("POST /api/import", s.importGame)
	mux.HandleFunc("POST /api/export", s.export("pgn", (*gameTree).pgn))
	mux.HandleFunc("POST /api/report", s.export("html", (*gameTree).report))
	mux.HandleFunc("POST /api/chess960", s.chess960)
	s.routes = mux
	return s
}

// Times after which a connection is given up.
const (
	headerTimeout = 5 * time.Second
	bodyTimeout   = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	writeTimeout  = 10 * time.Second // of one event or response
	grace         = time.Second      // when the server ends
)

// Serve answers the requests of a listener until ctx is done, and closes it. Searches
// that still run are stopped, and clients that are still sending or receiving after a
// second are cut off.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	handler := s.handler(listener.Addr())
	var answering sync.RWMutex // locked for reading by each request
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answering.RLock()
			defer answering.RUnlock()
			handler.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       bodyTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(logWriter(s.report), "", 0),
	}
	stopped := make(chan error, 1)
	context.AfterFunc(ctx, func() { stopped <- stop(server) })
	served := server.Serve(listener)
	cancel() // also if it can accept no more
	err := <-stopped
	answering.Lock() // the engine may still be used by those whose connections were closed
	defer answering.Unlock()
	if !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(served, err)
	}
	return err
}

// stop ends a server. Connections that are not idle get some time to become so.
func stop(server *http.Server) error {
	limited, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(limited); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return server.Close()
}

// handler returns what answers requests that were sent to an address.
func (s *Server) handler(address net.Addr) http.Handler {
	return newGuard(address, s.Token, s.routes)
}

func (s *Server) report(err error) {
	if s.Log != nil {
		s.Log(err)
	}
}

// logWriter passes the lines of a logger on as errors.
type logWriter func(error)

// Write implements io.Writer.
func (report logWriter) Write(line []byte) (int, error) {
	report(errors.New(strings.TrimSuffix(string(line), "\n")))
	return len(line), nil
}
