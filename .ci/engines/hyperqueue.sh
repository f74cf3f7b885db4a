#!/bin/bash
# HyperQueue, by its Python interface.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lib.sh
. "$here/lib.sh"
cd "$WORK"
export TMPDIR=$WORK
tasks() { python3 "$here/hq-tasks.py" "$@" >hq.out 2>&1 || fail "$(cat hq.out)"; }

part "the tasks of a job file, and the analysis that depends on them"
sweep eight 500 40
alone eight
"$SS" engine print hyperqueue eight.yaml --shards 8 --cpus 2 --to eight.toml
tasks eight.toml
analysed eight

part "a failing instance: the task has done its work, and the analysis follows"
failing bad
"$SS" engine print hyperqueue bad.yaml --shards 2 --cpus 1 --to bad.toml 2>/dev/null
tasks bad.toml
"$SS" status bad.yaml | grep -E 'failed +8' || fail "not 8 failed rows"
[ -s results/runs/bad/analysis/statistics.csv ] || fail "bad: not analysed"

part "--shard auto --shards 8 in tasks 0 to 7"
sed 's/^name: .*/name: auto/' eight.yaml >auto.yaml
cp eight.hash auto.hash
tasks --tasks 8 "$SS" run auto.yaml --shard auto --shards 8 --quiet
grep -h 'note: shard' task-0.err task-7.err
same auto
