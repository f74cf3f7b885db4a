"""EASY backfilling as a scheduling module: the schedule of schedsweep's own policy easy.

    policy: {kind: external, command: [python3, "{module}"], module: easy.py}
"""
from schedsweep import Job, Scheduler


class Easy(Scheduler):
    """Reserves a place for the first job of the queue; later jobs may start if they do not delay it."""

    def decide(self, now: float) -> None:
        while self.queue and self.fits(self.queue[0]):
            self.start(self.queue[0])
        if not self.queue:
            return
        shadow, extra = self.reservation(self.queue[0], now)
        for job in self.queue[1:]:
            short = now + job.walltime <= shadow
            if self.fits(job) and (short or job.processors <= extra):
                if not short:
                    extra -= job.processors
                self.start(job)

    def reservation(self, job: Job, now: float) -> "tuple[float, int]":
        """Returns when the job can start by walltimes, and how many processors are free beside it then."""
        free = len(self.free)
        ends = sorted((max(r.end, now), len(r.processors)) for r in self.running.values())
        for i, (end, processors) in enumerate(ends):
            free += processors
            if free >= job.processors and (i + 1 == len(ends) or ends[i + 1][0] > end):
                return end, free - job.processors
        raise RuntimeError("job %s is larger than the machine" % job.id)


if __name__ == "__main__":
    Easy().serve()
