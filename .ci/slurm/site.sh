#!/usr/bin/env bash
# The recorded site under the fast clock, with $WORK, $JOBS, $RECORDED and $SUBMITTED set: slurmdbd, slurmctld, ten slurmds. It submits the
# first $JOBS jobs, waits for them, and then submits 60 that meet limits. What became of them is in $WORK/log/jobcomp.log.
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=lib.sh
. ./lib.sh
chmod 666 /dev/shm/*faketime_*_"$PPID" # jobs of other users read the clock, too
as=(games man lp mail news)             # users of every Debian, in place of user1 to user5

sed "s|RUN|$WORK|g; s|HOST|$(hostname -s)|g" "$RECORDED/slurm.conf" >"$WORK/slurm.conf"
cat >"$WORK/gres.conf" <<C
AutoDetect=off
NodeName=g1 Name=gpu File=/dev/null
NodeName=g1 Name=gpu File=/dev/zero
C
cp "$RECORDED/topology.conf" "$WORK/"
cat >"$WORK/slurmdbd.conf" <<C
AuthType=auth/munge
AuthInfo=socket=$WORK/munge/sock
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=32008
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=slurm
StorageLoc=slurm
LogFile=$WORK/log/slurmdbd.log
PidFile=$WORK/pids/slurmdbd.slurm
MessageTimeout=300
C
chmod 600 "$WORK/slurmdbd.conf"
export SLURM_CONF=$WORK/slurm.conf MYSQL_UNIX_PORT=$WORK/database/sock

start slurmdbd slurmdbd -D
manage() { sacctmgr -i "$@" >>"$WORK/log/sacctmgr" 2>&1; }
until_true 600 manage list cluster || fail "slurmdbd does not answer: $(tail -n 3 "$WORK/log/slurmdbd.log" "$WORK/log/sacctmgr")"
manage add qos supporters Priority=100
manage add cluster micro Fairshare=1 QOS=normal,supporters
for account in 0 1 2; do manage add account "account$account" Fairshare=100; done
account_of=(0 1 1 1 2 2) # of admin, whom root plays, and of user1 to user5
manage add user daemon DefaultAccount=account0 MaxSubmitJobs=1000
for user in 1 2 3 4 5; do
	manage add user "${as[user - 1]}" DefaultAccount="account${account_of[user]}" MaxSubmitJobs=1000
done

# Jobs do not outlive a failure. The clock is fast.
trap '[ $? = 0 ] || { scancel --user=root,"$(IFS=,; echo "${as[*]}")"; sleep 300; }' EXIT
start slurmctld slurmctld -D -i -f "$SLURM_CONF"
for node in n{1..4} m{1..4} g1 b1; do
	mkdir -p "$WORK/spool/$node"
	start "slurmd-$node" slurmd -D -N "$node" -f "$SLURM_CONF"
done
idle() { [ "$(sinfo -h -p normal -o '%T %D')" = "idle 10" ]; }
until_true 900 idle || fail "not all nodes are idle: $(sinfo 2>&1)"

# submit FILE JOBS ENDED submits the first jobs of the table at their times, and waits until ENDED jobs have ended.
submit() {
	local began=$EPOCHSECONDS dt id length user minutes procs per account partition qos constraint mem gres command
	while IFS=';' read -r dt id length user minutes procs per account partition qos constraint mem gres; do
		[ $((dt -= EPOCHSECONDS - began)) -le 0 ] || sleep $dt
		case $length in
		-1) command="sleep infinity" ;; # to the limit
		0) command=true ;;
		*) command="sleep $length" ;;
		esac
		sbatch -Q -J "$id" --uid="${as[${user#user} - 1]}" -t "$minutes" -n "$procs" --ntasks-per-node="$per" -A "$account" -p "$partition" \
			-q "$qos" ${constraint:+--constraint="$constraint"} ${mem:+--mem="$mem"} ${gres:+--gres="$gres"} -D / -o /dev/null --wrap "$command"
	done < <(sed 1d "$1" | head -n "$2")
	until_true 9000 ended "$3" || fail "jobs do not end: $(squeue)"
}
ended() { [ "$(wc -l <"$WORK/log/jobcomp.log")" -ge "$1" ]; }

submit "$SUBMITTED" "$JOBS" "$JOBS"
# Limits of each user in a QOS, of the QOS, and of an account. Each has jobs of its own: a limit of a job's QOS replaces its account's.
manage modify qos supporters set MaxTRESPerUser=cpu=28 GrpTRES=cpu=48
manage modify account account1 set GrpTRES=cpu=60
submit limited.csv 60 $((JOBS + 60))
