"""A Gymnasium environment around a schedsweep simulation.

    env = SchedulingEnv("manifest.yaml", seed=1)
    observation, info = env.reset()
    over = False
    while not over:
        action = int(info["fits"].argmax())  # the first waiting job that fits, else the first of all
        observation, reward, over, _, info = env.step(action)
    env.close()

One simulation is one episode. Each reset starts `schedsweep simulate` with the policy external, at a socket of this
environment. Many environments may run side by side. The module needs gymnasium and numpy.
"""

import json
import operator
import os
import shutil
import socket
import subprocess
import tempfile
from typing import Any, Callable, Dict, List, Optional, Sequence, SupportsIndex, Tuple, Union

try:
    import gymnasium
    import numpy as np
except ImportError as e:
    raise ImportError(f"schedsweep.gym needs {e.name}: pip install gymnasium numpy") from e

from ._program import Error, failure, program as _own_program

FEATURES = 4  # of a waiting job: size, walltime, time waited, whether it fits now


def _wait(job: Dict[str, Any], end: float) -> float:
    return float(job["start"] - job["subtime"])


def _turnaround(job: Dict[str, Any], end: float) -> float:
    return end - float(job["subtime"])


def _slowdown(job: Dict[str, Any], end: float, threshold: float = 10.0) -> float:
    return max(1.0, _turnaround(job, end) / max(end - float(job["start"]), threshold))


def _key(job: Dict[str, Any]) -> Tuple[str, float]:
    """Names a job in all its attempts: by its number in the log and its submission."""
    return job["id"].partition("#")[0], job["subtime"]


# name: (value of a job, whether it is known when the job starts)
METRICS: Dict[str, Tuple[Callable[..., float], bool]] = {
    "wait_time": (_wait, True),
    "turnaround_time": (_turnaround, False),
    "bounded_slowdown": (_slowdown, False),
}


class SchedulingEnv(gymnasium.Env[Dict[str, Any], Any]):
    """An environment whose actions choose the waiting job that starts next, on one machine.

    manifest    a path; its policy, which must not be an axis, is replaced
    seed        the manifest's seed in the first episode; each further episode adds 1 (default: the manifest's in all)
    instance    the instance of the manifest, by number or id
    overrides   fields of the manifest, such as ["workload.jobs=500"]
    window      how many waiting jobs the agent sees and can choose from
    reward      "wait_time", "turnaround_time", or "bounded_slowdown" with a threshold of 10 s, also beside engine.slowdown_threshold
    program     the path of the program (default: the one of this package)
    timeout     how long a message of the program, or an agent from one step to the next, may take, in seconds
    invalid     what an action without a job does: "error" raises ValueError, "last" chooses the last job

    If the chosen job does not fit yet, no other job starts before it. The environment does not backfill. An agent that
    wants to backfill chooses jobs that fit.

    An observation has two arrays of float32:

    jobs        window rows: share of the machine, walltime in s, time waited in s, 1 if the job fits now (0 without a job)
    machine     share of free processors, number of waiting jobs, time until the first planned end in s

    info has mask (1 for each action that names a job), fits (1 for each job that could start now), now (simulated time
    in s) and jobs_seen (jobs submitted so far in the episode).

    A reward is minus the metric of the jobs that a step decided. The rewards of an episode add up to minus the sum of the
    metric over all jobs. A wait counts when the job starts, the others when it ends. When a job returns to the queue
    (engine.requeue), the reward of its lost attempt is taken back.
    """

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
        self.process: Optional["subprocess.Popen[bytes]"] = None
        self.conn: Optional[socket.socket] = None
        self.folder: Optional[str] = None
        self.now = 0.0
        self.total = 0
        self.free: List[int] = []
        self.over = True
        self.action_space = gymnasium.spaces.Discrete(window)
        self.observation_space = gymnasium.spaces.Dict({
            "jobs": gymnasium.spaces.Box(0.0, np.inf, (window, FEATURES), np.float32),
            "machine": gymnasium.spaces.Box(0.0, np.inf, (3,), np.float32),
        })

    # An episode.

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        """Starts a simulation. seed is the manifest's seed; without it each episode takes the next."""
        super().reset(seed=seed)
        self.close()
        if seed is None:
            seed = self.next_seed
        if seed is not None:
            self.next_seed = seed + 1
        self._start(seed)
        self.queue: List[Dict[str, Any]] = []  # jobs in order of submission
        self.running: Dict[str, Dict[str, Any]] = {}  # jobs by id
        self.ended: Dict[Tuple[str, float], float] = {}  # what the jobs that have ended earned
        self.chosen: Optional[Dict[str, Any]] = None  # no job starts before this one
        self.earned, self.jobs, self.over = 0.0, 0, False
        self.open = False  # whether a message waits for its answer
        self.starts: List[Dict[str, Any]] = []  # what the answer has so far
        self._advance()
        return self._observation(), self._info()

    def step(self, action: SupportsIndex) -> Tuple[Dict[str, Any], float, bool, bool, Dict[str, Any]]:
        """Starts the job that the action names, now or as soon as it fits, and continues until the next choice."""
        if self.over:
            raise RuntimeError("the episode is over: reset() begins another")
        number, choices = operator.index(action), min(self.window, len(self.queue))
        if self.invalid == "last" and number >= choices:
            number = choices - 1
        if not 0 <= number < choices:
            raise ValueError(f"action {number}: {choices} jobs can be chosen; info['mask'] says which")
        self.earned = 0.0
        self.chosen = self.queue[number]
        self._advance()
        return self._observation(), -self.earned, self.over, False, self._info()

    def close(self) -> None:
        """Ends the running simulation."""
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

    def _observation(self) -> Dict[str, Any]:
        jobs = np.zeros((self.window, FEATURES), np.float32)
        for row, job in zip(jobs, self.queue):
            row[:] = (job["res"] / self.total, job["walltime"], self.now - job["subtime"], job["res"] <= len(self.free))
        ends = [job["end"] for job in self.running.values()]
        machine = (len(self.free) / self.total, len(self.queue), max(0.0, min(ends, default=self.now) - self.now))
        return {"jobs": jobs, "machine": np.array(machine, np.float32)}

    def _info(self) -> Dict[str, Any]:
        mask, fits = np.zeros(self.window, np.int8), np.zeros(self.window, np.int8)
        for i, job in enumerate(self.queue[:self.window]):
            mask[i], fits[i] = 1, job["res"] <= len(self.free)
        return {"mask": mask, "fits": fits, "now": self.now, "jobs_seen": self.jobs}

    # The simulation.

    def _start(self, seed: Optional[int]) -> None:
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
        self.args = args
        self.process = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        listener.settimeout(0.1)
        conn = None
        while conn is None:
            try:
                conn, _ = listener.accept()
            except socket.timeout:
                if self.process.poll() is not None:
                    listener.close()
                    raise self._failure() from None
        listener.close()
        conn.settimeout(self.timeout)
        self.conn, self.lines = conn, conn.makefile("r")

    def _failure(self) -> Error:
        """Ends the simulation and returns its message as an exception."""
        assert self.process is not None
        _, said = self.process.communicate()
        code = self.process.returncode
        self.close()
        return failure(code, said.decode("utf-8", "replace"), self.args)

    def _advance(self) -> None:
        """Continues until the agent has a choice or the episode is over."""
        while True:
            if self.chosen is not None and self.chosen["res"] <= len(self.free):
                self._begin(self.chosen)
                self.chosen = None
            if self.over or self.chosen is None and self.queue:
                return
            self._turn()

    def _send(self, events: List[Dict[str, Any]]) -> None:
        assert self.conn is not None
        try:
            self.conn.sendall(json.dumps({"now": self.now, "events": events}).encode() + b"\n")
        except ConnectionError:  # the simulation is over, and says why
            raise self._failure() from None

    def _turn(self) -> None:
        """Answers the open message and reads the next."""
        if self.open:
            self._send([{"timestamp": self.now, "type": "EXECUTE_JOB", "data": s} for s in self.starts])
        self.starts = []
        try:
            line = self.lines.readline()
        except ConnectionError:
            line = ""
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
                self._enter(data["job"])
            elif event["type"] == "JOB_COMPLETED":
                self._end(self.running.pop(data["job_id"]))
            elif event["type"] == "SIMULATION_ENDS":
                self.over = True
                self._send([])

    def _enter(self, job: Dict[str, Any]) -> None:
        """Puts a job into the queue. One that returns (engine.requeue) may come before others, and its lost attempt counts no more."""
        at = len(self.queue)
        while at > 0 and self.queue[at - 1]["place"] > job["place"]:
            at -= 1
        self.queue.insert(at, job)
        lost = self.ended.pop(_key(job), None) if job["subtime"] < self.now else None
        if lost is None:
            self.jobs += 1
        else:
            self.earned -= lost

    def _begin(self, job: Dict[str, Any]) -> None:
        self.queue.remove(job)
        procs, self.free = self.free[:job["res"]], self.free[job["res"]:]
        job.update(start=self.now, end=self.now + job["walltime"], procs=procs)
        self.running[job["id"]] = job
        self.starts.append({"job_id": job["id"], "alloc": " ".join(map(str, procs))})
        if self.at_start:
            self._earn(job)

    def _end(self, job: Dict[str, Any]) -> None:
        self.free = sorted(self.free + job["procs"])
        if not self.at_start:
            self._earn(job)
        self.ended[_key(job)] = job["value"]

    def _earn(self, job: Dict[str, Any]) -> None:
        job["value"] = self.value(job, self.now)
        self.earned += job["value"]
