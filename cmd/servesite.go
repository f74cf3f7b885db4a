package cmd

import (
	"bytes"
	"context"
	"fmt"
	markup "html/template"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"schedsweep/cmd/serve"
	"schedsweep/harness/rows"
	"schedsweep/sweep"
)

// site is the pages of the folders that a server shows.
type site struct {
	folders []*served
	reruns  reruns
	memory  int64 // of a re-run
	env     environment
	context *cli.Context
}

// served is one run folder that a server shows. Its study is read again when the manifest changes.
type served struct {
	site   *site
	path   string        // of the manifest
	first  study         // as it was when the server started
	read   chan struct{} // closed when the folder was read first
	reopen func() (study, error)
	notes  bytes.Buffer // of reading the manifest

	mu     sync.Mutex // of what follows, up to topic
	st     study
	stamp  string // of the manifest
	broken error  // the manifest could not be read again
	tail   *rows.Tail
	lost   error // the folder could not be listed
	topic  serve.Topic

	opened sync.Once  // prepares the pages
	busy   sync.Mutex // of what follows; held while a page is made
	loaded loaded

	keeping sync.Mutex // of what follows
	kept    []keptPage
}

// keptPage is a page without its frame, made of a number of part files.
type keptPage struct {
	parts int
	plan  *sweep.Plan
	of    string
	page  markup.HTML
}

// mostKept is how many pages a folder keeps.
const mostKept = 8

// lookEvery is how often a folder is looked at that a browser watches.
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
	for _, path := range c.Args().Slice() {
		f := &served{site: s, read: make(chan struct{})}
		noted := env
		noted.stderr = &f.notes
		f.reopen = func() (study, error) { f.notes.Reset(); return studyAt(noted, c, path) }
		if f.st, err = f.reopen(); err != nil {
			return nil, err
		}
		f.path, f.first = f.st.path, f.st
		f.stamp, _ = stampOf(f.path) // without a stamp the manifest is read again
		s.folders = append(s.folders, f)
	}
	return s, nil
}

// limitHeap lets the collector run as often as the rows of all folders and the schedules need, unless the user chooses how often.
// Less often collected, rows would take twice the memory. Above the limit, it would run all the time.
func (s *site) limitHeap() {
	if s.env.getenv("GOGC") != "" || s.env.getenv("GOMEMLIMIT") != "" {
		return
	}
	const least, ofInstance = 256 << 20, 280
	instances := 0
	for _, f := range s.folders {
		instances += f.first.plan.Len()
	}
	debug.SetGCPercent(50) // as analyze
	debug.SetMemoryLimit(max(least, int64(instances)*ofInstance) + s.reruns.heap())
}

func stampOf(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(info.Size(), info.ModTime()), nil
}

// watch looks at folders while browsers watch them.
func (s *site) watch(ctx context.Context) {
	for _, f := range s.folders {
		f.look(time.Now())
		close(f.read)
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, f := range s.folders {
			if f.topic.Readers() > 0 {
				f.look(time.Now())
			}
		}
	}
}

// prepare reads the rows and judges the claims once a browser looks at the folder, before it asks for a page that needs them. A page
// that waits for the rows comes before the claims. Pages report errors: they try again.
func (f *served) prepare() {
	p := &shownPage{served: f}
	p.st, p.parts = f.look(time.Now())
	step := func(do func(*loaded) error) {
		f.busy.Lock()
		defer f.busy.Unlock()
		defer func() { _ = recover() }() // as in a request for a page, which meets the same fault and reports it
		if l, err := p.load(); err == nil {
			_ = do(l)
		}
	}
	step(func(*loaded) error { return nil })
	time.Sleep(10 * time.Millisecond)
	step(func(l *loaded) error {
		d, err := l.spec.Design.Resolved(l.frame)
		if err != nil {
			return err
		}
		return l.judged.make(p.st, d, l.frame, l.rows)
	})
}

// shownPage is a request for a page of a folder.
type shownPage struct {
	*served
	st    study // as it is now
	parts int   // part files that were read so far
	w     http.ResponseWriter
	r     *http.Request
	name  string
	now   time.Time
}

// served pages by their names; those with a text are in the navigation.
type servedPage struct {
	name, text string
	show       func(*shownPage) error
}

func servedPages() []servedPage {
	return []servedPage{{"live", "Live", (*shownPage).live}, {"explore", "Explore", (*shownPage).explore},
		{"results", "Results", (*shownPage).results}, {"compare", "Compare", (*shownPage).compare},
		{"instance", "Instance", (*shownPage).instance}, {"jobs", "", (*shownPage).jobs}}
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if r.URL.Path == "/" && len(s.folders) == 1 {
		w.Header().Set("Location", "0/live")
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	if r.URL.Path == "/" {
		var links []serve.Link
		for i, f := range s.folders {
			links = append(links, serve.Link{Href: fmt.Sprintf("%d/live", i), Text: f.first.dir})
		}
		serve.Shell{Title: "Run folders", Program: version()}.Send(w, r, http.StatusOK, "folders", links)
		return
	}
	n, err := strconv.Atoi(first)
	if err != nil || strconv.Itoa(n) != first || n < 0 || n >= len(s.folders) {
		http.NotFound(w, r)
		return
	}
	f := s.folders[n]
	if rest == "live/events" {
		f.topic.ServeHTTP(w, r)
		return
	}
	for _, p := range servedPages() {
		if name, _, _ := strings.Cut(rest, "."); name == p.name {
			q := &shownPage{served: f, w: w, r: r, name: rest, now: time.Now()}
			if q.st, q.parts = f.first, -1; p.name != "live" || f.readSoon() {
				q.st, q.parts = f.look(q.now)
			}
			f.opened.Do(func() { go f.prepare() })
			if err := p.show(q); err != nil {
				q.send(http.StatusUnprocessableEntity, "wrong", map[string]string{"Heading": p.text, "Text": err.Error()})
			}
			return
		}
	}
	http.NotFound(w, r)
}

// noted is the environment without notes: pages show them in their own places.
func (p *shownPage) noted() environment {
	env := p.site.env
	env.stdout, env.stderr = io.Discard, io.Discard
	return env
}

// send answers with a part of the page.
func (p *shownPage) send(code int, part string, data any) {
	title := p.st.manifest.Title
	if title = strings.TrimSpace(title); title == "" {
		title = p.st.manifest.Name
	}
	s := serve.Shell{Title: title, Program: version(), Inside: "instance?id=",
		Replay: p.st.command("replay", outFlags(p.st.dir, p.st.manifest.Name)...)}
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
func (p *shownPage) once(of string, fresh func() (code int, page markup.HTML, err error)) error {
	code, page := http.StatusOK, p.keep(of, "")
	if page == "" {
		p.busy.Lock()
		err := func() (err error) {
			defer p.busy.Unlock()
			if page = p.keep(of, ""); page != "" { // another viewer was first
				return nil
			}
			if code, page, err = fresh(); err == nil && code == http.StatusOK {
				p.keep(of, page)
			}
			return err
		}()
		if err != nil {
			return err
		}
	}
	p.send(code, "made", page) // others need not wait for a slow browser
	return nil
}

// keep keeps a page, or finds it where none is given.
func (p *shownPage) keep(of string, page markup.HTML) markup.HTML {
	p.keeping.Lock()
	defer p.keeping.Unlock()
	p.kept = slices.DeleteFunc(p.kept, func(k keptPage) bool { return k.parts != p.parts || k.plan != p.st.plan })
	if i := slices.IndexFunc(p.kept, func(k keptPage) bool { return k.of == of }); page == "" && i >= 0 {
		return p.kept[i].page
	} else if page != "" {
		p.kept = append(p.kept[max(0, len(p.kept)+1-mostKept):], keptPage{p.parts, p.st.plan, of, page})
	}
	return page
}

// readSoon waits for the first reading of the folder, which takes a while of a million rows; false where it goes on.
func (f *served) readSoon() bool {
	select {
	case <-f.read:
		return true
	case <-time.After(time.Second):
		return false
	}
}

// look reads changes: the manifest where it has changed, and new part files. A manifest that cannot be read leaves the study as
// it was. It returns the study and how many part files were read so far.
func (f *served) look(now time.Time) (study, int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch stamp, err := stampOf(f.path); {
	case err == nil && stamp == f.stamp:
		f.broken = nil
	case err != nil:
		f.broken = fmt.Errorf("the manifest cannot be read; the pages show what it said before: %w", err)
	default:
		st, err := f.reopen()
		if f.broken = err; err == nil {
			f.st, f.stamp = st, stamp
			f.follow()
		}
	}
	if f.tail == nil {
		f.follow()
	}
	news, err := f.tail.Look()
	if f.lost = err; news > 0 && f.st.inquiry != nil {
		before := f.st.plan
		if _, err := f.st.look(); err != nil {
			f.lost = err
		} else if f.st.plan != before { // a question wants more
			f.follow()
			_, f.lost = f.tail.Look()
		}
	}
	f.publish(now)
	return f.st, f.tail.Parts
}

// follow counts the rows of the plan from the beginning.
func (f *served) follow() {
	parts := 0
	if f.tail != nil {
		parts = f.tail.Parts + 1
	}
	f.tail = rows.NewTail(f.st.withLogs().plan, f.st.dir)
	f.tail.Parts = parts
}
