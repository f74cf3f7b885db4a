package jobfile

import (
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"pgregory.net/rapid"

	"schedsweep/harness/store/golden"
)

// study is a sweep with a folder and an argument that need quoting.
func study() Sweep {
	line := func(verb string) []string {
		return []string{"/opt/sched sweep/schedsweep", verb, "my study.yaml", "--set", "policy.kind=[easy, $x]"}
	}
	return Sweep{
		Name: "My study", Instances: 1200, Dir: "/home/me/it's mine", Manifest: "my study.yaml", Run: line("run"), Merge: line("merge"),
		Analyze: line("analyze"),
		Shards:  4, CPUs: 8, Memory: 700, Walltime: 90 * time.Minute, Lead: 3 * time.Minute,
	}
}

// write writes the file of the engine of that name.
func write(w io.Writer, engine string, s Sweep) (err error) {
	if s.Engine, err = Find(engine); err != nil {
		return err
	}
	return Write(w, s)
}

func written(t testing.TB, engine string) string {
	t.Helper()
	s := study()
	if engine == "kubernetes" {
		s.Image, s.Claim = "registry/schedsweep:1", "sweep"
	}
	if e, err := Find(engine); err != nil || e.Options {
		s.Options = []string{"--partition=main"}
	}
	var b bytes.Buffer
	if err := write(&b, engine, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFiles compares each engine's file with the one that was read and found good
// (go test -update writes them anew).
func TestFiles(t *testing.T) {
	for _, e := range Engines {
		golden.Check(t, filepath.Join("testdata", e.Name), written(t, e.Name))
	}
}

// TestTitleCounts: what there is one of is in the singular.
func TestTitleCounts(t *testing.T) {
	s := study()
	s.Instances, s.Shards, s.CPUs = 1, 1, 1
	var b bytes.Buffer
	if err := write(&b, "slurm", s); err != nil || !strings.Contains(b.String(), "1 instance in 1 shard of 1 core, then") {
		t.Errorf("%v:\n%s", err, b.String())
	}
}

// TestShortLSF: a warning that LSF, which counts whole minutes, would send at the start is left to the program's deadline.
func TestShortLSF(t *testing.T) {
	for walltime, want := range map[time.Duration]string{
		time.Minute: "", 2 * time.Minute: "#BSUB -wa TERM -wt 1\n", time.Hour: "#BSUB -wa TERM -wt 2\n",
	} {
		s := study()
		s.Walltime = walltime
		s.Size(time.Minute, time.Second)
		var b bytes.Buffer
		if err := write(&b, "lsf", s); err != nil || regexp.MustCompile(`(?m)^.*-wt.*\n`).FindString(b.String()) != want {
			t.Errorf("%v: %v, want %q in\n%s", walltime, err, want, b.String())
		}
	}
}

// TestShells: bash can parse the scripts, and the command line comes out of the quotes as it went in.
func TestShells(t *testing.T) {
	for _, e := range Engines {
		text := written(t, e.Name)
		if !strings.HasPrefix(text, "#!/bin/bash\n") {
			continue
		}
		check := exec.Command("bash", "-n")
		check.Stdin = strings.NewReader(text)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", e.Name, err, out)
		}
	}
	out, err := exec.Command("bash", "-c", "printf '%s\\n' "+study().Command()).Output()
	if want := strings.Join(append(study().Run, "--quiet", "--wait", ""), "\n"); err != nil || string(out) != want {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
	s := study()
	s.Run = append(s.Run, "--set", "axes={}") // {} is the shard for parallel
	var b bytes.Buffer
	if err := write(&b, "parallel", s); err != nil || strings.Contains(b.String(), "axes={}") {
		t.Errorf("%v:\n%s", err, b.String())
	}
}

// TestKubernetes holds the file to what the API server demands and a schema does
// not say: onExitCodes needs pods that are not restarted in place, an index of its
// own needs its own limit of retries, and the rules name a container that there is.
func TestKubernetes(t *testing.T) {
	type template struct {
		Spec struct {
			RestartPolicy string `yaml:"restartPolicy"`
			Containers    []struct{ Name string }
		}
	}
	var job struct {
		Kind string
		Spec struct {
			CompletionMode       string `yaml:"completionMode"`
			Completions          int
			BackoffLimitPerIndex int `yaml:"backoffLimitPerIndex"`
			PodFailurePolicy     struct {
				Rules []struct {
					Action      string
					OnExitCodes *struct {
						ContainerName, Operator string
						Values                  []int
					} `yaml:"onExitCodes"`
				}
			} `yaml:"podFailurePolicy"`
			Template template
		}
	}
	if err := yaml.NewDecoder(strings.NewReader(written(t, "kubernetes"))).Decode(&job); err != nil {
		t.Fatal(err)
	}
	s := job.Spec
	if job.Kind != "Job" || s.CompletionMode != "Indexed" || s.Completions != 4 || s.BackoffLimitPerIndex < 1 ||
		s.Template.Spec.RestartPolicy != "Never" {
		t.Errorf("%+v", job)
	}
	codes := 0
	for _, r := range s.PodFailurePolicy.Rules {
		if r.OnExitCodes == nil {
			continue
		}
		codes++
		if r.Action != "FailIndex" || r.OnExitCodes.Operator != "In" || len(r.OnExitCodes.Values) != 2 || r.OnExitCodes.Values[1] != 3 {
			t.Errorf("rule %+v", r)
		}
	}
	if codes != 1 {
		t.Errorf("%d rules of exit codes", codes)
	}
}

// TestRefusals: what no engine, or not this one, can have.
func TestRefusals(t *testing.T) {
	for want, change := range map[string]func(s *Sweep) string{
		`there is no engine "slum"; the engines are slurm, pbs`: func(*Sweep) string { return "slum" },
		"1001 shards: want 1 to 1000":                           func(s *Sweep) string { s.Shards = 1001; return "slurm" },
		"0 cores for a shard":                                   func(s *Sweep) string { s.CPUs = 0; return "pbs" },
		"a shard's time of 30s: want at least 1m":               func(s *Sweep) string { s.Walltime = 30 * time.Second; return "sge" },
		"snakemake has no lines of a site's own":                func(s *Sweep) string { s.Options = []string{"-l x"}; return "snakemake" },
		"kubernetes needs the image":                            func(*Sweep) string { return "kubernetes" },
		"no room for a line break":                              func(s *Sweep) string { s.Options = []string{"a\nb"}; return "lsf" },
	} {
		s := study()
		engine := change(&s)
		if err := write(&bytes.Buffer{}, engine, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestSize: every engine takes the values that Size fills in. They leave time for the work, and drain for longer
// than an instance takes, as far as there is time.
func TestSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := time.Duration(rapid.Int64Range(0, int64(30*time.Hour)).Draw(t, "one"))
		s := study()
		s.Instances = rapid.IntRange(1, 1_000_000).Draw(t, "instances")
		s.Shards, s.Walltime, s.Lead = 0, 0, 0
		s.CPUs = rapid.IntRange(1, 256).Draw(t, "cpus")
		work := min(one*time.Duration(s.Instances), 2_000_000*time.Hour)
		if one > 0 && work/one != time.Duration(s.Instances) {
			work = 2_000_000 * time.Hour // it has overflowed
		}
		s.Size(work, one)
		if err := write(&bytes.Buffer{}, "slurm", s); err != nil {
			t.Fatal(err)
		}
		if s.Shards > s.Instances {
			t.Errorf("%d shards of %d instances", s.Shards, s.Instances)
		}
		if s.Walltime < longest && s.Walltime < work/time.Duration(s.Shards*s.CPUs) {
			t.Errorf("%v for %v on %d x %d cores", s.Walltime, work, s.Shards, s.CPUs)
		}
		if s.Lead < one && s.Lead < s.Walltime/2 || s.Lead < drain {
			t.Errorf("%v to drain instances of %v, of %v", s.Lead, one, s.Walltime)
		}
	})
	s := study()
	s.Shards, s.Walltime = 0, 0
	s.Size(100*time.Hour, 2*time.Minute)
	// 100 hours on 8 cores are 12.5 hours: 13 shards of 58 minutes, twice that and 18 minutes.
	if s.Shards != 13 || s.Walltime != 140*time.Minute || s.Lead != 5*time.Minute {
		t.Errorf("%d shards of %v, drained for %v", s.Shards, s.Walltime, s.Lead)
	}
}

// TestJobNames: what engines take.
func TestJobNames(t *testing.T) {
	for name, want := range map[string]string{"dutot2015": "dutot2015", "My study": "my-study", "2015_x": "sweep-2015-x", "é": "sweep",
		strings.Repeat("a", 50): strings.Repeat("a", 40)} {
		if got := jobName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
