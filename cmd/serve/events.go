package serve

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Topic is a text that changes, and the browsers that wait for its next version. It has a text before a browser reads it.
type Topic struct {
	mu      sync.Mutex
	text    string
	changed chan struct{} // closed with the next version
	readers atomic.Int32
}

// Publish replaces the text.
func (t *Topic) Publish(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text == t.text {
		return
	}
	if t.changed != nil {
		close(t.changed)
	}
	t.text, t.changed = text, make(chan struct{})
}

// Readers is how many browsers wait.
func (t *Topic) Readers() int { return int(t.readers.Load()) }

// Now is the text, and a channel that is closed with the next version.
func (t *Topic) Now() (text string, next <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text, t.changed
}

// ServeHTTP sends the text, and each later version, as server-sent events until the browser goes away.
func (t *Topic) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t.readers.Add(1)
	defer t.readers.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy passes each event on at once
	out := http.NewResponseController(w)
	beat := time.NewTicker(15 * time.Second) // finds browsers that went away
	defer beat.Stop()
	last := ""
	for r.Method == http.MethodGet {
		text, next := t.Now()
		if text != last {
			last = text
			if _, err := fmt.Fprintf(w, "data: %s\n\n", strings.ReplaceAll(text, "\n", "\ndata: ")); err != nil {
				return
			}
		}
		if out.Flush() != nil {
			return
		}
		select {
		case <-next:
		case <-beat.C:
			if _, err := fmt.Fprint(w, ":\n\n"); err != nil {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}
