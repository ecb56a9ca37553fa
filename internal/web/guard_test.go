package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
)

// TestGuard sends requests from this page and from others.
func TestGuard(t *testing.T) {
	const own, ownOrigin = "127.0.0.1:8960", "http://127.0.0.1:8960"
	type header map[string]string
	following := header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
	for _, tt := range []struct {
		name, method, path, host string
		header                   header
		status                   int
	}{
		{"page", "GET", "/", own, nil, 200},
		{"page by name", "GET", "/", "localhost:8960", nil, 200},
		{"page by IPv6", "GET", "/", "[::1]:8960", nil, 200},
		{"own request", "POST", "/api/position", own,
			header{"Origin": ownOrigin, "Sec-Fetch-Site": "same-origin"}, 200},
		{"typed address", "GET", "/", own, header{"Sec-Fetch-Site": "none"}, 200},
		{"link to the page", "GET", "/", own, following, 200},
		{"DNS rebinding", "GET", "/api/engine", "hostile.example:8960", nil, 403},
		{"DNS rebinding of the stream", "POST", "/api/analyze", "hostile.example:8960",
			header{"Origin": "http://hostile.example:8960", "Sec-Fetch-Site": "same-origin"}, 403},
		{"name that begins alike", "GET", "/", "127.0.0.1.hostile.example:8960", nil, 403},
		{"name that ends alike", "GET", "/", "hostile-localhost:8960", nil, 403},
		{"other machine", "GET", "/", "192.168.1.2:8960", nil, 403},
		{"other port", "GET", "/", "127.0.0.1:8961", nil, 403},
		{"no port", "GET", "/", "127.0.0.1", nil, 403},
		{"no host", "GET", "/", "", nil, 403},
		{"hostile origin", "POST", "/api/position", own, header{"Origin": "http://hostile.example"}, 403},
		{"hostile origin that reads", "GET", "/api/engine", own, header{"Origin": "http://hostile.example"}, 403},
		{"other origin of this machine", "POST", "/api/position", own, header{"Origin": "http://127.0.0.1:3000"}, 403},
		{"origin with https", "POST", "/api/position", own, header{"Origin": "https://127.0.0.1:8960"}, 403},
		{"sandboxed frame or file", "POST", "/api/position", own, header{"Origin": "null"}, 403},
		{"other site without an origin", "GET", "/api/engine", own, header{"Sec-Fetch-Site": "cross-site"}, 403},
		{"other port of this machine", "GET", "/api/engine", own, header{"Sec-Fetch-Site": "same-site"}, 403},
		{"link to data", "GET", "/api/engine", own, following, 403},
		{"form", "POST", "/api/position", own, header{"Content-Type": "text/plain"}, 415},
		{"form as JSON", "POST", "/api/position", own, header{"Content-Type": "application/json; charset=utf-8"}, 200},
	} {
		passed := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
		g := newGuard(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(own)), "", passed)
		r := httptest.NewRequest(tt.method, tt.path, nil)
		r.Host = tt.host
		if tt.method == "POST" {
			r.Header.Set("Content-Type", "application/json")
		}
		for name, value := range tt.header {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if w.Code != tt.status {
			t.Errorf("%s: status %d, want %d", tt.name, w.Code, tt.status)
		}
		p := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(p, "default-src 'none'") || strings.Contains(p, "unsafe") {
			t.Errorf("%s: policy %q", tt.name, p)
		}
	}
}

// TestToken listens beyond the loopback.
func TestToken(t *testing.T) {
	passed := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	g := newGuard(&net.TCPAddr{IP: net.IPv4zero, Port: 8960}, "secret", passed)
	get := func(host, path string, cookies []*http.Cookie) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Host = host
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		return w
	}
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"192.168.1.2:8960", name + ":8960", "127.0.0.1:8960"} {
		if w := get(host, "/", nil); w.Code != http.StatusUnauthorized {
			t.Errorf("%s: status %d without a token", host, w.Code)
		}
	}
	const host = "192.168.1.2:8960"
	if w := get("hostile.example:8960", "/?token=secret", nil); w.Code != http.StatusForbidden {
		t.Errorf("another name: status %d", w.Code)
	}
	for _, token := range []string{"", "secre", "secretly"} {
		if w := get(host, "/?token="+token, nil); w.Code != http.StatusUnauthorized || len(w.Result().Cookies()) > 0 {
			t.Errorf("token %q: status %d", token, w.Code)
		}
	}
	if w := get(host, "/api/engine?token=secret", nil); w.Code != http.StatusUnauthorized {
		t.Errorf("token for another path: status %d", w.Code)
	}
	w := get(host, "/?token=secret", nil)
	cookies := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" || len(cookies) != 1 {
		t.Fatalf("status %d, header %v", w.Code, w.Header())
	}
	if c := cookies[0]; !c.HttpOnly || c.SameSite != http.SameSiteLaxMode {
		t.Errorf("cookie %v", c)
	}
	if w := get(host, "/api/engine", cookies); w.Code != http.StatusOK {
		t.Errorf("with the cookie: status %d", w.Code)
	}
	cookies[0].Value = "wrong"
	if w := get(host, "/api/engine", cookies); w.Code != http.StatusUnauthorized {
		t.Errorf("with a wrong cookie: status %d", w.Code)
	}
}
