#!/bin/bash
# Snakemake.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lib.sh
. "$here/lib.sh"
cd "$WORK"
export XDG_CACHE_HOME=$WORK/cache
echo "Snakemake $(snakemake --version)"
made() { snakemake --snakefile "$1.smk" --cores all --quiet all >/dev/null || fail "$(cat "$1"-*.log)"; }

part "8 shards, and the analysis after them"
sweep eight 500 40
alone eight
"$SS" engine submit snakemake eight.yaml --shards 8 --cpus 1 >told 2>snakemake.log || fail "$(cat snakemake.log)"
grep '160 of 160 instances done, 0 without an answer' told || fail "$(cat told)"
analysed eight

part "a failing instance: the rule has done its work, and the analysis follows"
failing bad
"$SS" engine print snakemake bad.yaml --shards 2 --cpus 1 --to bad.smk 2>/dev/null
made bad 2>/dev/null
"$SS" status bad.yaml | grep -E 'failed +8' || fail "not 8 failed rows"

part "a manifest that has grown runs again"
sed -i 's/^replications: .*/replications: 44/' eight.yaml
alone eight
made results/runs/eight/snakemake
analysed eight
