#!/bin/bash
# slurm-loopback.sh FOLDER NODES CPUS brings up Slurm on this machine, as root, with
# nodes that are only names; slurm-loopback.sh FOLDER stop ends it. Ports are its own.
set -eu
D=$1
if [ "$2" = stop ]; then
	for f in "$D"/pids/*; do kill -9 "$(cat "$f")" 2>/dev/null || true; done
	exit
fi
N=$2 CPUS=$3 H=$(hostname -s)
start() { # start NAME COMMAND... keeps the process's number
	local name=$1
	shift
	setsid "$@" >"$D/log/$name.out" 2>&1 &
	echo $! >"$D/pids/$name"
}
mkdir -p "$D"/{state,log,spool,munge,pids}
chmod 700 "$D/munge"
dd if=/dev/urandom of="$D/munge/key" bs=1 count=1024 status=none
chmod 600 "$D/munge/key"
start munged munged --force --foreground --key-file="$D/munge/key" --socket="$D/munge/sock" --pid-file="$D/munge/pid" \
	--log-file="$D/munge/log" --seed-file="$D/munge/seed"
cat >"$D/slurm.conf" <<C
ClusterName=loop
SlurmctldHost=$H(127.0.0.1)
SlurmctldPort=26817
AuthType=auth/munge
AuthInfo=socket=$D/munge/sock,cred_expire=5
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool/%n
SlurmctldPidFile=$D/slurmctld.pid
SlurmdPidFile=$D/slurmd-%n.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd-%n.log
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdTimeout=6
InactiveLimit=0
KillWait=5
MinJobAge=600
SlurmdParameters=config_overrides
NodeName=n[1-$N] NodeHostname=$H NodeAddr=127.0.0.1 Port=[27001-$((27000 + N))] CPUs=$CPUS RealMemory=2000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
C
export SLURM_CONF="$D/slurm.conf"
for _ in $(seq 50); do [ -S "$D/munge/sock" ] && break; sleep .1; done
start slurmctld slurmctld -D -i -f "$D/slurm.conf"
for i in $(seq "$N"); do
	mkdir -p "$D/spool/n$i"
	start "slurmd-n$i" slurmd -D -N "n$i" -f "$D/slurm.conf"
done
for _ in $(seq 150); do
	[ "$(sinfo -h -o '%T %D' 2>/dev/null)" = "idle $N" ] && exit
	sleep .2
done
sinfo
exit 1
