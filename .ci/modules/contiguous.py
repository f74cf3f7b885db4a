"""EASY held to contiguous processors: the rule of pybatsim's easyBackfill, but that
jobs always take the lowest block. A module for schedsweep; it needs easy.py."""

import os
import sys

sys.path.insert(0, os.environ["MODULES"])
import easy


def block(procs, size):
    """The lowest contiguous processors of so many among these, or None."""
    first = 0
    for i in range(len(procs)):
        if procs[i] - procs[first] != i - first:
            first = i
        if i - first + 1 == size:
            return procs[first:i + 1]
    return None


def reservation(free, running, size):
    """When a block is free by walltimes, and which."""
    free = sorted(free)
    for end, procs in sorted(running):
        free = sorted(free + procs)
        if found := block(free, size):
            return end, found
    raise RuntimeError("a job larger than the machine")


class Contiguous(easy.Easy):
    def decide(self, now):
        starts = []
        while self.queue and (at := block(self.free, self.queue[0][1])):
            starts.append(self.begin_on(self.queue.pop(0), at, now))
        if not self.queue:
            return starts
        shadow, reserved = reservation(self.free, [(max(e, now), p) for e, p in self.running.values()], self.queue[0][1])
        waiting, self.queue = self.queue[1:], self.queue[:1]
        for job in waiting:
            _, size, walltime = job
            usable = self.free if now + walltime <= shadow else [p for p in self.free if p not in reserved]
            if at := block(usable, size):
                starts.append(self.begin_on(job, at, now))
            else:
                self.queue.append(job)
        return starts

    def begin_on(self, job, at, now):
        self.free = [p for p in self.free if p not in at]
        self.running[job[0]] = (now + job[2], at)
        return {"job_id": job[0], "alloc": easy.intervals(at)}


if __name__ == "__main__":
    easy.serve(Contiguous())
