package external

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/host"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

const protocolPage = "../../../docs/reference/module-protocol.md"

// scripted answers as the page shows, and records both sides.
type scripted struct {
	module
	answers []string
	said    []string
}

func (m *scripted) Start(host.Module) (host.Talk, error) { return m, nil }
func (m *scripted) Ask(message []byte) ([]byte, error) {
	answer := `{"now":0,"events":[]}`
	if len(m.answers) > 0 {
		answer, m.answers = m.answers[0], m.answers[1:]
	}
	m.said = append(m.said, "> "+string(message), "< "+answer)
	return []byte(answer), nil
}

// TestProtocolPage: the session that the page shows happens, to the letter, and has every event that the page explains.
func TestProtocolPage(t *testing.T) {
	text, err := os.ReadFile(protocolPage)
	if err != nil {
		t.Fatal(err)
	}
	session := regexp.MustCompile("(?s)```text\n(> .*?)\n```").FindStringSubmatch(string(text))
	if session == nil {
		t.Fatal("the page shows no session")
	}
	m := &scripted{}
	for line := range strings.SplitSeq(session[1], "\n") {
		if answer, is := strings.CutPrefix(line, "< "); is {
			m.answers = append(m.answers, answer)
		}
	}
	order, err := sim.EventOrderByName("default")
	if err != nil {
		t.Fatal(err)
	}
	late := job(5, 6, 30, 2)
	late.Walltime = 12
	var e sim.Engine
	_, err = e.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 2), Order: order, Progress: progress.Isolated{},
		KillAtWalltime: true, Source: simtest.Source([]sim.JobSpec{job(1, 0, 10, 1), job(2, 0, 9, 2), job(3, 0, 50, 1), late}),
		Policy: &Policy{p: Params{Protocol: "lines", Timeout: 5, Dynamic: true}, env: sim.NewEnv(nil, m)}, MaxEvents: 1000})
	if err != nil {
		t.Errorf("the session fails: %v", err)
	}
	if got := strings.Join(m.said, "\n"); got != session[1] {
		t.Errorf("the page shows\n%s\nand the session is\n%s", session[1], got)
	}
	shown := regexp.MustCompile("(?s)```json\n(.*?)\n```").FindAllStringSubmatch(string(text), -1)
	kinds := map[string]bool{}
	for _, s := range shown {
		var one struct {
			Type string
			Data struct{ Type string }
		}
		if err := json.Unmarshal([]byte(s[1]), &one); err != nil {
			t.Errorf("%s: %v", s[1], err)
		}
		kinds[one.Type+" "+one.Data.Type] = true
		if !strings.Contains(session[1], s[1]) {
			t.Errorf("the session has no %s", s[1])
		}
	}
	for _, s := range regexp.MustCompile(`"type":"([A-Z_]+)","data":\{(?:"type":"(\w+)")?`).FindAllStringSubmatch(session[1], -1) {
		if !kinds[s[1]+" "+s[2]] {
			t.Errorf("the page does not explain %s %s", s[1], s[2])
		}
	}
}
