package engine

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

// environments are those of testdata/environments.txtar, by name.
func environments(t *testing.T) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/environments.txtar")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range archive.Files {
		all[f.Name] = string(f.Data)
	}
	return all
}

// within is the outside of a process with that environment.
func within(files map[string]string, name string) Outside {
	vars := map[string]string{}
	for line := range strings.Lines(files[name]) {
		if k, v, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok && !strings.HasPrefix(k, "#") {
			vars[k] = v
		}
	}
	return Outside{
		Getenv: func(name string) string { return vars[name] },
		ReadFile: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		},
	}
}

// TestEveryEngineIsUnderstood: what each engine tells, as a shard of how many, with
// how many threads, and what a person reads.
func TestEveryEngineIsUnderstood(t *testing.T) {
	files := environments(t)
	files["htcondor with a long environment"] = "_CONDOR_JOB_AD=long.job.ad\n"
	files["long.job.ad"] = "Environment = \"" + strings.Repeat("A=1 ", 1<<15) + "\"\nProcId = 1\nTotalSubmitProcs = 2\n"
	for _, c := range []struct {
		env, given    string
		shard, shards int
		threads       int
		said          string
	}{
		{"slurm array, second of three", "", 1, 3, 1, "shard 2/3: Slurm task 5 of 3-7:2"},
		{"slurm array, second of three", "1-9", 4, 9, 1, "shard 5/9: Slurm task 5 of 1-9"},
		{"slurm array, srun of one task", "", 1, 3, 1, "shard 2/3: Slurm task 5 of 3-7:2"},
		{"slurm array that is no range", "1-9", 3, 9, 2, "shard 4/9: Slurm task 4 of 1-9"},
		{"slurm batch script", "", 0, 1, 1, "Slurm runs this as a single task: the whole sweep"},
		{"slurm batch script of four tasks", "", 0, 1, 2, "Slurm runs this as a single task: the whole sweep"},
		{"srun, third of four", "", 2, 4, 1, "shard 3/4: srun task 2 of 0-3"},
		{"srun of two in an array of three", "", 1, 2, 1, "shard 2/2: srun task 1 of 0-1; it is within Slurm task 5 of 3-7:2, and each of its " +
			"tasks runs the same 2 shards (--shard I/N divides further)"},
		{"slurm that tells the end", "", 0, 40, 16, "shard 1/40: Slurm task 0 of 0-39"},
		{"pbs", "8", 3, 8, 8, "shard 4/8: PBS task 3 of 0-7"},
		{"pbs", "1-8", 2, 8, 8, "shard 3/8: PBS task 3 of 1-8"},
		{"pbs without an array", "", 0, 1, 8, "PBS runs this as a single task: the whole sweep"},
		{"torque", "1-8", 7, 8, 4, "shard 8/8: TORQUE task 8 of 1-8"},
		{"lsf", "", 2, 8, 4, "shard 3/8: LSF task 6 of 2-16:2"},
		{"lsf without an array", "", 0, 1, 4, "LSF runs this as a single task: the whole sweep"},
		{"sge", "", 2, 4, 1, "shard 3/4: SGE task 5 of 1-7:2"},
		{"sge without an array", "", 0, 1, 1, "SGE runs this as a single task: the whole sweep"},
		{"htcondor", "", 2, 4, 1, "shard 3/4: HTCondor task 2 of 0-3"},
		{"htcondor with a long environment", "", 1, 2, 0, "shard 2/2: HTCondor task 1 of 0-1"},
		{"hyperqueue", "4", 3, 4, 2, "shard 4/4: HyperQueue task 3 of 0-3"},
		{"hyperqueue in a Slurm allocation of four srun tasks", "0-14:3", 1, 5, 2, "shard 2/5: HyperQueue task 3 of 0-14:3; it is within srun " +
			"task 2 of 0-3, and each of its tasks runs the same 5 shards (--shard I/N divides further)"},
		{"flux", "", 3, 4, 0, "shard 4/4: Flux task 3 of 0-3"},
		{"flux --cc", "0-9", 9, 10, 0, "shard 10/10: Flux --cc task 9 of 0-9"},
		{"kubernetes", "5", 4, 5, 0, "shard 5/5: Kubernetes task 4 of 0-4"},
		{"aws batch", "", 6, 8, 0, "shard 7/8: AWS Batch task 6 of 0-7"},
		{"parallel", "8", 7, 8, 1, "shard 8/8: GNU parallel task 8 of 1-8"},
		{"parallel in a Slurm array", "4", 2, 4, 1, "shard 3/4: GNU parallel task 3 of 1-4; it is within Slurm task 1 of 0-1, and each of its " +
			"tasks runs the same 4 shards (--shard I/N divides further)"},
		{"nothing", "", 0, 1, 0, "no batch engine is around: the whole sweep"},
	} {
		f := Detect(within(files, c.env))
		got, err := f.Shard(c.given)
		if want := (Choice{c.shard, c.shards, c.said}); err != nil || got != want || f.Threads() != c.threads {
			t.Errorf("%s, given %q: %+v, %d threads, error %v; want %+v, %d threads", c.env, c.given, got, f.Threads(), err, want, c.threads)
		}
	}
}

// TestWhatCannotBeUnderstoodIsRefused and says what to do.
func TestWhatCannotBeUnderstoodIsRefused(t *testing.T) {
	files := environments(t)
	for _, c := range []struct{ env, given, says string }{
		{"slurm array that is no range", "", "the Slurm array has 3 tasks from 1 to 9, which is no range with a step: name the range that they " +
			"belong to with --shards FIRST-LAST"},
		{"pbs", "", "PBS tells that this is task 3, but not of how many: add --shards N"},
		{"torque", "", "but not of how many"},
		{"hyperqueue", "", "but not of how many"},
		{"flux --cc", "", "but not of how many"},
		{"kubernetes", "", "but not of how many"},
		{"parallel", "", "but not of how many"},
		{"parallel in a Slurm array", "", "GNU parallel tells that this is task 3, but not of how many"},
		{"torque", "8", "TORQUE task 8 is none of 0-7: say with --shards FIRST-LAST"},
		{"pbs", "0-7:2", "PBS task 3 is none of 0-7:2"},
		{"pbs", "0", "--shards 0: write how many tasks there are, such as 8"},
		{"pbs", "8-1", "--shards 8-1: write how many"},
		{"pbs", "1-8:0", "--shards 1-8:0: write how many"},
		{"pbs", "eight", "--shards eight: write how many"},
		{"slurm batch script", "8", "--shards 8: Slurm runs this as a single task, so that nothing tells which of them this is: give " +
			"--shard I/N"},
		{"nothing", "8", "no batch engine is around, so that nothing tells"},
		{"a number that is none", "", `SLURM_ARRAY_TASK_ID is "five": want a number of at least 0; give --shard I/N`},
		{"a number that is none", "3-7", `SLURM_ARRAY_TASK_ID is "five"`},
		{"htcondor without its ad", "", "HTCondor's job ad: open gone.job.ad: file does not exist: give --shard I/N"},
		{"htcondor without its ad", "4", "HTCondor's job ad"},
	} {
		got, err := Detect(within(files, c.env)).Shard(c.given)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s, given %q: %+v, error %v; want one with %q", c.env, c.given, got, err, c.says)
		}
	}
}

// TestTheTasksOfAnArrayAreAllShards: the tasks of an array are the shards 0 to n-1, once each, for every range that the
// engine counts in.
func TestTheTasksOfAnArrayAreAllShards(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		first, step, n := rapid.IntRange(1, 50).Draw(rt, "first"), rapid.IntRange(1, 7).Draw(rt, "step"), rapid.IntRange(2, 20).Draw(rt, "tasks")
		last := first + (n-1)*step
		over := rapid.IntRange(0, step-1).Draw(rt, "beyond the last task")
		for i := range n {
			index := fmt.Sprint(first + i*step)
			slurm := map[string]string{"SLURM_JOB_ID": "1", "SLURM_ARRAY_TASK_ID": index, "SLURM_ARRAY_TASK_COUNT": fmt.Sprint(n),
				"SLURM_ARRAY_TASK_MIN": fmt.Sprint(first), "SLURM_ARRAY_TASK_MAX": fmt.Sprint(last), "SLURM_ARRAY_TASK_STEP": fmt.Sprint(step)}
			sge := map[string]string{"JOB_ID": "1", "SGE_TASK_ID": index, "SGE_TASK_FIRST": fmt.Sprint(first),
				"SGE_TASK_LAST": fmt.Sprint(last + over), "SGE_TASK_STEPSIZE": fmt.Sprint(step)}
			pbs := map[string]string{"PBS_JOBID": "1", "PBS_ARRAY_INDEX": index}
			for _, vars := range []map[string]string{slurm, sge, pbs} {
				given := ""
				if vars["PBS_JOBID"] != "" {
					given = fmt.Sprintf("%d-%d:%d", first, last+over, step)
				}
				got, err := Detect(Outside{Getenv: func(name string) string { return vars[name] }}).Shard(given)
				if err != nil || got.Shard != i || got.Shards != n {
					rt.Fatalf("%v: %+v, %v; want shard %d of %d", vars, got, err, i, n)
				}
			}
		}
	})
}

// TestDeadlines reads the end of a job from a variable of Slurm. Without the variable it finds the command that asks Slurm.
func TestDeadlines(t *testing.T) {
	files := environments(t)
	task := func(name string) Task { return Detect(within(files, name)).Tasks[0] }
	end := time.Unix(1795330601, 0)
	if got := task("slurm that tells the end"); !got.Deadline.Equal(end) || got.Ask != nil || got.Attempt != "1" {
		t.Errorf("%+v, want the end at %s", got, end)
	}
	for name, job := range map[string]string{"slurm array, second of three": "1_5", "slurm batch script": "4"} {
		if got := task(name); !got.Deadline.IsZero() || strings.Join(got.Ask, " ") != "env SLURM_TIME_FORMAT=%s scontrol show job -o "+job {
			t.Errorf("%s: %+v, want to ask for job %s", name, got, job)
		}
	}
	if got, ok := TimeLeft([]byte(files["scontrol"])); !ok || !got.Equal(end) {
		t.Errorf("scontrol: %s, %t; want %s", got, ok, end)
	}
	if got, ok := TimeLeft([]byte(files["scontrol without a limit"])); ok || !got.IsZero() {
		t.Errorf("scontrol of a job without a limit: %s", got)
	}
}

// TestBooks: by what a job is found again in the books of its engines.
func TestBooks(t *testing.T) {
	files := environments(t)
	got := ""
	for _, task := range Detect(within(files, "hyperqueue in a Slurm allocation of four srun tasks")).Tasks {
		got += fmt.Sprintf("%s %v %q\n", task.Engine, task.IDs, task.Attempt)
	}
	want := "slurm map[SLURM_JOB_ID:9] \"\"\nsrun map[SLURM_STEP_ID:0] \"\"\nhyperqueue map[HQ_JOB_ID:1 HQ_TASK_ID:3] \"2\"\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := Detect(within(files, "hyperqueue")).Tasks[0].ErrorFile; got != "/tmp/hq/error" {
		t.Errorf("HyperQueue's error file is %q", got)
	}
}
