#!/usr/bin/env python3
"""A scheduling module: starts all jobs that fit, the narrowest first.

    policy: {kind: external, command: [python3, "{module}"], module: mine.py}

Run it with: schedsweep run sweep.yaml --allow-commands
It needs the Python package schedsweep.
"""
from schedsweep import Scheduler


class Mine(Scheduler):
    def decide(self, now: float) -> None:
        for job in sorted(self.queue, key=lambda job: job.processors):
            if self.fits(job):
                self.start(job)


if __name__ == "__main__":
    Mine().serve()
