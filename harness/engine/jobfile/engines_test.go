package jobfile

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// imitated has the commands of engines that a test cannot install. Each command runs a submitted file at once and prints what
// the engine prints. It sets the environment that the engine's documentation records (PBS: docs.it4i.cz; LSF: IBM's command
// reference; Flux: flux-environment(7)).
var imitated = map[string]map[string]string{
	"pbs": {"qsub": `
case "$*" in
*SWEEP_STEP=shard*)
	echo '7[].server'
	for i in $(sed -n 's/^#PBS -J 1-//p' "${!#}" | xargs seq 1); do
		env PBS_ENVIRONMENT=PBS_BATCH PBS_JOBID="7[$i].server" PBS_ARRAY_INDEX=$i SWEEP_STEP=shard bash "${!#}"
	done ;;
*"depend=afterany:7[].server"*) env PBS_ENVIRONMENT=PBS_BATCH PBS_JOBID=8.server bash ;;
*) echo "unknown: $*" >&2; exit 2 ;;
esac`},
	"lsf": {"bsub": `
case "$*" in
"")
	cat >spooled
	echo "Job <7> is submitted to default queue <normal>."
	for i in $(seq 1 "$(sed -n 's/^#BSUB -J .*1-\([0-9]*\)]"$/\1/p' spooled)"); do
		for attempt in 1 2; do # -Q "4"
			env LSB_JOBID=7 LSB_JOBINDEX=$i LSB_JOBINDEX_STEP=1 bash spooled
			[ $? = 4 ] || break
		done
	done ;;
*"ended(7)"*) eval "${!#}" ;;
*) echo "unknown: $*" >&2; exit 2 ;;
esac`},
	"flux": {"flux": `
case "$*" in
submit*--cc=1-*)
	for i in $(seq 1 "$(echo "$*" | sed 's/.*--cc=1-\([0-9]*\) .*/\1/')"); do
		echo "f$i"
		env FLUX_JOB_ID=f$i FLUX_JOB_CC=$i FLUX_TASK_RANK=0 FLUX_JOB_SIZE=1 bash "${!#}" >&2
	done ;;
"submit --dependency=afterany:f1 --dependency=afterany:f2 --dependency=afterany:f3"*) env FLUX_JOB_ID=f9 bash "${!#}" ;;
*) echo "unknown: $*" >&2; exit 2 ;;
esac`},
}

// TestImitatedEngines submits job files to imitated engines. The program's second shard drains the first time. Every shard
// must run, the second one again, and then the analysis.
func TestImitatedEngines(t *testing.T) {
	const (
		once   = "run 1/3\nrun 2/3\nrun 3/3\n"
		rounds = once + once + "merge\nanalyze\n" // all again; finished shards find nothing to do
	)
	for engine, want := range map[string]string{"pbs": rounds, "flux": rounds, "lsf": "run 1/3\nrun 2/3\nrun 2/3\nrun 3/3\nmerge\nanalyze\n"} {
		dir := filepath.Join(t.TempDir(), "it's here")
		bin := filepath.Join(dir, "bin")
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		program := filepath.Join(dir, "the program")
		script := func(path, text string) {
			t.Helper()
			if err := os.WriteFile(path, []byte("#!/bin/bash\n"+text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		script(program, `
case $1 in
run) echo "run ${!#}" >>told; [ "$GOMAXPROCS" = 8 ] || exit 9 ;;
*) echo "$1" >>told; exit ;;
esac
case ${!#} in 2/3) [ -e drained ] || { touch drained; exit 4; } ;; esac
`)
		for name, text := range imitated[engine] {
			script(filepath.Join(bin, name), text)
		}
		s := study()
		s.Dir, s.Shards = dir, 3
		s.Run[0], s.Merge[0], s.Analyze[0] = program, program, program
		var file bytes.Buffer
		if err := write(&file, engine, s); err != nil {
			t.Fatal(err)
		}
		script(filepath.Join(dir, "sweep.sh"), strings.TrimPrefix(file.String(), "#!/bin/bash\n"))
		cmd := exec.Command("bash", "sweep.sh")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		told, _ := os.ReadFile(filepath.Join(dir, "told")) // "" if it is not there
		if err != nil || string(told) != want {
			t.Errorf("%s: %v\n%s\nran\n%s\nwant\n%s", engine, err, out, told, want)
		}
	}
}
