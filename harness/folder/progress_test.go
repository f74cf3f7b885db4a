package folder

import (
	"testing"
	"time"
)

// record returns a run of a shard with its start and its last write in seconds. At that write it has added ok and failed rows
// to the existing ones.
func record(shard, shards int, began, wrote int, existing, ok, failed int) Run {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	return Run{Manifest: "m", Shard: shard, Shards: shards, Started: at(began),
		State: &State{Updated: at(wrote), Counts: Counts{Planned: 100, Existing: existing, OK: ok, Failed: failed}}}
}

// By hand: 20 rows in 10 s leave 70 of 100 rows, which take 35 s. 5 s of them have passed.
func TestStandingOfRuns(t *testing.T) {
	now := time.Unix(1000, 0)
	r := record(1, 2, 985, 995, 10, 18, 2)
	if left, ok := r.TimeLeft(now); r.Standing(now) != Running || r.Left() != 70 || r.Rate() != 2 || !ok || left != 30*time.Second {
		t.Errorf("%s, %d left, %g/s, %s (%v)", r.Standing(now), r.Left(), r.Rate(), left, ok)
	}
	if s := r.Standing(now.Add(time.Minute)); s != Silent {
		t.Errorf("65 s after its last word it is %s", s)
	}
	r.Ended = r.Updated
	if s := r.Standing(now); s != Drained {
		t.Errorf("ended with work left: %s", s)
	}
	r.Existing = 80
	if s := r.Standing(now.Add(time.Hour)); s != Done {
		t.Errorf("ended: %s", s)
	}
	r.Error = "no space"
	if s := r.Standing(now); s != Stumbled {
		t.Errorf("ended by an error: %s", s)
	}
	r.Workers, r.Existing, r.Ended, r.Error = 2, 78, time.Time{}, ""
	if left, ok := r.TimeLeft(now); ok {
		t.Errorf("the last 2 instances run on 2 workers, and %s are left", left)
	}
	r.Existing = 77
	if left, ok := r.TimeLeft(now); !ok {
		t.Errorf("3 instances are left on 2 workers, and %s are not known", left)
	}
	fresh := record(1, 2, 1000, 1000, 0, 0, 0)
	if left, ok := fresh.TimeLeft(now); ok {
		t.Errorf("before the first row %s are left", left)
	}
}

// TestTimeLeftIsLong: 10^9 instances of 1000 s each take 30,000 years, which no duration holds.
func TestTimeLeftIsLong(t *testing.T) {
	if left, ok := TimeLeft(1e9, 1, 1e-3); !ok || left < 100*365*24*time.Hour {
		t.Errorf("%s are left", left)
	}
}

func TestLatestRuns(t *testing.T) {
	other := record(1, 2, 9, 9, 0, 0, 0)
	other.Manifest = "another"
	all := []Run{record(1, 1, 1, 1, 0, 0, 0), record(2, 3, 2, 2, 0, 0, 0), record(1, 3, 3, 3, 0, 0, 0), record(2, 3, 4, 4, 0, 5, 0), other}
	got := Latest(all, "m")
	if len(got) != 2 || got[0].Shard != 1 || got[1].Shard != 2 || got[1].OK != 5 {
		t.Errorf("%+v", got)
	}
	if got := Latest(all, "none"); len(got) != 0 {
		t.Errorf("of another manifest: %+v", got)
	}
}
