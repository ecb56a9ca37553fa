package console

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skein/internal/cli"
)

// TestHTML writes games as a page, with PGN only if that is asked for.
func TestHTML(t *testing.T) {
	dir := t.TempDir()
	page, games := filepath.Join(dir, "page.html"), filepath.Join(dir, "games.pgn")
	input := file(t, "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n1. d4 *\n")
	for _, args := range [][]string{{"--html", page}, {"--html", page + "2", "--output", games}} {
		args = append([]string{"analyse", "--pgn", input, "--depth", "3"}, args...)
		status, out, errs := run(context.Background(), "", args...)
		if status != 0 || strings.Contains(out, "1. e4") {
			t.Fatalf("status %d\n%s\n%s", status, out, errs)
		}
	}
	text := readFile(t, page)
	if n := bytes.Count(text, []byte(`class="game"`)); n != 2 || !bytes.Equal(text, readFile(t, page+"2")) {
		t.Errorf("%d games, or the pages differ", n)
	}
	if n := len(readGames(t, string(readFile(t, games)))); n != 2 {
		t.Errorf("%d games of PGN", n)
	}
	status, _, errs := run(context.Background(), "", "analyse", "--pgn", input, "--depth", "1", "--html", page)
	if status != cli.ExitFailure || !strings.Contains(errs, "page.html") || !bytes.Equal(text, readFile(t, page)) {
		t.Errorf("a page that exists: status %d, %s", status, errs)
	}
}

// TestHTMLInterrupted ends a review after the first game, which the page has.
func TestHTMLInterrupted(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	ctx, cancel := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	var stderr bytes.Buffer
	env := Env{In: reader, Out: io.Discard, Err: &stderr, Name: "Skein test", NewEngine: newEngine}
	go func() {
		io.WriteString(writer, "1. e4 e5 *\n\n1. d4 *\n\n")
		for range 100 { // until the first game is reviewed
			io.WriteString(writer, "1. c4 c5 2. Nc3 Nc6 *\n\n")
		}
		cancel()
	}()
	status := Run(ctx, env, []string{"analyse", "--pgn", "-", "--depth", "3", "--threads", "1", "--html", page})
	if text := readFile(t, page); status != cli.ExitInterrupted || !bytes.Contains(text, []byte(`class="game"`)) ||
		!bytes.HasSuffix(bytes.TrimSpace(text), []byte("</html>")) || !strings.Contains(stderr.String(), page) {
		t.Errorf("status %d, %d bytes, %s", status, len(text), stderr.String())
	}
}

// TestNoHTML ends a review, and reviews no game: there is no page then.
func TestNoHTML(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, test := range []struct {
		ctx    context.Context
		input  string
		status int
	}{
		{ended, file(t, "1. d4 *\n"), cli.ExitInterrupted},
		{context.Background(), file(t, ""), cli.ExitFailure},
		{context.Background(), "missing.pgn", cli.ExitFailure},
	} {
		status, _, errs := run(test.ctx, "", "analyse", "--pgn", test.input, "--html", page)
		if _, err := os.Stat(page); status != test.status || err == nil {
			t.Errorf("status %d, %s, %v", status, errs, err)
		}
	}
}

// TestServe asks the command for its page.
func TestServe(t *testing.T) {
	for _, listen := range []string{"127.0.0.1", "0.0.0.0"} {
		ctx, cancel := context.WithCancel(context.Background())
		reader, writer := io.Pipe()
		var stderr bytes.Buffer
		env := Env{Out: writer, Err: &stderr, Name: "Skein test", NewEngine: newEngine}
		ended := make(chan int, 1)
		args := []string{"serve", "--port", "0", "--threads", "3", "--hash", "7", "--listen", listen}
		go func() { ended <- Run(ctx, env, args) }()
		url, err := bufio.NewReader(reader).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		url = strings.TrimSpace(url)
		page, token, _ := strings.Cut(url, "?token=")
		response, err := http.Get(page + "api/engine")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		want := http.StatusOK
		if listen == "0.0.0.0" {
			want = http.StatusUnauthorized
		} else if err != nil || !strings.Contains(string(body), `"threads":3,"hash":7,`) {
			t.Errorf("%s, %v", body, err)
		}
		if response.StatusCode != want || (len(token) >= 20) != (want == http.StatusUnauthorized) {
			t.Errorf("%s: status %d, token %q", url, response.StatusCode, token)
		}
		cancel()
		if status := <-ended; status != cli.ExitInterrupted {
			t.Errorf("status %d, %s", status, &stderr)
		}
		if strings.Contains(page, "0.0.0.0") || strings.Contains(page, "[::]") {
			t.Errorf("%s is no address for a browser on another machine", page)
		}
		if warned := strings.Contains(stderr.String(), "not encrypted"); warned != (want == http.StatusUnauthorized) {
			t.Errorf("%s: errors %q", listen, &stderr)
		}
	}
}

// TestServeRefused calls the command with what cannot be.
func TestServeRefused(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	taken := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	for _, tt := range []struct {
		args   string
		status int
		want   string
	}{
		{"--port 65536", cli.ExitUsage, "--port 65536 is not between"},
		{"--port x", cli.ExitUsage, "--port: invalid"},
		{"--listen localhost", cli.ExitUsage, `--listen "localhost" is not an IP address`},
		{"--threads 0", cli.ExitUsage, "--threads 0"},
		{"games.pgn", cli.ExitUsage, `unexpected argument "games.pgn"`},
		{"--port " + taken, cli.ExitFailure, "--listen and --port choose another address"},
		{"--listen 192.0.2.1", cli.ExitFailure, "192.0.2.1"},
	} {
		status, _, errs := run(context.Background(), "", append([]string{"serve"}, strings.Fields(tt.args)...)...)
		if status != tt.status || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: status %d, errors %q", tt.args, status, errs)
		}
	}
}
