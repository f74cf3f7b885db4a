package platform_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"schedsweep/sim"
	"schedsweep/sim/platform"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// withEvents is the machine of three thin nodes of 4 cores behind two large ones of 8, with events.
func withEvents(events ...platform.Event) platform.Params {
	p := machine()
	for _, e := range events {
		for field, value := range map[*string]string{&e.Law: "none", &e.Do: "down", &e.Known: "not", &e.Per: "node"} {
			if *field == "" {
				*field = value
			}
		}
		p.Events = append(p.Events, e)
	}
	return p
}

func outagesOf(t *testing.T, p platform.Params, file string) (string, error) {
	t.Helper()
	return outagesFrom(t, 0, p, file)
}

// outagesFrom has the workload begin at a time of its log.
func outagesFrom(t *testing.T, begin float64, p platform.Params, file string) (string, error) {
	t.Helper()
	return outagesBy(t, platform.Clock{Start: time.Date(2012, 3, 1, 0, 0, 0, 0, time.UTC), Begin: begin}, p, file)
}

func outagesBy(t *testing.T, clock platform.Clock, p platform.Params, file string) (string, error) {
	t.Helper()
	p.Validate(func(field, message string) { t.Errorf("%s: %s", field, message) })
	on, err := platform.Build(p, 0)
	if err != nil {
		t.Fatal(err)
	}
	all, err := p.Outages(platform.Surroundings{On: on, Clock: clock,
		Names: sim.Names{Users: []string{"ada", "bob"}}, User: func(n int32) bool { return n < 3 }, Read: func(path string) ([]byte, error) {
			if file == "" {
				return nil, errors.New("no file")
			}
			return []byte(file), nil
		}})
	var text []string
	for _, o := range all {
		text = append(text, fmt.Sprintf("%s %s %g-%g %v", o.Kind, sim.AppendSpans(nil, o.Procs), o.From, o.Until, o.For))
	}
	return strings.Join(text, "; "), err
}

// TestEvents: dates and times, classes and nodes, files, up events, members.
func TestEvents(t *testing.T) {
	for want, c := range map[string]struct {
		events []platform.Event
		file   string
	}{
		"down 16-27 86400-129600 {[] [] []}": {[]platform.Event{{From: "2012-03-02", To: "2012-03-02T12:00", Nodes: []string{"thin"}}}, ""},
		"drain 0-27 60-7200 {[] [] []}":      {[]platform.Event{{From: "1min", To: "2h", Do: "drain"}}, ""},
		"drain 0-27 300-5400 {[] [] []}":     {[]platform.Event{{From: "5 m", To: "1h30m", Do: "drain"}}, ""},
		"reserve 8-19 0-10 {[1 2] [] [1]}": {[]platform.Event{{From: "0", To: "10s", Do: "reserve", Nodes: []string{"thin/0", "large/1"},
			Users: []string{"bob", "2"}, Partitions: []string{"other"}}}, ""},
		"down 20-23 5-8 {[] [] []}; down 16-19 24-27 5-+Inf {[] [] []}": {[]platform.Event{{From: "5", Nodes: []string{"thin"}},
			{From: "8", Nodes: []string{"thin/1"}, Do: "up"}}, ""},
		"down 16-27 5-8 {[] [] []}; drain 0-15 9-10 {[] [] []}": {[]platform.Event{{File: "e.csv"}},
			"from,to,nodes,do,known\n5,8,thin,down,not\n2012-03-01T00:00:09,10s,large,drain,ahead\n"},
		"down 0-27 5-8 {[] [] []}": {[]platform.Event{{File: "e.csv"}}, "\ufefffrom,to\n5,8\n"},
	} {
		if got, err := outagesOf(t, withEvents(c.events...), c.file); err != nil || got != want {
			t.Errorf("got %q (%v), want %q", got, err, want)
		}
	}
}

// TestEventsOfWindows: a workload begins a day after its log. Dates are those of the log, and times are after time 0 of the workload. What
// ends before has no effect, and what ends an event then does.
func TestEventsOfWindows(t *testing.T) {
	for want, e := range map[string][]platform.Event{
		"down 16-27 0-3600 {[] [] []}":    {{From: "2012-03-01T12:00", To: "2012-03-02T01:00", Nodes: []string{"thin"}}},
		"drain 0-27 3600-7200 {[] [] []}": {{From: "2012-03-02T01:00", To: "2012-03-02T02:00", Do: "drain"}},
		"drain 0-27 60-7200 {[] [] []}":   {{From: "1min", To: "2h", Do: "drain"}},
		"": {{From: "2012-03-01T12:00", To: "2012-03-02"}, {From: "2012-03-01T01:00", Nodes: []string{"thin"}},
			{From: "2012-03-01T02:00", Do: "up"}},
	} {
		if got, err := outagesFrom(t, 24*3600, withEvents(e...), ""); err != nil || got != want {
			t.Errorf("got %q (%v), want %q", got, err, want)
		}
	}
}

// TestEventsOfSummerTime: the clocks of Berlin go back at 3:00, 3 h after time 0, so that the hour from 2:00 comes twice. Dates are local
// ones; an offset says which of two is meant. Dates of files without an offset know no summer time.
func TestEventsOfSummerTime(t *testing.T) {
	for want, c := range map[string]struct {
		from, to string
		begin    float64
	}{
		"down 0-27 7200-14400":   {"2023-10-29T02:00", "2023-10-29T03:00", 0},
		"down 0-27 13200-13800":  {"2023-10-29T02:40+01:00", "2023-10-29T02:50", 0}, // the first one after the begin
		"down 0-27 10800-14400":  {"2023-10-29T02:00+01:00", "2023-10-29T03:00", 0},
		"down 0-27 7201-10800":   {"2023-10-29T02:00:01+02:00", "2023-10-29T01:00Z", 0},
		"down 0-27 3600-90000":   {"2023-10-29T04:00", "2023-10-30T04:00", 4 * 3600},
		"drain 0-27 7200-10800":  {"2023-10-29T02:00", "2023-10-29T03:00", -1},
		"drain 0-27 10800-14400": {"2023-10-29T02:00:00+01:00", "2023-10-29T03:00:00.0+01:00", -1},
	} {
		clock, p, file := october, withEvents(platform.Event{From: c.from, To: c.to}), ""
		if clock.Begin = c.begin; c.begin < 0 {
			clock.Begin, p, file = 0, withEvents(platform.Event{File: "e.csv"}), "from,to,do\n"+c.from+","+c.to+",drain\n"
		}
		for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 2*3600)} { // a log's time 0 may know its offset
			clock.Start = time.Date(2023, 10, 29, 0, 0, 0, 0, zone)
			if got, err := outagesBy(t, clock, p, file); err != nil || got != want+" {[] [] []}" {
				t.Errorf("%v in %s: got %q (%v), want %q", c, zone, got, err, want)
			}
		}
	}
	for want, e := range map[string]platform.Event{
		"2024-03-31T02:30 does not exist in the zone Europe/Berlin":           {From: "2024-03-31T02:30"},
		"the event ends at 2023-10-29T03:00Z, and begins at 2023-10-29T06:00": {From: "2023-10-29T06:00", To: "2023-10-29T03:00Z"},
	} {
		if got, err := outagesBy(t, october, withEvents(e), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %q (%v), want %s", got, err, want)
		}
	}
	_, err := outagesFrom(t, 0, withEvents(platform.Event{From: "2012-03-02T00:00Z"}), "")
	if err == nil || !strings.Contains(err.Error(), "2012-03-02T00:00Z has an offset, and the log does not state its time zone") {
		t.Error(err)
	}
}

// TestVersions: a platform with dates by the local clock has a meaning of its own, and its file's dates keep theirs.
func TestVersions(t *testing.T) {
	for want, e := range map[int]platform.Event{1: {From: "5h"}, 1027: {File: "e.csv"}, 7: {From: "2012-03-02"}} {
		if p := withEvents(e); p.Version() != want {
			t.Errorf("%v has version %d, want %d", e, p.Version(), want)
		}
	}
	if p := withEvents(platform.Event{From: "2012-03-02T00:00+01:00"}); p.Version() != 3 {
		t.Error("a date with an offset has another version than before")
	}
	if p := withEvents(platform.Event{From: "5h", Known: "ahead"}); p.Version() != 1025 {
		t.Error("an event that planners know has the version of one that they do not")
	}
}

// TestEventsAreRefused: first what the manifest alone says, then what the workload and files do.
func TestEventsAreRefused(t *testing.T) {
	for want, e := range map[string]platform.Event{
		"events[0].from: is -5s, before the start of the workload":                 {From: "-5s"},
		"events[0].from: is empty":                                                 {},
		`events[0].from: cannot be read: "noon" is no time; write`:                 {From: "noon"},
		"events[0].to: is 5h, and the event begins at 6h":                          {From: "6h", To: "5h"},
		"events[0].to: is 2012-03-02, and the event begins at 2012-03-03":          {From: "2012-03-03", To: "2012-03-02"},
		"events[0].to: is given for an up event":                                   {From: "5", To: "6", Do: "up"},
		"events[0].nodes[0]: names the nodes huge, and the platform has no such":   {From: "5", Nodes: []string{"huge"}},
		"events[0].nodes[0]: are nodes 2-3 of class thin, which has the nodes 0 t": {From: "5", Nodes: []string{"thin/2-3"}},
		"events[0].do: reserves nodes for no job":                                  {From: "5", Do: "reserve"},
		"events[0].do: is no reservation":                                          {From: "5", Users: []string{"1"}},
		"events[0].partitions[0]: names the partition night":                       {From: "5", Do: "reserve", Partitions: []string{"night"}},
		"events[0].announced: tells planners nothing":                              {From: "5", Announced: "2"},
		"events[0].law: draws failures, which begin unannounced":                   {Law: "exponential", From: "5", MTBF: 5, Repair: 5},
		"events[0].mean_between_failures: must be at least 1 s, and repair above":  {Law: "exponential", MTBF: 5},
		"events[0].law: is none, and mean_between_failures":                        {From: "5", MTBF: 5},
		"events[0].file: is beside other fields":                                   {File: "e.csv", From: "5"},
	} {
		p, got := withEvents(e), ""
		p.Validate(func(field, message string) { got += field + ": " + message })
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for want, c := range map[string]struct {
		events []platform.Event
		file   string
	}{
		"platform.events[0]: the event begins at 2012-02-29, before the start of the log (2012-03-01T00:00:00)": {
			[]platform.Event{{From: "2012-02-29"}}, ""},
		"platform.events[1]: the event (drain from 7 to 9) contradicts platform.events[0] (down from 5 to 8) on the same nodes": {
			[]platform.Event{{From: "5", To: "8", Nodes: []string{"thin"}}, {From: "7", To: "9", Nodes: []string{"thin/2"}, Do: "drain"}}, ""},
		"platform.events[0]: the reservation is for the user eve, which the workload does not have": {
			[]platform.Event{{From: "5", Do: "reserve", Users: []string{"eve"}}}, ""},
		"platform.events[0]: the reservation is for the user 7, which the workload does not have": {
			[]platform.Event{{From: "5", Do: "reserve", Users: []string{"7"}}}, ""},
		"platform.events[0]: the reservation is for the account 7, which the workload does not have": {
			[]platform.Event{{From: "5", Do: "reserve", Accounts: []string{"7"}}}, ""},
		"platform.events[0]: no event is in force on these nodes at 5 that up could end": {[]platform.Event{{From: "5", Do: "up"}}, ""},
		"platform.events[0]: e.csv:3: from is empty": {[]platform.Event{{File: "e.csv"}},
			"from,to\n1,2\n,3\n"},
		`platform.events[0]: e.csv:1: "color" is no column of events`:                      {[]platform.Event{{File: "e.csv"}}, "from,color\n1,2\n"},
		"platform.events[0]: e.csv:2: the number of fields is 1, and that of the header 2": {[]platform.Event{{File: "e.csv"}}, "from,to\n1\n"},
		`platform.events[0]: e.csv:2: do is "fall"; it must be one of down, drain`:         {[]platform.Event{{File: "e.csv"}}, "from,do\n1,fall\n"},
		"platform.events[0]: no file":                                                      {[]platform.Event{{File: "e.csv"}}, ""},
	} {
		if got, err := outagesOf(t, withEvents(c.events...), c.file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %q (%v), want %q", got, err, want)
		}
	}
}

// TestReservationOfDrawnUsers: users of drawn logs have numbers of their own, so no name is one of theirs.
func TestReservationOfDrawnUsers(t *testing.T) {
	p := withEvents(platform.Event{From: "5", Do: "reserve", Users: []string{"1"}})
	on, err := platform.Build(p, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Outages(platform.Surroundings{On: on, Names: sim.Names{LogUsers: []string{}}, User: func(int32) bool { return true }})
	if err == nil || !strings.Contains(err.Error(), "events[0]: the reservation is for the user 1, and users of drawn logs are others") {
		t.Error(err)
	}
}

// failing are the failures of n nodes of one core.
func failing(t *testing.T, n int, mtbf, repair float64, replication uint64) (*sim.Platform, func(*sim.Outage) bool) {
	t.Helper()
	p := platform.Params{Nodes: []platform.Class{{Name: "a", Count: n, Each: platform.Node{Cores: 1}}},
		Events: []platform.Event{{Law: "exponential", MTBF: mtbf, Repair: repair, Do: "down", Known: "not", Per: "node"}}}
	on, err := platform.Build(p, 0)
	if err != nil {
		t.Fatal(err)
	}
	all, err := p.Failures(on, func() *rand.Rand { return sim.Streams{Root: 32, Replication: replication}.New("platform.events") })
	if err != nil {
		t.Fatal(err)
	}
	return on, all
}

// TestAvailability: over 1,000 replications nodes are in service MTBF / (MTBF + repair) of the time, within 1 %.
func TestAvailability(t *testing.T) {
	const nodes, mtbf, repair, until = 20, 400.0, 60.0, 20000.0
	down := 0.0
	for r := range uint64(1000) {
		_, all := failing(t, nodes, mtbf, repair, r)
		var o sim.Outage
		last := 0.0
		for all(&o) && o.From < until {
			if o.From < last || !(o.Until > o.From) {
				t.Fatalf("a failure from %g to %g s comes after one at %g s", o.From, o.Until, last)
			}
			last = o.From
			down += min(o.Until, until) - o.From
		}
	}
	got, want := 1-down/(1000*nodes*until), mtbf/(mtbf+repair)
	t.Logf("availability %.5f, by the law %.5f", got, want)
	if !(math.Abs(got/want-1) <= 0.01) {
		t.Errorf("availability %g, want %g within 1 %%", got, want)
	}
}

// TestSurvival: a job of n nodes and length t survives with probability exp(-n t / MTBF), within 3 standard errors of 4,000 runs.
func TestSurvival(t *testing.T) {
	const runs, mtbf = 4000, 500.0
	kind, _ := sim.Policies.Get("easy")
	params := kind.Params.(backfill.EasyParams)
	policy, err := kind.New(&params, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		nodes  int
		length float64
	}{{1, 100}, {4, 100}, {10, 30}} {
		survived := 0
		for r := range uint64(runs) {
			on, all := failing(t, c.nodes, mtbf, 10, r)
			res, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Policy: policy, Progress: progress.Isolated{},
				Failures: all, Source: simtest.Source([]sim.JobSpec{{ID: 1, RunTime: c.length, Walltime: c.length, Procs: int32(c.nodes), User: -1}})})
			if err != nil {
				t.Fatal(err)
			}
			survived += int(res.Finished)
		}
		got, want := float64(survived)/runs, math.Exp(-float64(c.nodes)*c.length/mtbf)
		t.Logf("%d nodes for %g s: %.4f survive, by the law %.4f", c.nodes, c.length, got, want)
		if !(math.Abs(got-want) <= 3*math.Sqrt(want*(1-want)/runs)) {
			t.Errorf("%d nodes for %g s: %.4f survive, want %.4f within 3 standard errors", c.nodes, c.length, got, want)
		}
	}
}

// FuzzFiles: a file of prices, of caps or of events is read, or refused with its name.
func FuzzFiles(f *testing.F) {
	f.Add(byte(0), []byte("time,zone,unit,value\n2023-10-28T22:00,UTC,EUR/MWh,3.6\n2023-10-28T23:00,UTC,EUR/kWh,-7.2\n"))
	f.Add(byte(0), []byte("zone,value,unit,time\nrelative,1,EUR/MWh,0\nrelative,1,EUR/MWh,1h\n"))
	f.Add(byte(0), []byte("time,zone,unit,value\n0,relative,EUR/MWh,1,5\n"))
	f.Add(byte(1), []byte("time,zone,unit,value\n2023-10-29T01:30,Europe/Berlin,kW,3\n"))
	f.Add(byte(2), []byte("from,to,nodes,do,known\n5,8,thin,down,not\n2012-03-01T00:00:09,1h30m,large,drain,ahead\n"))
	f.Add(byte(2), []byte("from,to,nodes,do,users,announced\n5,8,thin/0-1 large/2,reserve,ada bob,1\n9,,thin/0,up,,\n"))
	f.Fuzz(func(t *testing.T, kind byte, text []byte) {
		p, read := withEvents(), func(string) ([]byte, error) { return text, nil }
		switch kind % 3 {
		case 0:
			p.Price = "x.csv"
		case 1:
			p.Caps.File = "x.csv"
		default:
			p.Events = []platform.Event{{File: "x.csv", Law: "none", Do: "down", Known: "not", Per: "node"}}
		}
		on, err := platform.Build(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		all, err := p.Outages(platform.Surroundings{On: on, Clock: october, Read: read, Names: sim.Names{Users: []string{"ada", "bob"}},
			User: func(n int32) bool { return n < 3 }})
		for _, o := range all {
			if !(o.From >= 0 && o.Until > o.From) || len(o.Procs) == 0 {
				t.Errorf("outage %+v", o)
			}
		}
		if err == nil && kind%3 < 2 {
			err = p.Follow(on, october, read)
		}
		if err != nil && !strings.Contains(err.Error(), "x.csv") {
			t.Errorf("the message does not name the file: %v", err)
		}
	})
}
