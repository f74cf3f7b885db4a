package platform_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"schedsweep/sim"
	"schedsweep/sim/platform"
	"schedsweep/sim/power"
)

// follow reads a file as the price of the machine of the tests, by a log that begins in Berlin at midnight before the clocks go back.
func follow(clock platform.Clock, p platform.Params, file string) (*sim.Platform, error) {
	on, err := platform.Build(p, 0)
	if err != nil {
		return nil, err
	}
	return on, p.Follow(on, clock, func(string) ([]byte, error) { return []byte(file), nil })
}

var october = platform.Clock{Start: time.Date(2023, 10, 29, 0, 0, 0, 0, time.UTC), Zone: "Europe/Berlin"}

// TestTariffs: times by each kind of zone, on the day on which the clocks of Berlin go back. The hour from 2:00 comes twice there.
func TestTariffs(t *testing.T) {
	const h = 3600
	for file, want := range map[string]string{
		"2023-10-29,Europe/Berlin,EUR/MWh,3.6":                                   "[0] [1e-09] +Inf",
		"2023-10-28T22:00,UTC,EUR/MWh,3.6\n2023-10-28T23:00,UTC,EUR/kWh,-7.2":    "[0 3600] [1e-09 -2e-06] 7200",
		"2023-10-28T22:30,+01:00,EUR/MWh,3.6\n2023-10-29T00:30,+01:00,EUR/MWh,0": "[-1800 5400] [1e-09 0] 12600",
		"2023-10-29T00:00,local,EUR/MWh,0\n2023-10-29T01:00,local,EUR/MWh,0\n2023-10-29T02:00,local,EUR/MWh,0\n" +
			"2023-10-29T02:00,local,EUR/MWh,0\n" +
			"2023-10-29T03:00,local,EUR/MWh,0": fmt.Sprint([]float64{0, h, 2 * h, 3 * h, 4 * h}, []float64{0, 0, 0, 0, 0}, 5*h),
		"2023-10-28,local,EUR/MWh,0\n2023-10-29,local,EUR/MWh,0\n2023-10-30,local,EUR/MWh,0": fmt.Sprint([]float64{-24 * h, 0, 25 * h},
			[]float64{0, 0, 0}, 50*h), // a day of 25 hours
		"-1h,relative,EUR/MWh,0\n0,relative,EUR/MWh,0\n0.5h,relative,EUR/MWh,0": "[-3600 0 1800] [0 0 0] 3600",
	} {
		on, err := follow(october, platform.Params{Tariffs: platform.Tariffs{Price: "p.csv"}, Processors: 1},
			"\ufefftime,zone,unit,value\n"+file+"\n")
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if s := on.Tariffs[power.Price]; fmt.Sprint(s.From, s.Value, s.Until) != want {
			t.Errorf("%s: got %v %v %v, want %s", file, s.From, s.Value, s.Until, want)
		}
	}
}

// TestTariffsOfHoursThatComeTwice: a log whose time 0 is in an hour that the clocks show twice says by its offset which it is.
func TestTariffsOfHoursThatComeTwice(t *testing.T) {
	for offset, want := range map[int]string{7200: "[-600 3000]", 3600: "[-4200 -600]"} {
		clock := platform.Clock{Start: time.Date(2023, 10, 29, 2, 10, 0, 0, time.FixedZone("", offset)), Zone: "Europe/Berlin"}
		on, err := follow(clock, platform.Params{Tariffs: platform.Tariffs{Price: "p.csv"}, Processors: 1},
			"time,zone,unit,value\n2023-10-29T00:00,UTC,EUR/MWh,1\n2023-10-29T01:00,UTC,EUR/MWh,2\n")
		if err != nil {
			t.Error(err)
		} else if s := on.Tariffs[power.Price]; fmt.Sprint(s.From) != want {
			t.Errorf("%d: got %v, want %s", offset, s.From, want)
		}
	}
}

// TestTariffsOfWindows: a workload begins an hour after its log, or after the clocks of Berlin went back. Moments of the world are so much
// earlier, and times after time 0 stay.
func TestTariffsOfWindows(t *testing.T) {
	for _, c := range []struct {
		begin      float64
		file, want string
	}{
		{3600, "2023-10-28T22:00,UTC,EUR/MWh,3.6\n2023-10-28T23:00,UTC,EUR/MWh,7.2", "[-3600 0]"},
		{3600, "0,relative,EUR/MWh,3.6", "[0]"},
		{6 * 3600, "2023-10-29T05:00,Europe/Berlin,EUR/MWh,3.6\n2023-10-29T06:00,local,EUR/MWh,7.2", "[0 3600]"},
	} {
		clock := october
		clock.Begin = c.begin
		if start, zone := (platform.Clock{Begin: c.begin, Zone: clock.Zone}).Instant(); !start.IsZero() || zone != nil {
			t.Errorf("a workload without a clock begins at %v in the zone %v", start, zone)
		}
		on, err := follow(clock, platform.Params{Tariffs: platform.Tariffs{Price: "p.csv"}, Processors: 1}, "time,zone,unit,value\n"+c.file+"\n")
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
		} else if s := on.Tariffs[power.Price]; fmt.Sprint(s.From) != c.want {
			t.Errorf("%s: got %v, want %s", c.file, s.From, c.want)
		}
	}
}

// TestSeriesAreRefused: each mistake has the file, line and field, and what to do.
func TestSeriesAreRefused(t *testing.T) {
	none := platform.Clock{}
	unzoned := platform.Clock{Start: october.Start}
	for _, c := range []struct {
		clock platform.Clock
		file  string
		want  string
	}{
		{october, "0,relative,EUR/MWh,1\n1h,relative,EUR/MWh,1\n3h,relative,EUR/MWh,1", "price: p.csv:4: time: 3h comes 7200 s after 1h, and " +
			"the rows before are 3600 s apart, so that rows are missing: add them"},
		{october, "2023-10-29T02:00,Europe/Paris,EUR/MWh,1\n2023-10-29T02:00,Europe/Paris,EUR/MWh,1\n2023-10-29T03:00,Europe/Paris,EUR/MWh,1\n" +
			"2023-10-29T05:00,Europe/Paris,EUR/MWh,1", "price: p.csv:5: time: 2023-10-29T05:00 comes 7200 s after 2023-10-29T03:00, and the " +
			"rows before are 3600 s apart, so that rows are missing: add them (where a clock goes back an hour, its rows come twice)"},
		{october, "1h,relative,EUR/MWh,1\n0,relative,EUR/MWh,1", "price: p.csv:3: time: 0 is not after 1h, the time of the row before; sort"},
		{october, "0,relative,EUR/MWh,1\n0,relative,EUR/MWh,1", "price: p.csv:3: time: 0 is not after 0"},
		{october, "0,relative,USD/MWh,1", `price: p.csv:2: unit: "USD/MWh" is no unit of price; write EUR/MWh or EUR/kWh`},
		{october, "0,relative,EUR/MWh,1,5", "price: p.csv:2: wrong number of fields"},
		{october, "\"0,relative,EUR/MWh,1", `price: p.csv:2: extraneous or missing " in quoted-field`},
		{october, "0,relative,EUR/MWh", "price: p.csv:2: wrong number of fields"},
		{october, "0,,EUR/MWh,1", "price: p.csv:2: zone is empty, so the time is unknown; write UTC"},
		{october, "2023-10-29,Mars,EUR/MWh,1", `price: p.csv:2: zone: "Mars" is not known; write UTC`},
		{october, "2023-10-29,relative,EUR/MWh,1", "price: p.csv:2: zone: relative does not go with the time 2023-10-29; write"},
		{october, "0,UTC,EUR/MWh,1", "price: p.csv:2: zone: UTC does not go with the time 0; write"},
		{none, "2023-10-29,UTC,EUR/MWh,1", "price: p.csv:2: time: 2023-10-29 is a date, and the workload has no clock; write times after time 0"},
		{unzoned, "2023-10-29,UTC,EUR/MWh,1", "price: p.csv:2: zone: UTC cannot be converted, for the log does not state its time zone"},
		{october, "2024-03-31T02:30,Europe/Berlin,EUR/MWh,1", "price: p.csv:2: time: 2024-03-31T02:30 does not exist in the zone Europe/Berlin"},
		{october, "noon,relative,EUR/MWh,1", `price: p.csv:2: time: "noon" is no time; write a date`},
		{october, "0,relative,EUR/MWh,dear", `price: p.csv:2: value: "dear" must be a finite number`},
		{october, "0,relative,EUR/MWh,nan", `price: p.csv:2: value: "nan" must be a finite number`},
		{october, "0,relative,EUR/MWh", "price: p.csv:2: wrong number of fields"},
		{october, "1,relative,EUR/MWh,1", "price: p.csv: time: the rows are from 1 s to +Inf s after time 0 of the workload, and must cover " +
			"time 0 (2023-10-29T00:00:00 Europe/Berlin); take another period"},
		{october, "", "price: p.csv: there are no rows"},
	} {
		_, err := follow(c.clock, platform.Params{Tariffs: platform.Tariffs{Price: "p.csv"}, Processors: 1}, "time,zone,unit,value\n"+c.file+"\n")
		if err == nil || !strings.Contains(err.Error(), "platform."+c.want) {
			t.Errorf("%s: got %v, want %s", c.file, err, c.want)
		}
	}
	_, err := follow(october, platform.Params{Tariffs: platform.Tariffs{Carbon: "p.csv"}, Processors: 1}, "time,unit,value\n")
	if err == nil || err.Error() != "platform.carbon: p.csv:1: the columns are time,unit,value; they must be time,zone,unit,value" {
		t.Error(err)
	}
	_, err = follow(october, platform.Params{Tariffs: platform.Tariffs{Carbon: "p.csv"}, Processors: 1}, "")
	if err == nil || err.Error() != "platform.carbon: p.csv: the file is empty; write the columns time,zone,unit,value and a row" {
		t.Error(err)
	}
	_, err = follow(october, platform.Params{Tariffs: platform.Tariffs{Carbon: "p.csv"}, Processors: 1},
		"time,zone,unit,value\n0,relative,g/kWh,-1\n")
	if err == nil || !strings.Contains(err.Error(), "a finite number of at least 0") {
		t.Error(err)
	}
	p := platform.Params{Tariffs: platform.Tariffs{Carbon: "p.csv"}, Processors: 1}
	got := ""
	p.Validate(func(field, message string) { got += field + ": " + message })
	if !strings.HasPrefix(got, "carbon: charges energy, and no node class has power; give all classes power") {
		t.Error(got)
	}
}

// TestNightOfAPartOfASecond: a window that begins half a second before midnight has the night from 0 h half a second after its begin.
func TestNightOfAPartOfASecond(t *testing.T) {
	clock := october
	clock.Begin = 86399.5
	on, err := follow(clock, platform.Params{Processors: 1,
		Capping: platform.Capping{Cap: 9, Caps: platform.Caps{Night: 5, To: 3600}}}, "")
	if err != nil {
		t.Fatal(err)
	}
	if w := on.Cap.Watts; w.After(0) != .5 || w.At(0) != 9 || w.At(.5) != 5 {
		t.Errorf("the cap is %g W at 0 s, and changes at %g s", w.At(0), w.After(0))
	}
}
