package serve

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// lines begins each line of a text as a part of one event. To browsers, a carriage return also ends a line.
var lines = strings.NewReplacer("\r\n", "\ndata: ", "\n", "\ndata: ", "\r", "\ndata: ")

// Events sends a text, and each other text that it becomes, as server-sent events until the browser goes away. It looks for a new one
// at this interval.
func Events(w http.ResponseWriter, r *http.Request, every time.Duration, now func() string) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy passes each event on at once
	out := http.NewResponseController(w)
	tick := time.NewTicker(every)
	defer tick.Stop()
	last := ""
	for r.Method == http.MethodGet {
		event := ":" // finds browsers that went away
		if text := now(); text != last {
			last, event = text, "data: "+lines.Replace(text)
		}
		if _, err := fmt.Fprintf(w, "%s\n\n", event); err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}
