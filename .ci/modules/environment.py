"""Tests of the Gymnasium environment. environment.py PROGRAM"""

import glob
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from gymnasium.utils.env_checker import check_env

here = os.path.dirname(os.path.abspath(__file__))
from schedsweep import InstancesFailed, UsageError, agents
from schedsweep.gym import SchedulingEnv

program, manifest = os.path.abspath(sys.argv[1]), os.path.join(here, "gym.yaml")


def environment(**more):
    return SchedulingEnv(manifest, program=program, **more)


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def flat(observation, info):
    return [observation["jobs"], observation["machine"], info["mask"], info["now"]]


# It is an environment as Gymnasium understands it.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    env = environment(invalid="last")
    check_env(env, skip_render_check=True)
    env.close()

# Always choosing the first is our own policy fcfs: the same mean wait to the last digit
# but what sums in another order make.
env = environment()
for seed in (1, 2, 3):
    wait, steps, _ = agents.episode(env, agents.first_agent, seed)
    said = subprocess.run([program, "simulate", manifest, "--set", f"seed={seed}", "--json"], check=True, capture_output=True)
    ours = json.loads(said.stdout)["metrics"]["mean_wait_time"]
    assert steps == 300 and abs(wait - ours) <= 1e-9 * ours, (seed, steps, wait, ours)

# Rewards sum up to the metric, whichever it is.
for reward, metric in (("turnaround_time", "mean_response_time"), ("bounded_slowdown", "mean_bounded_slowdown")):
    other = environment(reward=reward)
    got = agents.episode(other, agents.first_agent, 1)[0]
    other.close()
    said = subprocess.run([program, "simulate", manifest, "--set", "seed=1", "--json"], check=True, capture_output=True)
    ours = json.loads(said.stdout)["metrics"][metric]
    assert abs(got - ours) <= 1e-9 * ours, (reward, got, ours)

# A job that returns after a kill counts once, and has the metrics of its last attempt.
killing = ["workload.walltime_factor=0.7", "engine.requeue={after: kill, at_most: 2, walltime_factor: 2, keep: nothing}"]
for reward, metric in (("wait_time", "mean_wait_time"), ("turnaround_time", "mean_response_time"),
                       ("bounded_slowdown", "mean_bounded_slowdown")):
    other = environment(reward=reward, overrides=killing)
    got = agents.episode(other, agents.first_agent, 1)[0]
    other.close()
    said = subprocess.run([program, "simulate", manifest, "--set", "seed=1", "--json", *(f"--set={o}" for o in killing)], check=True,
                          capture_output=True)
    ours = json.loads(said.stdout)["metrics"]
    assert ours["requeues"] > 0 and abs(got - ours[metric]) <= 1e-9 * ours[metric], (reward, got, ours[metric])

# It waits at the place of its submission, unless the manifest says otherwise.
other = environment(overrides=[o.replace("nothing", "submission") for o in killing])
observation, info = other.reset(seed=1)
over = False
while not over:
    waited = observation["jobs"][:, 2][info["mask"] == 1]
    assert (np.diff(waited) <= 0).all(), waited
    observation, _, over, _, info = other.step(0)
assert info["jobs_seen"] == 300, info
other.close()

# Many side by side give each what it gives alone; a seed repeats, another differs.
alone = {}
for seed in range(8):
    rng = np.random.default_rng(seed)
    path = [flat(*env.reset(seed=seed))]
    for _ in range(40):
        action = agents.random_agent(None, {"mask": path[-1][2]}, rng)
        observation, _, over, _, info = env.step(action)
        path.append(flat(observation, info))
    alone[seed] = path
assert not same(alone[0][0], alone[1][0])
many = [environment() for _ in range(8)]
rngs = [np.random.default_rng(seed) for seed in range(8)]
last = [flat(*e.reset(seed=seed)) for seed, e in enumerate(many)]
for step in range(40):
    for seed, e in enumerate(many):
        assert same(last[seed], alone[seed][step]), (seed, step)
        observation, _, _, _, info = e.step(agents.random_agent(None, {"mask": last[seed][2]}, rngs[seed]))
        last[seed] = flat(observation, info)

# An action that names no job is refused, and so is a manifest with mistakes, which the error names.
try:
    env.step(31)
    raise AssertionError("accepted")
except ValueError as e:
    assert "jobs can be chosen" in str(e), e
try:
    environment(overrides=["workload.jobs=-1"]).reset()
    raise AssertionError("accepted")
except UsageError as e:
    assert "workload.jobs" in str(e) and e.mistakes[0].file == "--set workload.jobs=-1", e

# An agent that thinks for too long hears why its simulation is over.
slow = environment(timeout=0.2)
slow.reset()
time.sleep(0.5)
try:
    while True:
        slow.step(0)
except InstancesFailed as e:
    assert "no answer within 200ms (policy.timeout)" in str(e), e

# Environments that end during a run leave nothing behind.
processes = [e.process for e in many]
for e in many + [env]:
    e.close()
assert all(p.poll() is not None for p in processes)
assert not glob.glob(os.path.join(tempfile.gettempdir(), "schedsweep-env-*"))

# How it does, for the log.
began, steps, waits = time.perf_counter(), 0, {}
for name, agent in agents.AGENTS.items():
    for seed in range(1, 11):
        wait, n, _ = agents.episode(env, agent, seed)
        waits.setdefault(name, []).append(wait)
        steps += n
env.close()
print(f"{steps / (time.perf_counter() - began):.0f} steps/s with the starts of simulations; mean waits of 10 seeds:",
      {name: round(float(np.mean(w))) for name, w in waits.items()})
assert np.mean(waits["sjf"]) < np.mean(waits["random"])
