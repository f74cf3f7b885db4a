# What the clock of the machine and the fast clock share. Sourced with $WORK set.

# start NAME COMMAND... runs a daemon and keeps its process number. It closes the files from 3 on: faketime waits for all processes with its pipe.
start() {
	local name=$1
	shift
	setsid "$@" >"$WORK/log/$name.out" 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
	echo $! >"$WORK/pids/$name"
	disown # or its end is reported
}

# until_true TENTHS COMMAND... runs a command until it succeeds, at most TENTHS times.
until_true() {
	local left=$1
	shift
	until "$@" >/dev/null 2>&1; do
		[ $((left--)) -gt 0 ] || return 1
		/usr/bin/env -u LD_PRELOAD sleep 0.1
	done
}

fail() { echo "FAILED: $*" >&2; exit 1; }
