package gantt

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzSchedule: a schedule or a trace of a stranger is read and drawn, with the reasons of its waits, or it is refused.
func FuzzSchedule(f *testing.F) {
	for _, text := range []string{"job_id,submit,start,finish,allocated,user\n1,0,1,5,0-2 4,7\n2,0,5,,,\n",
		"job,from,to,share,site\n1,0,5,0.5,0\n2,1,5,0.5,0\n"} {
		f.Add([]byte(text), false)
	}
	for _, lines := range []string{traced, `{"event":"instance","trace":2}` + "\n" + fourProcessors, `{"event":"instance","trace":2}
{"t":1,"event":"down","state":"boot","allocated":"0-2"}
{"t":2,"event":"renumber","job":1,"seq":2,"was":0}
{"t":2,"event":"requeue","job":1,"seq":2,"allocated":"0-1"}
`} {
		f.Add([]byte(lines), true)
	}
	m := Machine{Procs: 4, Policy: "easy", InOrder: true, Limits: []Limit{{"policy.limits[0]", true, 1, "job"}}}
	f.Fuzz(func(t *testing.T, text []byte, trace bool) {
		read := Read
		if trace {
			read = ReadTrace
		}
		s, err := read("x", bytes.NewReader(text))
		if err != nil {
			if !strings.Contains(err.Error(), "schedule x") {
				t.Errorf("the message does not name the file: %v", err)
			}
			return
		}
		for i := range min(len(s.Submitted), 20) {
			if why := s.Why(i, &m); len(why) == 0 {
				t.Errorf("job %d has no sentence", i)
			}
		}
		for _, o := range []Options{{}, {Load: true, By: "user"}, {From: 1, To: 3}} {
			if _, err := Draw("x", []*Schedule{s}, o); err != nil && err.Error() == "" {
				t.Error("an error without words")
			}
		}
	})
}
