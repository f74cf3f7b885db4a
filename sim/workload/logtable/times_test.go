package logtable_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"schedsweep/sim/workload/logtable"
)

// TestZones: a time without a zone is refused until one is named; where the clock
// goes back one hour shows twice, which is counted.
func TestZones(t *testing.T) {
	row := head + "1,2024-10-27 01:30:00,2024-10-27 02:30:00,2024-10-27 03:30:00,4,ann\n"
	if _, err := read(row, plain(), logtable.Options{}); err == nil ||
		!strings.Contains(err.Error(), `t.csv: the time "2024-10-27 01:30:00" is on an unnamed local clock: give workload.zone`) {
		t.Errorf("got %v", err)
	}
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Fatal(err)
	}
	l := mustRead(t, row, plain(), logtable.Options{Zone: rome})
	// 01:30 is 23:30 UTC, the earlier 02:30 is 00:30 UTC, 03:30 is 02:30 UTC.
	if r := l.At(0); r.Wait != 3600 || r.RunTime != 7200 {
		t.Errorf("%+v", r)
	}
	if text := report(t, l); !strings.Contains(text, "1 kept      local time that the clock shows twice (the earlier counts): line 2") {
		t.Error(text)
	}
	never := mustRead(t, head+"1,2024-03-31 02:30:00,2024-03-31 03:30:00,2024-03-31 04:30:00,4,ann\n", plain(), logtable.Options{Zone: rome})
	if text := report(t, never); !strings.Contains(text, "1 kept      local time that the clock never shows (as before the change): line 2") {
		t.Error(text)
	}
	// A day that its month does not have is no date.
	odd := mustRead(t, head+"1,2023-02-29 02:30:00,2023-02-29 03:30:00,2023-02-29 04:30:00,4,ann\n"+
		"2,2024-02-29 02:30:00,2024-12-31 03:30:00,2024-12-31 04:30:00,4,ann\n", plain(), logtable.Options{Zone: rome})
	if text := report(t, odd); len(odd.Records()) != 1 || !strings.Contains(text, "submit cannot be read (it gives submit): line 2") {
		t.Error(text)
	}
	// Times that name their zone need none.
	l = mustRead(t, head+"1,2024-10-27T01:30:00Z,2024-10-27 03:30:00+01,2024-10-27T02:30:00.500-02:00,4,ann\n", plain(), logtable.Options{})
	if r := l.At(0); r.Wait != 3600 || r.RunTime != 7200.5 {
		t.Errorf("%+v", r)
	}
	// Their log has the clock of UTC, and a note on it.
	if zone, text := l.Header.Get("TimeZoneString"), report(t, l); zone != "UTC" || !strings.Contains(text, "no zone is given, so") {
		t.Errorf("zone %q; %s", zone, text)
	}
}

// TestNoTimes: values that systems write in place of a time that is not known are none. The job has no run time, or no wait time.
func TestNoTimes(t *testing.T) {
	for unit, values := range map[string][]string{
		"epoch":    {"0", "-1", "2147483647", "4294967294", "4294967295", "253402300799", "-62135596800"}, // the last is year 1
		"epoch_ms": {"0", "-1", "4294967295000", "253402300799999"},
		"date": {"None", "Unknown", "NULL", "", "0001-01-01T00:00:00", "1969-12-31T16:00:00", "1970-01-01T00:00:00", "2038-01-19T03:14:07",
			"2106-02-07T06:28:15", "9999-12-31T23:59:59"},
	} {
		at := map[string]string{"epoch": "1704067200", "epoch_ms": "1704067200000", "date": "2024-01-01T00:00:00"}[unit]
		m := plain()
		for i := range 4 {
			if m.Columns[i].Unit != "" {
				m.Columns[i].Unit = unit
			}
		}
		m.Columns = append(m.Columns, logtable.Column{Field: "run_time", Column: "run", Unit: "s"})
		for _, none := range values {
			l := mustRead(t, "id,submit,start,end,procs,run\n1,"+at+","+at+","+none+",4,\n2,"+at+","+none+","+at+",4,60\n", m,
				logtable.Options{Zone: time.UTC})
			if r := l.Records(); len(r) != 1 || r[0].ID != 2 || r[0].Wait != -1 || r[0].RunTime != 60 {
				t.Errorf("%s %q: %+v\n%s", unit, none, r, report(t, l))
			}
		}
	}
}

// TestFarTimes: local times may be as far away as a number of milliseconds can say. A job of 285,000 years ago does not count, and neither
// does one that ran for millennia.
func TestFarTimes(t *testing.T) {
	for _, at := range []float64{-1 << 53, 1 << 53, -1 << 50} {
		f := far(at)
		if _, err := logtable.Read("f", &f, plain(), logtable.Options{Zone: time.UTC}); err == nil ||
			!strings.Contains(err.Error(), "1 dropped   submit above 317 years (no clock wrote it): line 1") {
			t.Errorf("%v: %v", at, err)
		}
	}
	m := plain()
	m.Columns = append(m.Columns, logtable.Column{Field: "run_time", Column: "run", Unit: "s"})
	l := mustRead(t, "id,submit,start,end,procs,run\n1,2024-01-01T00:00:00,,,4,60\n2,2024-01-01T00:00:00,,,4,1e15\n", m,
		logtable.Options{Zone: time.UTC})
	if text := report(t, l); len(l.Records()) != 1 ||
		!strings.Contains(text, "1 dropped   run_time above 317 years (no clock wrote it): line 3") {
		t.Error(text)
	}
}

// TestLocalTimes holds the local clock against package time, for any time at which it
// says one thing.
func TestLocalTimes(t *testing.T) {
	zones := []string{"Europe/Rome", "America/Denver", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"}
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		at := time.Unix(rapid.Int64Range(0, 2e9).Draw(t, "time"), 0).In(zone)
		text := at.Format("2006-01-02T15:04:05")
		next := at.Add(48 * time.Hour).UTC().Format(time.RFC3339)
		l, err := read(head+fmt.Sprintf("1,%s,%s,%[2]s,1,a\n", text, next), plain(), logtable.Options{Zone: zone})
		if err != nil {
			t.Fatal(err)
		}
		start, _ := l.Header.Int("UnixStartTime")
		if got := time.Unix(start, 0).In(zone).Format("2006-01-02T15:04:05"); got != text || start > at.Unix() {
			t.Fatalf("%s in %s is read as %s, %d s off", text, zone, got, start-at.Unix())
		}
		if got := l.Header.Get("TimeZoneString"); got != zone.String() {
			t.Fatalf("the zone of the log is %q, and %s was given", got, zone)
		}
	})
}

func TestZoneNames(t *testing.T) {
	for name, want := range map[string]int{"UTC": 0, "UTC-7": -25200, "+05:30": 19800, "UTC+1": 3600} {
		z, err := logtable.Zone(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, got := time.Unix(0, 0).In(z).Zone(); got != want {
			t.Errorf("%s is %d s off, not %d", name, got, want)
		}
	}
	for _, name := range []string{"UTC-x", "+25", "Local", "Mars/Base", ""} {
		if z, err := logtable.Zone(name); err == nil {
			t.Errorf("%q is %v", name, z)
		}
	}
}

// TestDuration: durations as Slurm, PBS, pandas, PostgreSQL and Python write them.
func TestDuration(t *testing.T) {
	for text, want := range map[string]float64{
		"90": 90, "1:30": 90, "1:02:03": 3723, "2-03": 183600, "2-03:04": 183840, "2-03:04:05": 183845, "2:03:04:05": 183845,
		"0 days 01:00:00": 3600, "2 days 03:04:05.5": 183845.5, "1 day": 86400, "1 day 00:00:30": 86430, "2 days, 3:04:05": 183845,
	} {
		if got, ok := logtable.Duration([]byte(text)); !ok || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-1 days +23:59:00", "two days", "1-2 days", "1 day 2 days", "2 daily", "1:2:3:4:5"} {
		if got, ok := logtable.Duration([]byte(text)); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}
