//go:build linux

package main

import (
	"archive/zip"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// newTestHub starts a hub with a repository of two commits, whose branch is main,
// and returns a client that uses it.
func newTestHub(t *testing.T) (*hub, *http.Client) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-c", "user.name=a", "-c", "user.email=a@localhost"}, args...)
		if _, err := command(t.Context(), folder, "git", args...); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "--quiet", "--initial-branch=main")
	git("commit", "--quiet", "--allow-empty", "-m", "First")
	git("tag", "first")
	if err := os.WriteFile(filepath.Join(folder, "file"), []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	git("add", "file")
	git("commit", "--quiet", "-m", "Second\n\nBench: 12")

	m := &material{repositories: map[string]string{"skein": folder}, book: book{archive: []byte("book")}}
	m.folder = t.TempDir()
	h, err := startHub(m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.close)
	proxy, err := url.Parse(h.address)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(h.certificate)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	return h, &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy),
		TLSClientConfig: &tls.Config{RootCAs: roots}}}
}

// fetch returns the page at an address.
func fetch(t *testing.T, client *http.Client, address string) (status int, text []byte) {
	t.Helper()
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err = io.ReadAll(answer.Body); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, text
}

func TestHub(t *testing.T) {
	_, client := newTestHub(t)
	const api = "https://api.github.com/repos/" + owner + "/skein/"
	type described struct {
		SHA    string
		Commit struct{ Message string }
	}
	var branch struct{ Commit described }
	var commit described
	var ahead struct {
		Ahead int `json:"ahead_by"`
	}
	for path, v := range map[string]any{
		"branches/main": &branch, "commits/first": &commit, "compare/first...main": &ahead,
	} {
		if status, text := fetch(t, client, api+path); status != http.StatusOK || json.Unmarshal(text, v) != nil {
			t.Fatalf("%s: %d %s", path, status, text)
		}
	}
	if message := branch.Commit.Commit.Message; message != "Second\n\nBench: 12" {
		t.Errorf("message %q", message)
	}
	if commit.Commit.Message != "First" || commit.SHA == branch.Commit.SHA || ahead.Ahead != 1 {
		t.Errorf("%+v, ahead by %d", commit, ahead.Ahead)
	}
	for _, path := range []string{"branches/none", "zipball/none", "compare/none...main"} {
		if status, text := fetch(t, client, api+path); status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if status, text := fetch(t, client, bookURL); status != http.StatusOK || string(text) != "book" {
		t.Errorf("book: %d %s", status, text)
	}

	for address, folder := range map[string]string{
		api + "zipball/" + branch.Commit.SHA: "skein-" + branch.Commit.SHA,
		skeinURL + "/archive/main.zip/":      "skein-main",
	} {
		_, text := fetch(t, client, address)
		archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		if !slices.ContainsFunc(archive.File, func(f *zip.File) bool { return f.Name == folder+"/file" }) {
			t.Errorf("%s lacks %s/file", address, folder)
		}
	}
}

// TestHubRefuses asks for what is not on this machine.
func TestHubRefuses(t *testing.T) {
	h, client := newTestHub(t)
	if _, err := client.Get("https://example.org/"); err == nil {
		t.Error("https://example.org was not refused")
	}
	if status, text := fetch(t, client, "http://example.org/"); status != http.StatusForbidden {
		t.Errorf("http://example.org: %d %s", status, text)
	}
	if result, err := checkRefused(h); err == nil || !strings.Contains(err.Error(), "example.org:443, example.org") {
		t.Errorf("%q %v", result, err)
	}
}

// TestConfigure fills in the engine's file as it is in the repository.
func TestConfigure(t *testing.T) {
	to := filepath.Join(t.TempDir(), "Skein.json")
	if err := editJSON("Skein.json", to, map[string]any{"source": skeinURL}); err != nil {
		t.Fatal(err)
	}
	var engine struct {
		engineFile
		Source string
	}
	text, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &engine); err != nil {
		t.Fatal(err)
	}
	if engine.Source != skeinURL || engine.NPS < 1 || engine.TestPresets["default"]["test_bounds"] == nil {
		t.Errorf("%+v", engine)
	}
	err = editJSON("Skein.json", to, map[string]any{"sauce": ""})
	if err == nil || !strings.Contains(err.Error(), "sauce") {
		t.Error(err)
	}
}

func TestNewBook(t *testing.T) {
	b, err := newBook("info string ignored x\n" +
		"info string genfens rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1\n")
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(b.archive), int64(len(b.archive)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := archive.Open(bookName)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if want := "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq -\n"; err != nil || string(text) != want {
		t.Errorf("%q, want %q: %v", text, want, err)
	}
}

func TestBenchOf(t *testing.T) {
	if n, err := benchOf("position 1\n\n1195490 nodes 900000 nps\n"); n != 1195490 || err != nil {
		t.Error(n, err)
	}
	for _, out := range []string{"", "info string ERROR: no", "12 nodes"} {
		if n, err := benchOf(out); err == nil {
			t.Errorf("%q: %d", out, n)
		}
	}
}
