package cmd

import (
	"bytes"
	"cmp"
	"fmt"
	markup "html/template"
	"io"
	"net/http"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"schedsweep/cmd/serve"
	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// site is the pages of the folders that a server shows.
type site struct {
	folders []*served
	running sync.Mutex  // held while an instance runs again
	mu      sync.Mutex  // of reruns
	reruns  []*rerun    // the last ones
	memory  int64       // of a re-run
	planned int         // instances of all folders
	env     environment // without notes: pages show them in their own places
	context *cli.Context
}

// served is one run folder that a server shows. Its study is read again when the manifest changes.
type served struct {
	site   *site
	first  study // as it was when the server started
	reopen func() (study, error)
	notes  bytes.Buffer // of reading the manifest

	mu     sync.Mutex // of the fields up to text
	now    followed
	state  string    // of the manifest's files
	broken error     // the manifest could not be read again
	lost   error     // the folder could not be read
	looked time.Time // when new rows were looked for
	text   string    // progress of the folder then

	opened sync.Once  // prepares the pages
	busy   sync.Mutex // of the fields below; held while a page is made
	loaded loaded
}

// seen is of what a page is: the plan, and the state of the part files.
type seen struct {
	plan  *sweep.Plan
	parts [32]byte
}

// mostKept is the most pages that a folder keeps.
const mostKept = 8

// lookEvery is the time between two looks at a folder that a browser watches.
const lookEvery = time.Second

func newSite(env environment, c *cli.Context) (*site, error) {
	if c.NArg() == 0 {
		return nil, misuse("serve: name at least one run folder, or a manifest; see schedsweep serve --help")
	}
	if c.NArg() > 1 && c.IsSet("out") {
		return nil, misuse("serve: --out names one run folder, and %d arguments are given", c.NArg())
	}
	memory, err := memoryOf(c.String("memory-limit"))
	if err != nil {
		return nil, err
	}
	s := &site{memory: memory, env: env, context: c}
	s.env.stdout, s.env.stderr = io.Discard, io.Discard
	for _, path := range c.Args().Slice() {
		f := &served{site: s}
		noted := env
		noted.stderr = &f.notes
		f.reopen = func() (study, error) { f.notes.Reset(); return studyAt(noted, c, path) }
		if f.first, err = f.reopen(); err != nil {
			return nil, err
		}
		f.now = followed{study: f.first}
		f.state, _ = f.first.state() // without it the manifest is read again
		s.folders, s.planned = append(s.folders, f), s.planned+f.first.plan.Len()
	}
	return s, nil
}

// limitHeap gives the heap the room that the rows of all folders and the schedules need, unless the user chooses how much. Without the
// limit, rows would take twice the memory. Above it, the collector would run all the time.
func (s *site) limitHeap() {
	if s.env.getenv("GOGC") != "" || s.env.getenv("GOMEMLIMIT") != "" {
		return
	}
	const least, ofInstance = 256 << 20, 260
	var schedules int64 // in memory nearly the size of their traces, and some room
	s.mu.Lock()
	for _, r := range s.reruns {
		schedules += 2 * r.Events[len(r.Events)-1].End
	}
	s.mu.Unlock()
	debug.SetGCPercent(100) // the limit bounds large heaps, and of small ones each collection would delay a page
	debug.SetMemoryLimit(max(least, int64(s.planned)*ofInstance) + schedules)
}

// prepare reads the rows and judges the claims once a browser looks at the folder, before it asks for a page that needs them. A page
// that waits for the rows comes before the claims. Pages report errors: they try again.
func (p *shownPage) prepare() {
	defer func() { _ = recover() }() // as in a request for a page, which meets the same fault and reports it
	_ = p.reading(func(*loaded) error { return nil })
	time.Sleep(10 * time.Millisecond)
	_ = p.reading(func(l *loaded) error { l.judge(p.st); return nil })
}

// shownPage is a request for a page of a folder.
type shownPage struct {
	*served
	seen
	st   study // as it is now
	w    http.ResponseWriter
	r    *http.Request
	name string
	text string // of the live page
}

// served pages by their names; those with a text are in the navigation.
type servedPage struct {
	name, text string
	show       func(*shownPage) error
}

func servedPages() []servedPage {
	live := func(p *shownPage) error { // events replace the text
		p.send(http.StatusOK, "live", markup.HTML(p.text))
		return nil
	}
	return []servedPage{{"live", "Live", live}, {"explore", "Explore", (*shownPage).explore},
		{"results", "Results", (*shownPage).results}, {"compare", "Compare", (*shownPage).compare},
		{"instance", "Instance", (*shownPage).instance}, {"jobs", "", (*shownPage).jobs}}
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var links []serve.Link
	first, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	for i, f := range s.folders {
		if first == strconv.Itoa(i) {
			f.answer(w, r, rest)
			return
		}
		links = append(links, serve.Link{Href: fmt.Sprintf("%d/live", i), Text: f.first.dir})
	}
	switch {
	case r.URL.Path != "/":
		http.NotFound(w, r)
	case len(links) == 1:
		w.Header().Set("Location", links[0].Href)
		w.WriteHeader(http.StatusSeeOther)
	default:
		serve.Shell{Title: "Run folders", Program: version()}.Send(w, r, http.StatusOK, "folders", links)
	}
}

// answer sends the page of that name.
func (f *served) answer(w http.ResponseWriter, r *http.Request, name string) {
	if name == "live/events" {
		serve.Events(w, r, lookEvery, func() string {
			_, _, text := f.look(true)
			return text
		})
		return
	}
	for _, page := range servedPages() {
		if before, _, _ := strings.Cut(name, "."); before != page.name {
			continue
		}
		f.opened.Do(func() { // beside the look at all rows for the live page
			first := &shownPage{served: f}
			first.st, first.seen, _ = f.look(false)
			go first.prepare()
		})
		p := &shownPage{served: f, w: w, r: r, name: name}
		p.st, p.seen, p.text = f.look(page.name == "live")
		if err := page.show(p); err != nil {
			f.mu.Lock()
			said := f.said(err)
			f.mu.Unlock()
			p.send(http.StatusUnprocessableEntity, "wrong", map[string]string{"Heading": page.text, "Text": said})
		}
		return
	}
	p := &shownPage{served: f, w: w, r: r}
	p.st, p.seen, _ = f.look(false)
	p.send(http.StatusNotFound, "wrong", map[string]string{"Heading": "No such page", "Text": "The links above lead to all pages."})
}

// send answers with a part of the page.
func (p *shownPage) send(code int, part string, data any) {
	m := p.st.manifest
	s := serve.Shell{Title: cmp.Or(strings.TrimSpace(m.Title), m.Name), Program: version(), Inside: "instance?id=",
		Replay: p.st.command("replay", outFlags(p.st.dir, m.Name)...)}
	if len(p.site.folders) > 1 {
		s.Up = "../"
	}
	for _, other := range servedPages() {
		if other.text != "" {
			s.Nav = append(s.Nav, serve.Link{Href: other.name, Text: other.text, Here: other.name == p.name})
		}
	}
	s.Send(p.w, p.r, code, part, data)
}

// once sends the page that was made before of the same rows. It makes others, one after the other, and keeps each without an error.
func (p *shownPage) once(address string, fresh func(*loaded) (code int, page markup.HTML, err error)) error {
	code, page := http.StatusOK, markup.HTML("")
	err := p.reading(func(l *loaded) (err error) {
		var kept bool
		if page, kept = l.pages[address]; kept {
			return nil
		}
		if code, page, err = fresh(l); err == nil && code == http.StatusOK {
			if len(l.pages) == mostKept {
				clear(l.pages)
			}
			l.pages[address] = page
		}
		return err
	})
	if err == nil {
		p.send(code, "made", page) // others need not wait for a slow browser
	}
	return err
}

// state tells apart the manifest and its parents before and after one of them changes or goes away. It is an error if there is no manifest.
func (st study) state() (all string, err error) {
	for i, path := range st.inputs.Manifests {
		state, err := store.StateOf(path)
		if err != nil && i == 0 {
			return "", err
		}
		all += state + " "
	}
	return all, nil
}

// look reads the manifest where it or a parent has changed. One that cannot be read leaves the study as it was. To follow the folder, it
// also reads new part files, unless it has just done so: for browsers that watch it, and where questions depend on rows. It returns the
// study, of what its pages are, and how far the folder was when it was followed last.
func (f *served) look(follow bool) (study, seen, string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch state, err := f.now.state(); {
	case err == nil && state == f.state:
		f.broken = nil
	case err != nil:
		f.broken = fmt.Errorf("the manifest cannot be read; the pages show what it said before: %w", err)
	default:
		st, err := f.reopen()
		if f.broken = err; err == nil {
			f.now, f.state, f.looked = followed{study: st}, state, time.Time{}
		}
	}
	if f.now.inquiry != nil || follow && time.Since(f.looked) > lookEvery/2 {
		f.lost = f.now.look()
		f.text, f.looked = f.live(), time.Now()
	}
	return f.now.study, seen{f.now.plan, store.PartsState(filepath.Join(f.now.dir, folder.Instances))}, f.text
}
