#!/bin/bash
# Slurm, with four nodes on this machine.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lib.sh
. "$here/lib.sh"
cd "$WORK"
"$here/slurm-loopback.sh" "$WORK/cluster" 4 4
trap '"$here/slurm-loopback.sh" "$WORK/cluster" stop' EXIT
export SLURM_CONF=$WORK/cluster/slurm.conf
sinfo --version

part "an array of 8, and the analysis after it"
sweep eight 500 40
alone eight
"$SS" engine submit slurm eight.yaml --shards 8 --cpus 1 --wait
analysed eight

part "a failing instance: exit code 3, not put into the queue again, analysed"
failing bad
code=0
"$SS" engine submit slurm bad.yaml --shards 2 --cpus 1 --wait 2>told || code=$?
[ $code -eq 3 ] || fail "exit code $code, want 3: $(cat told)"
grep 'task [0-9]*_1: FAILED, exit code 3:0' told || fail "the failed task is not named: $(cat told)"
"$SS" status bad.yaml | grep -E 'failed +8' || fail "not 8 failed rows"
[ -s results/runs/bad/analysis/statistics.csv ] || fail "bad: not analysed"

part "--shard auto in an array"
cp eight.yaml auto.yaml
sed -i 's/name: eight/name: auto/' auto.yaml
cp eight.hash auto.hash
sbatch --wait --array=1-8 --output=auto-%a.log --wrap "exec $SS run auto.yaml --shard auto --quiet" >/dev/null
grep -h -i shard auto-1.log auto-8.log
same auto

part "16 shards at once in a fresh folder, ${FRESH:-3} times"
sweep sixteen 20 8
alone sixteen
for i in $(seq "${FRESH:-3}"); do
	rm -rf results/runs/sixteen
	sbatch --wait --array=1-16 --output=sixteen-%a.log --wrap "exec $SS run sixteen.yaml --shard \$SLURM_ARRAY_TASK_ID/16 --quiet" >/dev/null || fail "round $i: $(cat sixteen-*.log)"
	rows sixteen | cmp - sixteen.hash || fail "round $i: the table differs"
done
echo "ok: sixteen"

sweep long 20000 "${LONG:-300}"
alone long
again() { # again NAME: the long sweep by another name
	sed "s/^name: .*/name: $1/" long.yaml >"$1.yaml"
	cp long.hash "$1.hash"
}
field() { # field JOB NAME: of what scontrol shows of a job
	scontrol show job "$1" --oneliner | grep -o " $2=[^ ]*" | head -1 | cut -d= -f2
}
job() { sed -n "s/.*$1 in job \([0-9]*\).*/\1/p" "$2"; } # job shards|analysis FILE

# In the background, for it takes a minute: a walltime shorter than the work.
again short
"$SS" engine submit slurm short.yaml --shards 1 --cpus 1 --time 1m --option=--signal=B:TERM@50 --option=--nodelist=n4 --wait >short.told 2>&1 &
short=$!

part "a slurmd is killed: its task goes into the queue again while the orphan still writes"
again orphan
"$SS" engine submit slurm orphan.yaml --shards 2 --cpus 1 --option=--exclude=n4 >told
task=$(job shards told)_1
running() { pgrep -f "^$SS run orphan.yaml .*--shard 1/2$"; }
until_true 30 running || fail "task 1 does not start"
orphan=$(running)
sleep 2
node=$(field "$task" NodeList)
kill -9 "$(cat "$WORK/cluster/pids/slurmd-$node")"
kill -STOP "$orphan" # or it would be done before Slurm gives its node up
restarted() { [ "$(field "$task" Restarts)" = 1 ] && [ "$(running | wc -l)" = 2 ]; }
until_true 180 restarted || fail "the task of the dead node does not run again: $(scontrol show job "$task")"
sleep 1
kill -CONT "$orphan" || fail "the orphan has ended before it was stopped: make LONG larger"
until_true 180 test ! -e "/proc/$orphan" || fail "the orphan does not end"
ended() { [ "$(field "$1" JobState)" = COMPLETED ]; }
until_true 180 ended "$task" || fail "the task: $(scontrol show job "$task")"
until_true 60 ended "$(job analysis told)" || fail "the analysis: $(scontrol show job "$(job analysis told)")"
analysed orphan

part "a walltime shorter than the work: drained, put into the queue again, done"
wait $short || fail "$(cat short.told short-1.log)"
# When Slurm sends the signal hangs on its own clock, by up to half a minute: on a fast machine all may be done before.
[ "$(field "$(job shards short.told)_1" Restarts)" -ge 1 ] || echo "NOT SHOWN: the work did not take longer than its walltime; LONG=1000 shows it"
analysed short
