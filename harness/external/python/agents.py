#!/usr/bin/env python3
"""Two agents that learn nothing, over many seeds: random, and shortest job first.

    python3 agents.py manifest.yaml --seeds 100 --to agents.csv

Writes a row for each agent and seed: the mean wait over the episode's jobs, and how
many steps it took in how many seconds.
"""

import argparse
import csv
import sys
import time

import numpy as np

from schedsweep_env import SchedulingEnv


def random_agent(observation, info, rng):
    return rng.choice(np.flatnonzero(info["mask"]))


def sjf_agent(observation, info, rng):
    """The shortest of those that fit, else the shortest: by walltime."""
    walltimes = np.where(info["mask"], observation["jobs"][:, 1], np.inf)
    fitting = np.where(info["fits"], walltimes, np.inf)
    return int(np.argmin(fitting if info["fits"].any() else walltimes))


AGENTS = {"random": random_agent, "sjf": sjf_agent}


def episode(env, agent, seed):
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    total, steps, over, began = 0.0, 0, False, time.perf_counter()
    while not over:
        observation, reward, over, _, info = env.step(agent(observation, info, rng))
        total, steps = total + reward, steps + 1
    return -total / info["jobs_seen"], steps, time.perf_counter() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--program", default="schedsweep")
    parser.add_argument("--to", default="-")
    args = parser.parse_args()
    out = sys.stdout if args.to == "-" else open(args.to, "w", newline="")
    rows = csv.writer(out)
    rows.writerow(["agent", "seed", "mean_wait_time", "steps", "seconds"])
    env = SchedulingEnv(args.manifest, program=args.program)
    for name, agent in AGENTS.items():
        for seed in range(1, args.seeds + 1):
            rows.writerow([name, seed, *(f"{x:g}" for x in episode(env, agent, seed))])
            out.flush()
    env.close()


if __name__ == "__main__":
    main()
