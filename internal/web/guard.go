package web

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// guard refuses requests that do not come from the page of this server, so that no
// other page that the browser shows can use the engine or read games:
//
//   - Host must be a name or address of this machine, or any IP address if other machines
//     can reach it, with the port of the server. In an attack by DNS rebinding it is the
//     name of the hostile site.
//   - Origin, and where browsers say so the site that a request comes from
//     (Sec-Fetch-Site), must be the same as Host. Following a link to the page is
//     allowed.
//   - Requests that have a body must declare it as JSON, which forms cannot.
//   - With a token, a cookie must have it. The address of the page with the token as
//     parameter sets the cookie.
type guard struct {
	next     http.Handler
	port     string
	loopback bool   // only the names of the loopback are hosts
	machine  string // another name of this machine
	token    string
}

func newGuard(address net.Addr, token string, next http.Handler) *guard {
	g := &guard{next: next, token: token}
	if bound, err := netip.ParseAddrPort(address.String()); err == nil {
		g.port, g.loopback = strconv.Itoa(int(bound.Port())), bound.Addr().IsLoopback()
	}
	if !g.loopback {
		g.machine, _ = os.Hostname()
	}
	return g
}

// policy allows what the page consists of and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP implements http.Handler.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	switch {
	case !g.knows(r.Host):
		refuse(w, http.StatusForbidden, "the host "+strconv.Quote(r.Host)+" is not an address of this server")
	case !sameOrigin(r):
		refuse(w, http.StatusForbidden, "requests from other sites are refused")
	case r.Method == http.MethodPost && !isJSON(r.Header.Get("Content-Type")):
		refuse(w, http.StatusUnsupportedMediaType, "the content type is not application/json")
	case g.token == "" || g.hasCookie(r):
		g.next.ServeHTTP(w, r)
	case r.Method == http.MethodGet && r.URL.Path == "/" && g.matches(r.URL.Query().Get("token")):
		// A strict cookie would not be sent to where the page is opened by a link of another site.
		http.SetCookie(w, &http.Cookie{Name: g.cookie(), Value: g.token, Path: "/", HttpOnly: true,
			SameSite: http.SameSiteLaxMode})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	default:
		refuse(w, http.StatusUnauthorized, "the token is missing or wrong: open the address that engine serve printed")
	}
}

// knows reports whether a Host names this server.
func (g *guard) knows(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.Trim(host, "[]"), "80"
	}
	if port != g.port {
		return false
	}
	if strings.EqualFold(name, "localhost") || g.machine != "" && strings.EqualFold(name, g.machine) {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && (ip.IsLoopback() || !g.loopback)
}

// sameOrigin reports whether a request comes from the page, or opens it.
func sameOrigin(r *http.Request) bool {
	if origin := r.Header.Values("Origin"); len(origin) > 1 || len(origin) == 1 && origin[0] != "http://"+r.Host {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
}

func isJSON(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(kind), "application/json")
}

// cookie returns the name of the cookie with the token. Servers on other ports of the
// same machine get the same cookies.
func (g *guard) cookie() string { return "skein-" + g.port }

func (g *guard) hasCookie(r *http.Request) bool {
	c, err := r.Cookie(g.cookie())
	return err == nil && g.matches(c.Value)
}

func (g *guard) matches(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(g.token)) == 1
}
