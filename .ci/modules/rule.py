"""Holds a schedule (a file of simulate --jobs) to the rule of EASY on contiguous
processors, for any choice of blocks:

- each job has contiguous processors;
- when all of an instant is done, the first job in the queue fits nowhere;
- what overtakes it does not move its reservation by walltimes.

    rule.py schedule.csv PROCESSORS

Prints how many instants were looked at, and ends with 1 where one breaks the rule.
Counted apart is a mistake of easyBackfill: it protects the free blocks at the two
ends of a reservation and not those between.
"""

import csv
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from contiguous import block, reservation


def schedule(path):
    for row in csv.DictReader(open(path)):
        procs = []
        for part in row["allocated"].split():
            lo, _, hi = part.partition("-")
            procs += range(int(lo), int(hi or lo) + 1)
        yield {**{k: float(row[k]) for k in ("submit", "start", "finish", "walltime")}, "id": int(row["job_id"]), "procs": procs}


def unprotected(rest, running, before, without, reserved):
    """Whether all that is in the way of the reservation went into free blocks that
    hold neither its first nor its last processor."""
    for j in running:
        if j in before or j["start"] + j["walltime"] <= without or not set(j["procs"]) & set(reserved):
            continue
        lo, hi = j["procs"][0], j["procs"][-1]
        while lo - 1 in rest:
            lo -= 1
        while hi + 1 in rest:
            hi += 1
        if lo <= reserved[0] <= hi or lo <= reserved[-1] <= hi:
            return False
    return True


def main(path, size):
    jobs = sorted(schedule(path), key=lambda j: (j["submit"], j["id"]))
    bad, instants, overtaken, between = [], 0, 0, 0
    for j in jobs:
        if block(j["procs"], len(j["procs"])) is None:
            bad.append(f"job {j['id']} has the processors {j['procs']}")
    for now in sorted({t for j in jobs for t in (j["submit"], j["finish"])}):
        running = [j for j in jobs if j["start"] <= now < j["finish"]]
        waiting = [j for j in jobs if j["submit"] <= now < j["start"]]
        instants += 1
        if not waiting:
            continue
        head, held = waiting[0], {p for j in running for p in j["procs"]}
        free = [p for p in range(size) if p not in held]
        if block(free, len(head["procs"])):
            bad.append(f"at {now:g} s job {head['id']} is the first and fits")
            continue
        ends = lambda some: [(max(now, j["start"] + j["walltime"]), j["procs"]) for j in some]
        before = [j for j in running if j["start"] < now or (j["submit"], j["id"]) < (head["submit"], head["id"])]
        if len(before) < len(running):
            overtaken += 1
            with_them = reservation(free, ends(running), len(head["procs"]))[0]
            rest = sorted(free + [p for j in running if j not in before for p in j["procs"]])
            # Jobs that overtook it may have the block in which it would start at once.
            without, reserved = now, []
            if not block(rest, len(head["procs"])):
                without, reserved = reservation(rest, ends(before), len(head["procs"]))
            if with_them > without and unprotected(rest, running, before, without, reserved):
                between += 1
            elif with_them > without:
                bad.append(f"at {now:g} s jobs overtake job {head['id']} and move its start from {without:g} to {with_them:g} s")
    print(f"{len(jobs)} jobs, {instants} instants, {overtaken} with jobs that overtake, {between} of them between the ends of a reservation, {len(bad)} against the rule")
    for line in bad[:5]:
        print(line)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
