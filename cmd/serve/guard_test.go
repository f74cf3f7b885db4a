package serve

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func guarded(next http.Handler) *Guard {
	return &Guard{Token: "SECRET", Loopback: true, Names: []string{"desk.example"}, Next: next}
}

// TestGuard: only requests that know the token, call the server by a known name and only read get through.
func TestGuard(t *testing.T) {
	for _, c := range []struct {
		method, host, target string
		code                 int
		through              string // path that the next handler sees
	}{
		{"GET", "127.0.0.1:8000", "/SECRET/0/live", 200, "/0/live"},
		{"HEAD", "localhost:1", "/SECRET/", 200, "/"},
		{"GET", "LOCALHOST", "/SECRET/a", 200, "/a"},
		{"GET", "[::1]:8000", "/SECRET/a", 200, "/a"},
		{"GET", "desk.example:80", "/SECRET/a", 200, "/a"},
		{"GET", "127.0.0.1", "/SECRET", 303, ""},
		{"GET", "127.0.0.1", "/?token=SECRET", 303, ""},
		{"GET", "127.0.0.1", "/", 403, ""},
		{"GET", "127.0.0.1", "/?token=SECRE", 403, ""},
		{"GET", "127.0.0.1", "/secret/0/live", 403, ""},
		{"GET", "127.0.0.1", "/SECRETS/0/live", 403, ""},
		{"GET", "127.0.0.1", "//SECRET/0/live", 403, ""},
		{"GET", "evil.example", "/SECRET/0/live", 403, ""},
		{"GET", "localhost.evil.example", "/SECRET/0/live", 403, ""},
		{"GET", "10.0.0.1", "/SECRET/0/live", 403, ""},
		{"GET", "", "/SECRET/0/live", 403, ""},
		{"POST", "127.0.0.1", "/SECRET/0/live", 405, ""},
		{"DELETE", "127.0.0.1", "/SECRET/0/live", 405, ""},
		{"GET", "127.0.0.1", "/SECRET/" + strings.Repeat("a", mostPath), 414, ""},
	} {
		through := ""
		g := guarded(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { through = r.URL.Path }))
		r := httptest.NewRequest(c.method, c.target, nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if w.Code != c.code || through != c.through {
			t.Errorf("%s %s of %s: %d and the path %q, want %d and %q", c.method, c.target, c.host, w.Code, through, c.code, c.through)
		}
		if to := w.Header().Get("Location"); w.Code == 303 && to != "./SECRET/" {
			t.Errorf("%s leads to %q, which is not relative", c.target, to)
		}
		if w.Header().Get("Content-Security-Policy") != Policy || strings.Contains(Policy, "unsafe") || strings.Contains(Policy, "http") {
			t.Errorf("the policy is %q", w.Header().Get("Content-Security-Policy"))
		}
	}
	body := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/SECRET/", strings.NewReader("x"))
	r.Host = "localhost"
	guarded(nil).ServeHTTP(body, r)
	panicking := httptest.NewRecorder()
	r = httptest.NewRequest("GET", "/SECRET/", nil)
	r.Host = "localhost"
	guarded(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("x") })).ServeHTTP(panicking, r)
	if body.Code != 400 || panicking.Code != 500 {
		t.Errorf("a body has the code %d, a page that panics %d", body.Code, panicking.Code)
	}
}

// TestGuardLetsNobodyThrough: no address without the token, and no method but two, reaches a page.
func TestGuardLetsNobodyThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reached := false
		g := guarded(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
		r := httptest.NewRequest("GET", "/", nil)
		r.Method = rapid.StringMatching(`[A-Z]{1,8}`).Draw(t, "method")
		r.Host = rapid.SampledFrom([]string{"localhost", "127.0.0.1:80", "evil", "\x00", "[", "::1", "127.0.0.1.evil"}).Draw(t, "host")
		r.URL.Path = rapid.OneOf(rapid.String(), rapid.StringMatching(`/{0,2}(SECRET|secret|SECRET%2f|\.\.)?(/\.\.)?[/a-z]{0,9}`)).Draw(t, "path")
		g.ServeHTTP(httptest.NewRecorder(), r)
		rest, known := strings.CutPrefix(strings.TrimPrefix(r.URL.Path, "/"), "SECRET/")
		may := known && len(rest) < mostPath && (r.Method == "GET" || r.Method == "HEAD") && (r.Host == "localhost" || r.Host == "::1" ||
			r.Host == "127.0.0.1:80")
		if reached != may {
			t.Fatalf("%s %q of %q reached a page: %v", r.Method, r.URL.Path, r.Host, reached)
		}
	})
}

// TestVendored: what comes from npm is what its README says.
func TestVendored(t *testing.T) {
	readme, err := os.ReadFile("vendored/README.md")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("vendored")
	if err != nil || len(entries) < 4 {
		t.Fatal(entries, err)
	}
	for _, e := range entries {
		if e.Name() == "README.md" {
			continue
		}
		text, err := os.ReadFile("vendored/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		if !strings.Contains(string(readme), hex.EncodeToString(sum[:])+"  "+e.Name()+"\n") {
			t.Errorf("%s has the SHA-256 %x, which the README does not name", e.Name(), sum)
		}
	}
}

// TestOwnScriptIsSmall: scripts and style that are not from npm have at most 8,700 bytes, half of the 17 kB of those in a report.
func TestOwnScriptIsSmall(t *testing.T) {
	if n := len(ownScript) + len(ownStyle); n > 8700 {
		t.Errorf("the server's own script and style have %d bytes", n)
	}
}

// TestShellRunsOnlyItsScripts: a hostile text reaches a page as text.
func TestShellRunsOnlyItsScripts(t *testing.T) {
	hostile := `</title><script>alert(1)</script>"'><img src=x onerror=alert(1)>`
	w := httptest.NewRecorder()
	Shell{Title: hostile, Replay: hostile, Inside: hostile, Nav: []Link{{hostile, hostile, true}}}.Send(w,
		httptest.NewRequest("GET", "/", nil), 200, "wrong", map[string]string{"Heading": hostile, "Text": hostile})
	if page := w.Body.String(); strings.Contains(page, "<img") || strings.Count(page, "<script") != 2 {
		t.Errorf("a hostile text is more than text: %d scripts", strings.Count(page, "<script"))
	}
	part := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("HX-Request", "true")
	Shell{}.Send(part, r, 422, "wrong", map[string]string{"Heading": "h", "Text": "t"})
	if part.Code != 422 || strings.Contains(part.Body.String(), "<html") {
		t.Errorf("htmx gets the code %d and a whole page", part.Code)
	}
}

// TestPagesHaveTitlesOfTheirOwn: tabs of one run differ in their titles.
func TestPagesHaveTitlesOfTheirOwn(t *testing.T) {
	w := httptest.NewRecorder()
	Shell{Title: "loads", Nav: []Link{{"live", "Live", false}, {"explore", "Explore", true}}}.Send(w,
		httptest.NewRequest("GET", "/", nil), 200, "wrong", map[string]string{"Heading": "h", "Text": "t"})
	if page := w.Body.String(); !strings.Contains(page, "<title>Explore - loads - schedsweep</title>") {
		t.Error(page)
	}
}

// TestEvents: a reader gets the text at once, each change after it, and nothing twice.
func TestEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		texts := []string{"one\ntwo", "one\ntwo", "three\rfour"}
		in, out := io.Pipe()
		r := httptest.NewRequest("GET", "/", nil).WithContext(t.Context())
		ended := make(chan bool)
		go func() {
			Events(&piped{ResponseRecorder: httptest.NewRecorder(), w: out}, r, time.Second, func() string {
				text := texts[0]
				texts = texts[min(1, len(texts)-1):]
				return text
			})
			close(ended)
		}()
		began := time.Now()
		for after, want := range []string{"data: one\ndata: two\n\n", ":\n\n", "data: three\ndata: four\n\n", ":\n\n"} {
			b := make([]byte, 100)
			if n, err := in.Read(b); err != nil || string(b[:n]) != want || time.Since(began) != time.Duration(after)*time.Second {
				t.Fatalf("%q after %v, %v; want %q", b[:n], time.Since(began), err, want)
			}
		}
		in.Close()
		<-ended // the reader went away
	})
}

type piped struct {
	*httptest.ResponseRecorder
	w io.Writer
}

func (p *piped) Write(b []byte) (int, error) { return p.w.Write(b) }
