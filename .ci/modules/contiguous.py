"""A module for schedsweep: EASY on contiguous processors. It has the rule of pybatsim's
easyBackfill, but jobs always take the lowest block. It needs the Python package."""

from schedsweep import Scheduler


def block(procs, size):
    """Returns the lowest block of size contiguous processors, or None."""
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


class Contiguous(Scheduler):
    def decide(self, now):
        while self.queue and (at := block(self.free, self.queue[0].processors)):
            self.start(self.queue[0], at)
        if not self.queue:
            return
        running = [(max(r.end, now), r.processors) for r in self.running.values()]
        shadow, reserved = reservation(self.free, running, self.queue[0].processors)
        for job in self.queue[1:]:
            usable = self.free if now + job.walltime <= shadow else [p for p in self.free if p not in reserved]
            if at := block(usable, job.processors):
                self.start(job, at)


if __name__ == "__main__":
    Contiguous().serve()
