#!/usr/bin/env python3
"""Agents that learn nothing, over many seeds: random, first come first served, and
shortest job first.

    python3 -m schedsweep.agents manifest.yaml --seeds 100 --to agents.csv --figure agents.svg

Writes a row for each agent and seed: the mean wait over the episode's jobs, and how
many steps it took. The figure needs matplotlib.
"""

import argparse
import csv
import sys
import time
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from schedsweep.gym import SchedulingEnv

Agent = Callable[[Dict[str, Any], Dict[str, Any], np.random.Generator], int]  # (observation, info, random numbers) -> action


def random_agent(observation: Dict[str, Any], info: Dict[str, Any], rng: np.random.Generator) -> int:
    """Chooses any waiting job of the window."""
    return int(rng.choice(np.flatnonzero(info["mask"])))


def first_agent(observation: Dict[str, Any], info: Dict[str, Any], rng: np.random.Generator) -> int:
    """Chooses the job that has waited longest."""
    return 0


def sjf_agent(observation: Dict[str, Any], info: Dict[str, Any], rng: np.random.Generator) -> int:
    """Chooses the job with the shortest walltime that fits, or the shortest of all if none fits."""
    walltimes = np.where(info["mask"], observation["jobs"][:, 1], np.inf)
    fitting = np.where(info["fits"], walltimes, np.inf)
    return int(np.argmin(fitting if info["fits"].any() else walltimes))


AGENTS: Dict[str, Agent] = {"random": random_agent, "first": first_agent, "sjf": sjf_agent}
NAMES = {"random": "random", "first": "first come\nfirst served", "sjf": "shortest that\nfits first"}


def episode(env: SchedulingEnv, agent: Agent, seed: int) -> Tuple[float, int, float]:
    """Plays one episode; returns minus the reward per job, the steps, and the seconds that they took."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    total, steps, over, began = 0.0, 0, False, time.perf_counter()
    while not over:
        observation, reward, over, _, info = env.step(agent(observation, info, rng))
        total, steps = total + reward, steps + 1
    return -total / info["jobs_seen"], steps, time.perf_counter() - began


def draw(waits: Dict[str, List[float]], path: str) -> None:
    """Draws a box and the seeds themselves for each agent."""
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "agents"
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(5, 3.4), layout="constrained")
    ax.boxplot([np.array(w) / 3600 for w in waits.values()], widths=0.5, showfliers=False, medianprops={"color": "black"})
    for i, w in enumerate(waits.values()):
        x = i + 1 + np.random.default_rng(1).uniform(-0.15, 0.15, len(w))
        ax.plot(x, np.array(w) / 3600, ".", markersize=4, alpha=0.6)
    ax.set_yscale("log")
    ax.set_ylabel("mean wait of an episode (h)")
    ax.set_xticks(range(1, len(waits) + 1), [NAMES[name] for name in waits])
    ax.set_title(f"{len(w)} seeds", fontsize=10)
    fig.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--program")
    parser.add_argument("--to", default="-")
    parser.add_argument("--figure")
    args = parser.parse_args()
    out = sys.stdout if args.to == "-" else open(args.to, "w", newline="")
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["agent", "seed", "mean_wait_time", "steps"])
    env = SchedulingEnv(args.manifest, program=args.program)
    waits: Dict[str, List[float]] = {name: [] for name in AGENTS}
    played, took = 0, 0.0
    for name, agent in AGENTS.items():
        for seed in range(1, args.seeds + 1):
            wait, steps, seconds = episode(env, agent, seed)
            waits[name].append(wait)
            rows.writerow([name, seed, repr(float(wait)), steps])
            out.flush()
            played, took = played + steps, took + seconds
    env.close()
    print(f"{played / took:.0f} steps/s beside the starts of episodes", file=sys.stderr)
    if args.figure:
        draw(waits, args.figure)


if __name__ == "__main__":
    main()
