#!/bin/bash
# HTCondor, of Debian trixie in a folder of its own (4 to 10 minutes and 560 MB the first
# time), because bookworm has none.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lib.sh
. "$here/lib.sh"
root=${TRIXIE:-${XDG_CACHE_HOME:-$HOME/.cache}/schedsweep-trixie}
if [ ! -x "$root/usr/sbin/condor_master" ]; then
	rm -rf "$root"
	debootstrap --variant=minbase trixie "$root" >"$WORK/debootstrap" || fail "$(tail "$WORK/debootstrap")"
	chroot "$root" apt-get install -y --no-install-recommends minicondor >"$WORK/apt" 2>&1 || fail "$(tail "$WORK/apt")"
fi
[ -e "$root/proc/self" ] || mount -t proc proc "$root/proc"
chroot "$root" id sweep >/dev/null 2>&1 || chroot "$root" useradd --create-home sweep
cat >"$root/etc/condor/config.d/99-loopback" <<C
CONDOR_HOST = 127.0.0.1
NETWORK_INTERFACE = 127.0.0.1
COLLECTOR_PORT = 29618
# The default makes a mount of its own for each job, which needs rights that a
# container may not have.
MOUNT_UNDER_SCRATCH =
NUM_CPUS = 8
DAGMAN_USER_LOG_SCAN_INTERVAL = 1
SCHEDD_INTERVAL = 2
NEGOTIATOR_INTERVAL = 2
C
cp /etc/hosts "$root/etc/hosts"
home=$root/home/sweep/work
rm -rf "$home"
mkdir -p "$home"
cp "$SS" "$root/usr/local/bin/schedsweep"
cd "$home"
inside() { chroot "$root" su sweep -c "cd /home/sweep/work && $*"; }
chroot "$root" condor_master -f >"$WORK/master" 2>&1 &
master=$!
stop() {
	chroot "$root" condor_off -daemon master >/dev/null 2>&1 || true
	for _ in $(seq 50); do [ -e /proc/$master ] || break; sleep .2; done
	kill -9 $master 2>/dev/null || true
	umount "$root/proc" 2>/dev/null || true
}
trap stop EXIT
until_true 60 inside "condor_status -af Name | grep -q ." || fail "no machine: $(cat "$WORK/master")"
inside condor_version | head -1

# submitted NAME prints the file, submits it and waits for its end.
submitted() {
	inside "schedsweep engine print htcondor $1.yaml --shards ${2:-8} --cpus 1 --to $1.sh" 2>/dev/null
	inside "bash $1.sh >$1.submit 2>&1 && timeout 240 condor_wait $1.dag.dagman.log >/dev/null" ||
		fail "$(inside condor_q -nobatch; cat "$1.submit" "$1.dag.dagman.out")"
}

part "8 nodes of a DAG, and its final node, the analysis"
sweep eight 500 40
alone eight
chown -R "$(chroot "$root" id -u sweep)" .
submitted eight
analysed eight

part "a failing instance: not tried again, analysed"
failing bad
submitted bad 2
"$SS" status bad.yaml 2>/dev/null | grep -E 'failed +8' || fail "not 8 failed rows"
[ -s results/runs/bad/analysis/statistics.csv ] || fail "bad: not analysed"
[ "$(grep -c 'Job submitted from host' bad.log)" = 3 ] || fail "tried again: $(cat bad.log)"

part "a shard that drains runs again"
sweep drained 20000 40
alone drained
chown -R "$(chroot "$root" id -u sweep)" .
(until_true 60 pgrep -f "schedsweep run drained.yaml .*--shard 1/2$" && sleep 2 && pkill -TERM -f "schedsweep run drained.yaml .*--shard 1/2$") &
submitted drained 2
analysed drained
[ "$(grep -c 'Job submitted from host' drained.log)" = 4 ] || fail "two shards, one of them twice, and the analysis: $(cat drained.log)"

part "--shard auto: ProcId and TotalSubmitProcs of the job's ad"
sed 's/^name: .*/name: auto/' eight.yaml >auto.yaml
cp eight.hash auto.hash
cat >auto.sub <<C
executable = /usr/local/bin/schedsweep
arguments = run auto.yaml --shard auto --quiet
should_transfer_files = NO
log = auto.log
error = auto-\$(Process).err
queue 8
C
chown -R "$(chroot "$root" id -u sweep)" .
inside "condor_submit auto.sub >/dev/null && timeout 120 condor_wait auto.log >/dev/null"
grep -h 'note: shard' auto-0.err auto-7.err
same auto
