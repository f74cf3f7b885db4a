# What the tests of real engines share. Sourced with $WORK (a folder of their own)
# and $SS (the program) set.

# part says what comes, and when.
part() { echo "-- $* [$SECONDS s]"; }

fail() { echo "FAILED: $*" >&2; exit 1; }

# sweep NAME JOBS REPLICATIONS writes NAME.yaml: two policies at two loads.
sweep() {
	cat >"$1.yaml" <<-MANIFEST
	name: $1
	seed: 7
	replications: $3
	workload: {kind: lublin, mode: typeless, jobs: $2}
	platform: {processors: 128}
	axes:
	  workload.offered_load: [0.6, 0.8]
	  policy.kind: [easy, conservative]
	metrics: [mean_wait_time]
	MANIFEST
}

# failing NAME writes NAME.yaml. Every second of its instances fails, because a job is
# larger than the machine.
failing() {
	cat >"$1.yaml" <<-MANIFEST
	name: $1
	replications: 8
	workload: {kind: list, jobs: [{processors: 9, run_time: 1}]}
	axes:
	  platform.processors: [8, 16]
	policy: {kind: fcfs}
	metrics: [makespan]
	MANIFEST
}

# rows NAME [FOLDER] is the hash of the sweep's table without the time that
# instances took.
rows() {
	"$SS" export "$1.yaml" --out "${2:-results/runs/$1}" --to rows.csv >/dev/null || return
	head -1 rows.csv | grep -q ',wall_time$' || fail "the last column of an export is not wall_time"
	sed 's/,[^,]*$//' rows.csv | sha256sum
}

# alone NAME runs the sweep in one process and keeps the hash.
alone() {
	"$SS" run "$1.yaml" --out "alone/$1" --quiet >/dev/null 2>&1
	rows "$1" "alone/$1" >"$1.hash"
}

# same NAME compares the sweep's rows with those of one process.
same() {
	local got
	got=$(rows "$1") || fail "$1: no table"
	[ "$got" = "$(cat "$1.hash")" ] || fail "$1: the table differs from that of one process"
	echo "ok: $1: the table is that of one process"
}

# analysed NAME is same, and the job after the shards has done its work too.
analysed() {
	same "$1"
	[ -s "results/runs/$1/analysis/statistics.csv" ] || fail "$1: not analysed"
	[ "$(find "results/runs/$1/instances" -name '*.parquet' | wc -l)" = 1 ] || fail "$1: not merged"
}

# until_true SECONDS COMMAND... waits for a command to succeed.
until_true() {
	local end=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.2
	done
}
