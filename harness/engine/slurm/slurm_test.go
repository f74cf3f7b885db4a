package slurm

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shown is the output of scontrol of Slurm 22.05 for an array of four, whose lines are cut short
// behind the exit code.
const shown = `JobId=10 ArrayJobId=10 ArrayTaskId=4-5%2 JobName=bad UserId=root(0) Priority=1 JobState=PENDING Reason=Resources Dependency=(null) Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0
JobId=13 ArrayJobId=10 ArrayTaskId=3 JobName=bad UserId=root(0) JobState=COMPLETED Reason=None Dependency=(null) Requeue=1 Restarts=1 ExitCode=0:0 Command=/x/ExitCode=9
JobId=12 ArrayJobId=10 ArrayTaskId=2 JobName=bad UserId=root(0) JobState=TIMEOUT Reason=TimeLimit Dependency=(null) Requeue=1 Restarts=0 ExitCode=0:15
JobId=11 ArrayJobId=10 ArrayTaskId=1 JobName=bad UserId=root(0) JobState=FAILED Reason=NonZeroExitCode Dependency=(null) Requeue=1 Restarts=0 ExitCode=3:0
`

func TestParse(t *testing.T) {
	tasks, running := parse("10", shown)
	want := []Task{{"10", "3", "COMPLETED", "0:0"}, {"10", "2", "TIMEOUT", "0:15"}, {"10", "1", "FAILED", "3:0"}}
	if !slices.Equal(tasks, want) || !running {
		t.Errorf("%v, running %v", tasks, running)
	}
	if tasks, running := parse("11", ""); tasks != nil || running {
		t.Errorf("a forgotten job: %v, running %v", tasks, running)
	}
}

// TestWait: a scontrol that shows a job that runs, gives no answer for a while, then shows one that has failed, and at
// last has forgotten it.
func TestWait(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	script := `#!/bin/sh
if [ "$3" = 2 ]; then echo "JobId=2 JobName=a JobState=COMPLETED ExitCode=0:0"; exit; fi
n=$(cat ` + dir + `/n 2>/dev/null || echo 0)
echo $((n + 1)) >` + dir + `/n
case $n in
0) echo "JobId=1 ArrayTaskId=1-2 JobState=PENDING ExitCode=0:0" ;;
1 | 2) echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2; exit 1 ;;
3) printf 'JobId=1 ArrayTaskId=10 JobState=FAILED ExitCode=2:0\nJobId=3 ArrayTaskId=2 JobState=COMPLETING ExitCode=0:0\n' ;;
4) printf 'JobId=3 ArrayTaskId=2 JobState=FAILED ExitCode=3:0\nJobId=4 ArrayTaskId=3 JobState=REQUEUED ExitCode=0:0\n' ;;
*) echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1 ;;
esac
`
	if err := os.WriteFile(filepath.Join(dir, "scontrol"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	var notes []string
	note := func(text string) { notes = append(notes, text) }
	failed, err := Wait(t.Context(), Jobs{Shards: "1", Analysis: "2"}, time.Millisecond, note)
	want := []Task{{"1", "2", "FAILED", "3:0"}, {"1", "10", "FAILED", "2:0"}}
	if err != nil || !slices.Equal(failed, want) {
		t.Errorf("%v, %v; want %v", failed, err, want)
	}
	if got, want := failed[0].String(), "task 1_2: FAILED, exit code 3:0"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "job 1: exit status 1: slurm_load_jobs error: Unable to contact") {
		t.Errorf("notes %q", notes)
	}
	defer func(n int) { patience = n }(patience)
	patience = 20
	lost := "job %s: no answer to 21 questions: exit status 1: Unable to contact slurm controller"
	one := fmt.Sprintf(lost, "1")
	for well, want := range map[string]string{"": one + "\n" + fmt.Sprintf(lost, "2"),
		// The other job is awaited: it runs for 40 questions.
		`if [ "$3" = 2 ]; then echo >>` + dir + `/asked; [ $(wc -l <` + dir + `/asked) = 40 ] && s=COMPLETED
echo "JobId=2 JobState=${s:-RUNNING} ExitCode=0:0"; exit; fi
`: one} {
		silent := "#!/bin/sh\n" + well + "echo Unable to contact slurm controller >&2; exit 1\n"
		if err := os.WriteFile(filepath.Join(dir, "scontrol"), []byte(silent), 0o755); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		_, err = Wait(ctx, Jobs{Shards: "1", Analysis: "2"}, time.Microsecond, note)
		stop()
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if asked, err := os.ReadFile(filepath.Join(dir, "asked")); err != nil || len(asked) != 40 {
		t.Errorf("the job that is well was looked at %d times, %v", len(asked), err)
	}
}

// TestSubmit: the job numbers come from the file's output, and an error repeats the message of sbatch.
func TestSubmit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sweep.sh")
	for text, want := range map[string]string{
		"echo shards 12; echo analysis 13": "",
		"echo no partition >&2; exit 1":    "submit " + file + ": exit status 1: no partition",
		"echo Submitted batch job 12": "submit " + file +
			`: want lines "shards ID" and "analysis ID", got "Submitted batch job 12\n"`,
		"echo shards 12; echo sbatch: no room >&2; exit 1": "submit " + file + ": exit status 1: sbatch: no room",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		jobs, err := Submit(t.Context(), file)
		if want == "" {
			if err != nil || jobs != (Jobs{"12", "13"}) {
				t.Errorf("%v, %v", jobs, err)
			}
		} else if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
