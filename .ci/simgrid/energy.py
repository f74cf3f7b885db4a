"""Holds our energy of small schedules against SimGrid's energy plugin.

energy.py TRACE=JOULES ..., traces of m.yaml (JSON lines) and our energy. Each node is a host of SimGrid. A processor in use is an
execution on one core of its host, from the start to the end of the job. The states of a node are the host's performance states,
each with its own watts. SimGrid's clock begins at the first submission and ends with the last job, as our energy does.
"""

import json
import re
import subprocess
import sys
import tempfile

# First processor, nodes, cores; watts of a node that is on and idle, on and busy, off, booting, shutting down.
CLASSES = [("large", 0, 4, 4, 60, 189, 14, 131.5, 84), ("thin", 16, 12, 1, 100, 300, 9, 201.25, 150)]
STATES = {"off": 1, "boot": 2, "shutdown": 3}
SPEED = 1e9


def host_of(processor):
    for name, first, nodes, cores, *_ in CLASSES:
        if first <= processor < first + nodes * cores:
            return f"{name}-{(processor - first) // cores}"
    sys.exit(f"there is no processor {processor}")


def spans(text):
    for span in text.split():
        lo, *hi = span.split("-")
        yield from range(int(lo), int(hi[0] if hi else lo) + 1)


def read(path):
    """Returns executions (host, start, end) and states (host, time, number) behind the first submission."""
    executions, states, begin, first, last = [], [], {}, None, 0.0
    for line in open(path):
        e = json.loads(line)
        if e["event"] == "submit" and first is None:
            first = e["t"]
        elif e["event"] == "start":
            begin[e["seq"]] = e["t"], e["allocated"]
        elif e["event"] == "end":
            start, procs = begin.pop(e["seq"])
            executions += [(host_of(p), start, e["t"]) for p in spans(procs)]
            last = max(last, e["t"])
        elif e["event"] in ("down", "up"):
            state = STATES[e["state"]] if e["event"] == "down" else 0
            hosts = dict.fromkeys(host_of(p) for p in spans(e["allocated"]))
            states += [(h, e["t"], state) for h in hosts]
    executions = [(h, a - first, b - first) for h, a, b in executions]
    states = [(h, max(0.0, t - first), s) for h, t, s in states if t < last]
    return executions, states, last - first


def platform():
    rows = []
    for name, _, nodes, cores, idle, busy, *others in CLASSES:
        watts = ", ".join([f"{idle}:{idle}:{busy}"] + [f"{w}:{w}:{w}" for w in others])
        for n in range(nodes):
            speeds = ",".join(["1Gf"] * 4)
            rows.append(f'<host id="{name}-{n}" speed="{speeds}" core="{cores}"><prop id="wattage_per_state" value="{watts}"/></host>')
    head = '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
    return f'{head}<zone id="all" routing="None">{"".join(rows)}</zone></platform>'


def simulate(trace):
    from simgrid import Actor, Engine, Host, this_actor

    executions, states, length = read(trace)

    def execute(host, start, end):
        if start > 0:
            this_actor.sleep_until(start)
        this_actor.execute((end - start) * SPEED)

    def switch(host, changes):
        for time, state in changes:
            if time > Engine.get_clock():
                this_actor.sleep_until(time)
            Host.by_name(host).pstate = state

    def until(end):
        this_actor.sleep_until(end)

    engine = Engine(["energy", "--cfg=plugin:host_energy"])
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as f:
        f.write(platform())
        f.flush()
        engine.load_platform(f.name)
    for host, start, end in executions:
        if end > start:
            Actor.create("job", Host.by_name(host), execute, host, start, end)
    by = {}
    for host, time, state in states:
        by.setdefault(host, []).append((time, state))
    for host, changes in by.items():
        Actor.create("switch", Host.by_name(host), switch, host, changes)
    Actor.create("end", Host.by_name("thin-0"), until, length)
    engine.run()


def main():
    if sys.argv[1] == "--simulate":
        simulate(sys.argv[2])
        return
    worst = 0.0
    for pair in sys.argv[1:]:
        trace, joules = pair.rsplit("=", 1)
        out = subprocess.run([sys.executable, __file__, "--simulate", trace], capture_output=True, text=True, check=True)
        got = [float(v) for v in re.findall(r"Energy consumption of host (?:large|thin)-\d+: ([0-9.e+]+) Joules", out.stderr + out.stdout)]
        if len(got) != sum(nodes for _, _, nodes, *_ in CLASSES):
            sys.exit(f"{trace}: SimGrid has the energy of {len(got)} hosts:\n{out.stderr}")
        off = abs(sum(got) / float(joules) - 1)
        worst = max(worst, off)
        if not off <= 1e-6:
            sys.exit(f"{trace}: {joules} J, and {sum(got)} J by SimGrid")
    print(f"energy of {len(sys.argv) - 1} schedules equals SimGrid's, to {worst:.1e}")


main()
