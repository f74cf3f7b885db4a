#!/usr/bin/env python3
"""A scheduling module for schedsweep: EASY backfilling.

    policy: {kind: external, command: [python3, "{module}"], module: easy.py}

It needs nothing but Python 3. schedsweep starts it, and tells it over the Unix
domain socket $SCHEDSWEEP_SOCKET what happens, a line of JSON for each instant;
it answers with what it decides for that instant.
"""

import json
import os
import socket


class Easy:
    """The first job in the queue gets a reservation by the walltimes of what runs;
    others may start before it as long as they do not move it."""

    def begin(self, data):
        self.free = list(range(data["nb_compute_resources"]))  # ascending
        self.queue = []  # (job id, processors, walltime) in order of submission
        self.running = {}  # job id -> (planned end, processors)

    def submitted(self, job, now):
        self.queue.append((job["id"], job["res"], job.get("walltime", float("inf"))))

    def ended(self, job_id, now):
        self.free = sorted(self.free + self.running.pop(job_id)[1])

    def decide(self, now):
        starts = []
        while self.queue and self.queue[0][1] <= len(self.free):
            starts.append(self.start(self.queue.pop(0), now))
        if not self.queue:
            return starts
        shadow, extra = self.reservation(now)
        waiting, self.queue = self.queue[1:], self.queue[:1]
        for job in waiting:
            _, size, walltime = job
            if size <= len(self.free) and (now + walltime <= shadow or size <= extra):
                if now + walltime > shadow:
                    extra -= size
                starts.append(self.start(job, now))
            else:
                self.queue.append(job)
        return starts

    def reservation(self, now):
        """When the first job can start, and what is free beside it then."""
        size, free = self.queue[0][1], len(self.free)
        ends = sorted((max(end, now), len(procs)) for end, procs in self.running.values())
        for i, (end, procs) in enumerate(ends):
            free += procs
            if free >= size and (i + 1 == len(ends) or ends[i + 1][0] > end):
                return end, free - size
        raise RuntimeError("a job larger than the machine")

    def start(self, job, now):
        job_id, size, walltime = job
        procs, self.free = self.free[:size], self.free[size:]
        self.running[job_id] = (now + walltime, procs)
        return {"job_id": job_id, "alloc": intervals(procs)}


def intervals(procs):
    """[0, 1, 2, 7] as "0-2 7"."""
    parts, first = [], procs[0]
    for a, b in zip(procs, procs[1:] + [None]):
        if b != a + 1:
            parts.append(str(a) if a == first else f"{first}-{a}")
            first = b
    return " ".join(parts)


def serve(scheduler):
    """Answers messages until the simulation is over."""
    conn = socket.socket(socket.AF_UNIX)
    conn.connect(os.environ["SCHEDSWEEP_SOCKET"])
    over = False
    for line in conn.makefile("r"):
        message = json.loads(line)
        now, answer = message["now"], []
        for event in message["events"]:
            kind, data = event["type"], event["data"]
            if kind == "SIMULATION_BEGINS":
                scheduler.begin(data)
            elif kind == "JOB_SUBMITTED":
                scheduler.submitted(data["job"], now)
            elif kind == "JOB_COMPLETED":
                scheduler.ended(data["job_id"], now)
            elif kind == "SIMULATION_ENDS":
                over = True
                answer.append(("NOTIFY", {"type": "ready_for_another_simulation"}))
        if not over:
            answer = [("EXECUTE_JOB", start) for start in scheduler.decide(now)]
        over = False
        events = [{"timestamp": now, "type": kind, "data": data} for kind, data in answer]
        conn.sendall(json.dumps({"now": now, "events": events}).encode() + b"\n")


if __name__ == "__main__":
    serve(Easy())
