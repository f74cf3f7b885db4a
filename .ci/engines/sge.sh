#!/bin/bash
# Grid Engine (SGE 8.1.9 of Debian), as root, with one host and a queue of 8 slots,
# in folders and on ports of its own.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lib.sh
. "$here/lib.sh"
cd "$WORK"
export SGE_ROOT=$WORK/sge SGE_CELL=default SGE_QMASTER_PORT=26444 SGE_EXECD_PORT=26445 SGE_ND=1
common=$SGE_ROOT/default/common
mkdir -p "$common" "$SGE_ROOT"/{spooldb,qmaster,execd}
ln -s /var/lib/gridengine/{bin,lib,util,utilbin} "$SGE_ROOT/"
echo localhost >"$common/act_qmaster"
echo "localhost $(hostname)" >"$common/host_aliases"
cat >"$common/bootstrap" <<C
admin_user none
default_domain none
ignore_fqdn true
spooling_method berkeleydb
spooling_lib libspoolb
spooling_params $SGE_ROOT/spooldb
binary_path /usr/sbin
qmaster_spool_dir $SGE_ROOT/qmaster
security_mode none
listener_threads 2
worker_threads 2
scheduler_threads 1
C
PATH=$PATH:/usr/lib/gridengine
# Jobs of root are refused unless user numbers begin at 0.
sed -e 's/^min_uid .*/min_uid 0/; s/^min_gid .*/min_gid 0/; s/^load_report_time .*/load_report_time 0:0:2/' -e "s|^execd_spool_dir .*|execd_spool_dir $SGE_ROOT/execd|" \
	/usr/share/gridengine/default-configuration >configuration
{
	spoolinit berkeleydb libspoolb "$SGE_ROOT/spooldb" init
	spooldefaults configuration configuration
	spooldefaults complexes /usr/share/gridengine/util/resources/centry
	spooldefaults usersets /usr/share/gridengine/util/resources/usersets
	spooldefaults managers root
} >setup.log 2>&1 || fail "$(cat setup.log)"
trap 'kill -9 $(jobs -p) 2>/dev/null || true' EXIT
sge_qmaster >qmaster.log 2>&1 &
until_true 30 qconf -sh || fail "no qmaster: $(cat qmaster.log)"
qconf -ssconf | sed 's/^schedule_interval .*/schedule_interval 0:0:1/' >scheduler
qconf -Msconf scheduler
qconf -as localhost
sge_execd >execd.log 2>&1 &
until_true 30 sh -c 'qconf -sel | grep -q localhost' || fail "no execd: $(cat execd.log)"
cat >smp <<C
pe_name smp
slots 999
user_lists NONE
xuser_lists NONE
start_proc_args NONE
stop_proc_args NONE
allocation_rule \$pe_slots
control_slaves FALSE
job_is_first_task TRUE
urgency_slots min
accounting_summary FALSE
qsort_args NONE
C
qconf -Ap smp
qconf -sq | sed -e 's/^qname .*/qname main/; s/^hostlist .*/hostlist localhost/; s/^slots .*/slots 8/; s/^load_thresholds .*/load_thresholds NONE/; s/^pe_list .*/pe_list smp/' >queue
qconf -Aq queue

# submitted NAME OPTIONS... submits a sweep and waits for both jobs.
submitted() {
	local name=$1
	shift
	"$SS" engine submit sge "$name.yaml" "$@" 2>/dev/null | tee told
	finished() { ! qstat -j "$(sed -n 's/^shards //p' told)" && ! qstat -j "$(sed -n 's/^analysis //p' told)"; }
	until_true 240 finished || fail "$(qstat -f; cat "$name"-*.log)"
}
# ends NAME lists the exit codes of the sweep's tasks, requeued ones too, once each.
ends() { awk -F: -v job="$1" '$5 == job {print $13}' "$common/accounting" | sort -un | xargs; }

part "an array of 8, two cores each, and the analysis after it"
sweep eight 500 40
alone eight
submitted eight --shards 8 --cpus 2
analysed eight

part "a failing instance: exit code 3, not put into the queue again, analysed"
failing bad
submitted bad --shards 2 --cpus 1
[ -s results/runs/bad/analysis/statistics.csv ] || fail "bad: not analysed"
until_true 30 sh -c "grep -c :bad: $common/accounting | grep -qx 2" || fail "$(cat "$common/accounting")"
[ "$(ends bad)" = 3 ] || fail "exit codes $(ends bad), want 3"

part "--shard auto in an array"
sed 's/^name: .*/name: auto/' eight.yaml >auto.yaml
cp eight.hash auto.hash
qsub -sync y -b y -cwd -j y -o auto-\$TASK_ID.log -t 1-8 "$SS" run auto.yaml --shard auto --quiet >/dev/null
grep -h 'note: shard' auto-1.log auto-8.log
same auto

part "told to stop: drained, exit code 99 puts the task into the queue again"
sweep stopped 20000 "${STOPPED:-50}"
alone stopped
shard() { pgrep -f "^$SS run stopped.yaml .*--shard 1/2$"; }
(until_true 60 shard && sleep 2 && kill -TERM "$(shard)") &
submitted stopped --shards 2 --cpus 1
analysed stopped
until_true 60 grep -q :stopped-analyze: "$common/accounting" || fail "$(cat "$common/accounting")"
[ "$(ends stopped)" = "0 99" ] || fail "exit codes $(ends stopped), want 0 99: make STOPPED larger"
