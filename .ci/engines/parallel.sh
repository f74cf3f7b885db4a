#!/bin/bash
# GNU parallel.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lib.sh
. "$here/lib.sh"
cd "$WORK"
parallel --version | head -1

part "8 shards, and the analysis after them"
sweep eight 500 40
alone eight
"$SS" engine submit parallel eight.yaml --shards 8 --cpus 2 >told 2>/dev/null
grep '160 of 160 instances done, 0 without an answer' told || fail "$(cat told)"
analysed eight
grep -H 'gives 1 processor' eight-*.log && fail "a shard has one core of its two"
[ "$(awk 'NR > 1 && $7 == 0' eight.joblog | wc -l)" = 8 ] || fail "the log of jobs: $(cat eight.joblog)"

part "a shard that is killed runs again"
sweep killed 20000 10
alone killed
"$SS" engine print parallel killed.yaml --shards 2 --cpus 1 --to killed.sh 2>/dev/null
(until_true 60 pgrep -f "^$SS run killed.yaml" && kill -9 "$(pgrep -f "^$SS run killed.yaml" | head -1)") &
bash killed.sh >/dev/null
wait
analysed killed

part "--shard auto --shards 8"
sed 's/^name: .*/name: auto/' eight.yaml >auto.yaml
cp eight.hash auto.hash
seq 8 | parallel "$SS run auto.yaml --shard auto --shards 8 --quiet # {}" 2>messages >/dev/null
grep 'note: shard' messages | sort | head -2
same auto
