//go:build linux

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Addresses that OpenBench is told. It accepts only repositories on GitHub.
const (
	owner    = "local"
	repoURL  = "https://github.com/" + owner + "/"
	skeinURL = repoURL + "skein"
	bookURL  = skeinURL + "/raw/main/" + bookName + ".zip"
)

// hosts are those that hub answers for.
var hosts = []string{"github.com", "api.github.com"}

// hub is an HTTPS proxy on 127.0.0.1 that answers for GitHub from repositories of
// this machine, with a certificate of its own. It refuses all other addresses.
type hub struct {
	repositories map[string]string // folders by name
	book         []byte            // zip file
	certificate  string            // file that clients have to trust
	address      string            // of the proxy
	proxy        *http.Server
	tunnels      *tunnels

	mu      sync.Mutex
	refused []string // addresses
}

// startHub starts the proxy.
func startHub(m *material) (*hub, error) {
	h := &hub{repositories: m.repositories, book: m.book.archive,
		certificate: filepath.Join(m.folder, "certificate.pem")}
	key, err := newCertificate(h.certificate)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h.address = "http://" + listener.Addr().String()
	h.tunnels = &tunnels{address: listener.Addr(), connections: make(chan net.Conn), closed: make(chan struct{})}
	h.proxy = &http.Server{Handler: http.HandlerFunc(h.connect)}
	go h.proxy.Serve(listener)
	go http.Serve(tls.NewListener(h.tunnels, &tls.Config{Certificates: []tls.Certificate{key}}), h.pages())
	return h, nil
}

func (h *hub) close() {
	h.proxy.Close()
	h.tunnels.Close()
}

// environment returns the variables that lead a Python program and Go through the
// proxy.
func (h *hub) environment() []string {
	return []string{"HTTP_PROXY=" + h.address, "HTTPS_PROXY=" + h.address, "http_proxy=" + h.address,
		"https_proxy=" + h.address, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1",
		"REQUESTS_CA_BUNDLE=" + h.certificate, "GOPROXY=off", "GOTOOLCHAIN=local"}
}

// newCertificate makes a certificate for hosts, which signs itself, and writes it to
// a file.
func newCertificate(name string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	now := time.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: hosts, NotBefore: now.Add(-time.Hour),
		NotAfter: now.Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, os.WriteFile(name, text, 0o666)
}

// connect answers a request to the proxy, which opens a tunnel to one of hosts.
func (h *hub) connect(w http.ResponseWriter, r *http.Request) {
	host, port, _ := net.SplitHostPort(r.Host)
	if r.Method != http.MethodConnect || port != "443" || !slices.Contains(hosts, host) {
		h.mu.Lock()
		h.refused = append(h.refused, r.Host)
		h.mu.Unlock()
		http.Error(w, r.Host+" is not on this machine", http.StatusForbidden)
		return
	}
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprint(connection, "HTTP/1.1 200 OK\r\n\r\n")
	h.tunnels.add(connection)
}

// pages returns the pages of GitHub that OpenBench reads.
func (h *hub) pages() http.Handler {
	mux := http.NewServeMux()
	const api = "GET api.github.com/repos/" + owner + "/{repository}/"
	mux.HandleFunc(api+"branches/{ref}", func(w http.ResponseWriter, r *http.Request) {
		h.describe(w, r, func(commit any) any { return map[string]any{"commit": commit} })
	})
	mux.HandleFunc(api+"commits/{ref}", func(w http.ResponseWriter, r *http.Request) {
		h.describe(w, r, func(commit any) any { return commit })
	})
	mux.HandleFunc(api+"compare/{range}", h.compare)
	mux.HandleFunc(api+"zipball/{ref}", func(w http.ResponseWriter, r *http.Request) {
		h.archive(w, r, r.PathValue("ref"))
	})
	const archive = "GET github.com/" + owner + "/{repository}/archive/{file}/"
	mux.HandleFunc(archive, func(w http.ResponseWriter, r *http.Request) {
		h.archive(w, r, strings.TrimSuffix(r.PathValue("file"), ".zip"))
	})
	mux.HandleFunc("GET "+strings.TrimPrefix(bookURL, "https://"), func(w http.ResponseWriter, _ *http.Request) {
		w.Write(h.book)
	})
	return mux
}

// git runs git in the repository of a request.
func (h *hub) git(r *http.Request, args ...string) ([]byte, error) {
	name := r.PathValue("repository")
	folder, ok := h.repositories[name]
	if !ok {
		return nil, fmt.Errorf("no repository %s", name)
	}
	return command(r.Context(), folder, "git", args...)
}

// describe answers with the hash and the message of a commit, in an object that
// wrap returns.
func (h *hub) describe(w http.ResponseWriter, r *http.Request, wrap func(commit any) any) {
	out, err := h.git(r, "log", "-1", "--format=%H%n%B", "--end-of-options", r.PathValue("ref"))
	if err != nil {
		http.Error(w, `{"message": "Not Found"}`, http.StatusNotFound)
		return
	}
	hash, message, _ := strings.Cut(string(out), "\n")
	answer(w, wrap(map[string]any{"sha": hash, "commit": map[string]any{"message": strings.TrimSpace(message)}}))
}

// compare answers with the number of commits of B that A lacks, for a range A...B.
func (h *hub) compare(w http.ResponseWriter, r *http.Request) {
	a, b, _ := strings.Cut(r.PathValue("range"), "...")
	out, err := h.git(r, "rev-list", "--count", "--end-of-options", a+".."+b)
	var ahead int
	if err == nil {
		_, err = fmt.Sscan(string(out), &ahead)
	}
	if err != nil {
		http.Error(w, `{"message": "Not Found"}`, http.StatusNotFound)
		return
	}
	answer(w, map[string]any{"ahead_by": ahead})
}

// answer writes a value as JSON.
func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(value)
}

// archive answers with the files of a commit as a zip file, in a folder as GitHub
// names it.
func (h *hub) archive(w http.ResponseWriter, r *http.Request, ref string) {
	prefix := r.PathValue("repository") + "-" + ref + "/"
	out, err := h.git(r, "archive", "--format=zip", "--prefix="+prefix, "--end-of-options", ref)
	if err != nil {
		http.Error(w, "Not Found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Write(out)
}

// tunnels is a listener whose connections are those of the tunnels.
type tunnels struct {
	address     net.Addr
	connections chan net.Conn
	once        sync.Once
	closed      chan struct{}
}

// add passes a connection to Accept, or closes it after Close.
func (t *tunnels) add(c net.Conn) {
	select {
	case t.connections <- c:
	case <-t.closed:
		c.Close()
	}
}

// Accept returns the next connection.
func (t *tunnels) Accept() (net.Conn, error) {
	select {
	case c := <-t.connections:
		return c, nil
	case <-t.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (t *tunnels) Close() error {
	t.once.Do(func() { close(t.closed) })
	return nil
}

// Addr returns the address of the proxy.
func (t *tunnels) Addr() net.Addr { return t.address }
