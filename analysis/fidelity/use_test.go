package fidelity

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim/simtest"
)

// TestUseByDefinition: each measure at each start, summed over all jobs, and the best lead of all that occur.
func TestUseByDefinition(t *testing.T) {
	of := map[string]func(j *Job, now float64) float64{
		"processor-seconds":               func(j *Job, now float64) float64 { return float64(j.Procs) * ran(j, now) },
		"processor-seconds of ended jobs": func(j *Job, now float64) float64 { return b(j.start()+j.Run <= now) * float64(j.Procs) * j.Run },
		"processor-seconds by walltime":   func(j *Job, now float64) float64 { return b(j.start() < now) * float64(j.Procs) * j.Walltime },
		"job-seconds":                     ran,
		"jobs started":                    func(j *Job, now float64) float64 { return b(j.start() < now) },
		"processors in use": func(j *Job, now float64) float64 {
			return b(j.start() < now && now < j.start()+j.Run) * float64(j.Procs)
		},
		"waiting time, the most first": func(j *Job, now float64) float64 { return min(0, j.Submit-min(now, j.start())) },
	}
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawnJobs(t)
		users := map[int32]bool{}
		for i := range jobs {
			jobs[i].Walltime = jobs[i].Run + 60
			users[jobs[i].User] = users[jobs[i].User] || jobs[i].User >= 0
		}
		got := usesByUser(jobs)
		for _, u := range got {
			want := Use{Measure: u.Measure}
			for a := range int32(4) {
				for c := range a {
					p := byDefinition(jobs, of[u.Measure], a, c)
					if len(p) == 0 {
						continue
					}
					fewest := len(p)
					for _, lead := range p {
						fewest = min(fewest, wrong(p, lead[0]))
					}
					want.Pairs, want.Choices, want.Contradict, want.Fitted = want.Pairs+1, want.Choices+len(p), want.Contradict+wrong(p, 0),
						want.Fitted+fewest
				}
			}
			if seen += want.Contradict; u != want {
				t.Fatalf("%+v, want %+v of %+v", u, want, jobs)
			}
		}
	})
	if seen == 0 {
		t.Error("nothing contradicts")
	}
}

func b(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func ran(j *Job, now float64) float64 { return max(0, min(now, j.start()+j.Run)-j.start()) }

// byDefinition lists the lead of user a over user c at each start of one of them while the other waits, and 1 where it is a's.
func byDefinition(jobs []Job, use func(*Job, float64) float64, a, c int32) (out [][2]float64) {
	for i := range jobs {
		now, other, lead, waits := jobs[i].start(), a+c-jobs[i].User, 0.0, false
		if jobs[i].User != a && jobs[i].User != c {
			continue
		}
		for k := range jobs {
			j := &jobs[k]
			if j.Submit < now && now < j.start() && j.User == other {
				waits = true
			}
			if j.User == a && j.Submit <= now {
				lead += use(j, now)
			} else if j.User == c && j.Submit <= now {
				lead -= use(j, now)
			}
		}
		if waits {
			out = append(out, [2]float64{lead, b(jobs[i].User == a)})
		}
	}
	return out
}

func wrong(p [][2]float64, threshold float64) (n int) {
	for _, x := range p {
		if x[1] == 1 && x[0] > threshold || x[1] == 0 && x[0] < threshold {
			n++
		}
	}
	return n
}

// TestUseOfPBS: what specs/pbs.md and the issue state of PBSstrict. By processor-seconds 1 of 150 choices contradicts an order by user
// with the fitted lead, by job-seconds, jobs and waiting time 54 to 60.
func TestUseOfPBS(t *testing.T) {
	path := filepath.Join(simtest.Data(t), "pbs", "NGI_CZ_journal_PBSstrict.swf")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var jobs []Job
	users := map[string]int32{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) < 18 || f[0] == ";" {
			continue
		}
		x := func(i int) float64 {
			v, err := strconv.ParseFloat(f[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		if _, known := users[f[11]]; !known {
			users[f[11]] = int32(len(users))
		}
		jobs = append(jobs, Job{Submit: x(1) - 1747395241, Recorded: x(2), Run: x(3), Procs: int32(x(4)), Walltime: x(8), User: users[f[11]]})
	}
	got := map[string]string{}
	for _, u := range usesByUser(jobs) {
		got[u.Measure] = fmt.Sprintf("%d of %d", u.Fitted, u.Choices)
	}
	for measure, want := range map[string]string{"processor-seconds": "1 of 150", "job-seconds": "54 of 150", "jobs started": "54 of 150",
		"waiting time, the most first": "60 of 150"} {
		if got[measure] != want {
			t.Errorf("%s: %s choices contradict, want %s", measure, got[measure], want)
		}
	}
	t.Log(got)
}
