"""A Gymnasium environment around a schedsweep simulation.

    env = SchedulingEnv("manifest.yaml", seed=1)
    observation, info = env.reset()
    while True:
        action = ...                    # which of the first `window` waiting jobs next
        observation, reward, over, _, info = env.step(action)
        if over:
            break

One simulation is one episode: each reset starts `schedsweep simulate` anew, with
the policy external at a socket of the environment's own, and ends it when it is
over. Any number may run side by side. It needs gymnasium, numpy, and nothing else.

An action chooses the waiting job that starts next. If it does not fit yet, nobody
starts before it does: there is no backfilling behind the environment's back, so an
agent that wants to backfill chooses the jobs that fit. `info["mask"]` says which
actions name a job, and `info["fits"]` which of them could start at once. An action
that names none is an error, or, with invalid="last", the last job that can be chosen.

Metrics that may be the reward are sums over jobs: the rewards of an episode sum up
to minus the metric's sum. A job counts as soon as its value is known.
"""

import json
import os
import shutil
import socket
import subprocess
import tempfile

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import gymnasium
import numpy as np

from ._program import program as _own_program

FEATURES = 4  # of a waiting job: size, walltime, time waited, whether it fits now


def _wait(job: Dict[str, Any], end: float) -> float:
    return job["start"] - job["subtime"]


def _slowdown(job: Dict[str, Any], end: float, threshold: float = 10.0) -> float:
    run = end - job["start"]
    return max(1.0, (end - job["subtime"]) / max(run, threshold))


# name: (value of a job, whether it is known when the job starts)
METRICS: Dict[str, Tuple[Callable[..., float], bool]] = {
    "wait_time": (_wait, True),
    "turnaround_time": (lambda job, end: end - job["subtime"], False),
    "bounded_slowdown": (_slowdown, False),
}


class SchedulingEnv(gymnasium.Env):
    """Which waiting job next, on one machine, job by job."""

    metadata: Dict[str, Any] = {"render_modes": []}

    def __init__(self, manifest: Union[str, "os.PathLike[str]"], seed: Optional[int] = None, instance: Union[int, str] = 0,
                 overrides: Sequence[str] = (), window: int = 32, reward: str = "wait_time", program: Optional[str] = None,
                 timeout: float = 600.0, invalid: str = "error") -> None:
        if reward not in METRICS:
            raise ValueError(f"reward {reward!r}: one of {sorted(METRICS)}")
        if invalid not in ("error", "last"):
            raise ValueError(f"invalid {invalid!r}: error or last")
        self.invalid = invalid
        self.program = program or _own_program()
        self.manifest, self.instance, self.overrides = str(manifest), instance, tuple(overrides)
        self.window, self.timeout = window, timeout
        self.value, self.at_start = METRICS[reward]
        self.next_seed = seed
        self.process = self.conn = self.folder = None
        self.over = True
        self.action_space = gymnasium.spaces.Discrete(window)
        self.observation_space = gymnasium.spaces.Dict({
            "jobs": gymnasium.spaces.Box(0.0, np.inf, (window, FEATURES), np.float32),
            "machine": gymnasium.spaces.Box(0.0, np.inf, (3,), np.float32),
        })

    # An episode.

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        """Starts a simulation. The seed, if one is given, is the manifest's; without
        one each episode takes the next."""
        super().reset(seed=seed)
        self.close()
        if seed is None:
            seed = self.next_seed
        if seed is not None:
            self.next_seed = seed + 1
        self._start(seed)
        self.queue: List[Dict[str, Any]] = []  # jobs in order of submission
        self.running: Dict[str, Dict[str, Any]] = {}  # jobs by id
        self.chosen: Optional[Dict[str, Any]] = None  # the job that nobody may start before
        self.earned, self.jobs, self.over = 0.0, 0, False
        self.open = False  # whether a message waits for its answer, which so far has these
        self.starts: List[Dict[str, Any]] = []
        self._advance()
        return self._observation(), self._info()

    def step(self, action: int) -> Tuple[Dict[str, Any], float, bool, bool, Dict[str, Any]]:
        """Starts the job that the action names, now or as soon as it fits, and plays
        on until there is a choice again."""
        if self.over:
            raise RuntimeError("the episode is over: reset() begins another")
        choices = min(self.window, len(self.queue))
        if self.invalid == "last" and action >= choices:
            action = choices - 1
        if not 0 <= action < choices:
            raise ValueError(f"action {action}: {choices} jobs can be chosen; info['mask'] says which")
        self.earned = 0.0
        self.chosen = self.queue[int(action)]
        self._advance()
        return self._observation(), -self.earned, self.over, False, self._info()

    def close(self) -> None:
        """Ends the simulation that is on."""
        if self.conn is not None:
            self.conn.close()
            self.conn = None
        if self.process is not None:
            if not self.over:
                self.process.kill()
            self.process.wait()
            self.process = None
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None

    # What the agent sees.

    def _observation(self):
        jobs = np.zeros((self.window, FEATURES), np.float32)
        for row, job in zip(jobs, self.queue):
            row[:] = (job["res"] / self.total, job["walltime"], self.now - job["subtime"], job["res"] <= len(self.free))
        ends = [job["end"] for job in self.running.values()]
        machine = (len(self.free) / self.total, len(self.queue), max(0.0, min(ends, default=self.now) - self.now))
        return {"jobs": jobs, "machine": np.array(machine, np.float32)}

    def _info(self):
        mask, fits = np.zeros(self.window, np.int8), np.zeros(self.window, np.int8)
        for i, job in enumerate(self.queue[:self.window]):
            mask[i], fits[i] = 1, job["res"] <= len(self.free)
        return {"mask": mask, "fits": fits, "now": self.now, "jobs_seen": self.jobs}

    # The simulation.

    def _start(self, seed):
        self.folder = tempfile.mkdtemp(prefix="schedsweep-env-")
        path = os.path.join(self.folder, "socket")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(1)
        policy = json.dumps({"kind": "external", "socket": path, "timeout": self.timeout})
        args = [self.program, "simulate", self.manifest, "--instance", str(self.instance), "--set", f"policy={policy}",
                "--allow-commands"]  # the socket is our own
        if seed is not None:
            args += ["--set", f"seed={seed}"]
        for o in self.overrides:
            args += ["--set", o]
        self.process = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        listener.settimeout(0.1)
        while self.conn is None:
            try:
                self.conn, _ = listener.accept()
            except socket.timeout:
                if self.process.poll() is not None:
                    listener.close()
                    raise self._failure() from None
        listener.close()
        self.conn.settimeout(self.timeout)
        self.lines = self.conn.makefile("r")

    def _failure(self):
        """What schedsweep says of its end."""
        said = self.process.communicate()[1].decode().strip()
        self.close()
        return RuntimeError(said)

    def _advance(self):
        """Plays on until the agent has a choice or all is over."""
        while True:
            if self.chosen is not None and self.chosen["res"] <= len(self.free):
                self._begin(self.chosen)
                self.chosen = None
            if self.over or self.chosen is None and self.queue:
                return
            self._turn()

    def _turn(self):
        """Answers the message that is open, and takes in the next."""
        if self.open:
            answer = {"now": self.now, "events": [{"timestamp": self.now, "type": "EXECUTE_JOB", "data": s} for s in self.starts]}
            self.conn.sendall(json.dumps(answer).encode() + b"\n")
        self.starts = []
        line = self.lines.readline()
        if not line:
            raise self._failure()
        message = json.loads(line)
        self.open, self.now = True, message["now"]
        for event in message["events"]:
            data = event["data"]
            if event["type"] == "SIMULATION_BEGINS":
                self.total = data["nb_compute_resources"]
                self.free = list(range(self.total))
            elif event["type"] == "JOB_SUBMITTED":
                self.queue.append(data["job"])
                self.jobs += 1
            elif event["type"] == "JOB_COMPLETED":
                self._end(self.running.pop(data["job_id"]))
            elif event["type"] == "SIMULATION_ENDS":
                self.over = True
                self.conn.sendall(json.dumps({"now": self.now, "events": []}).encode() + b"\n")

    def _begin(self, job):
        self.queue.remove(job)
        procs, self.free = self.free[:job["res"]], self.free[job["res"]:]
        job.update(start=self.now, end=self.now + job["walltime"], procs=procs)
        self.running[job["id"]] = job
        self.starts.append({"job_id": job["id"], "alloc": " ".join(map(str, procs))})
        if self.at_start:
            self.earned += self.value(job, None)

    def _end(self, job):
        self.free = sorted(self.free + job["procs"])
        if not self.at_start:
            self.earned += self.value(job, self.now)
