// Package serve is the shell of the pages that schedsweep serve shows: who may read them, what a browser may do with them, and
// how they change while they are open.
//
// [Guard] lets requests through that know the token. [Shell] puts a part of a page into the whole page, or sends the part
// alone to htmx. [Events] sends a part each time that it changes. The package reads no run folder and computes nothing.
package serve

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

const (
	mostPath = 4096 // bytes of a path with its query
	// MostHeader bounds the headers of a request in bytes.
	MostHeader = 16 << 10
)

// Guard answers requests for /TOKEN/..., and refuses all others. It passes the rest of the path on.
type Guard struct {
	Token string
	// Names are the host names by which browsers may call the server, beside localhost and addresses.
	Names []string
	// Loopback refuses addresses that are not those of this machine alone.
	Loopback bool
	Next     http.Handler
}

func (g *Guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if recover() != nil { // a page of a hostile request; the server goes on
			http.Error(w, "the page could not be made", http.StatusInternalServerError)
		}
	}()
	h := w.Header()
	h.Set("Content-Security-Policy", Policy)
	for name, value := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
		"Cache-Control": "no-store"} {
		h.Set(name, value)
	}
	token, rest, inside := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case !g.knows(r.Host):
		http.Error(w, "This server does not answer for the host name of the request. Use the address that schedsweep printed.",
			http.StatusForbidden)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "These pages can only be read.", http.StatusMethodNotAllowed)
	case r.ContentLength != 0 || len(r.TransferEncoding) > 0:
		http.Error(w, "A request has no body here.", http.StatusBadRequest)
	case len(r.URL.Path)+len(r.URL.RawQuery) > mostPath:
		http.Error(w, "The address is too long.", http.StatusRequestURITooLong)
	case g.is(token) && !inside:
		lead(w, token)
	case g.is(token):
		r = r.Clone(r.Context())
		r.URL.Path, r.URL.RawPath = "/"+rest, ""
		g.Next.ServeHTTP(w, r)
	case r.URL.Path == "/" && g.is(r.URL.Query().Get("token")): // the token goes into the path, so that every link is relative
		lead(w, g.Token)
	default:
		http.Error(w, "The address lacks the token of this server. Open the whole address that schedsweep serve printed.", http.StatusForbidden)
	}
}

// lead is relative, so that it also holds where a proxy shows the server under a path.
func lead(w http.ResponseWriter, token string) {
	w.Header().Set("Location", "./"+token+"/")
	w.WriteHeader(http.StatusSeeOther)
}

func (g *Guard) is(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(g.Token)) == 1
}

// knows reports whether a browser may call the server by this name. It refuses a foreign page whose own name leads here.
func (g *Guard) knows(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if addr, err := netip.ParseAddr(name); err == nil {
		return !g.Loopback || addr.IsLoopback()
	}
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || slices.Contains(g.Names, name)
}
