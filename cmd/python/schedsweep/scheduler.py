"""The base class of scheduling modules."""
import json
import operator
import os
import socket
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence


class Job(NamedTuple):
    """A submitted job. Times are in seconds; walltime is infinite where the workload has none."""

    id: str
    processors: int
    walltime: float
    submit: float
    place: int = 0  # in the order of submission


class Running(NamedTuple):
    """A running job: end is its start plus its walltime, processors are the numbers that it holds."""

    job: Job
    start: float
    end: float
    processors: List[int]


class _Queue(List[Job]):
    """The waiting jobs. A loop over them ends in an error if jobs start meanwhile, as a loop over a changing dict does."""

    def __iter__(self) -> Iterator[Job]:
        length = len(self)
        for job in super().__iter__():
            yield job
            if len(self) != length:
                raise RuntimeError("start takes jobs out of self.queue, and a loop over it would miss some: "
                                   "write for job in list(self.queue)")


class Scheduler:
    """A policy in a process of its own. Subclass it, write decide, and call serve.

    schedsweep starts the module and tells it of each instant: jobs that end, then jobs that are submitted. Then decide
    starts jobs. The class keeps these for you:

    machine    the number of processors
    free       the numbers of the free processors, ascending
    queue      the waiting jobs, in order of submission; loop over list(self.queue) to start jobs in the loop
    running    the running jobs by id
    seed       the seed for random draws, another one in each replication

    A module may be kept for the next simulation: keep no state of your own that begin does not reset.
    The ids of rows know the file of the module. A file that it imports needs another name when its schedules change.
    """

    machine: int
    free: List[int]
    queue: List[Job]
    running: Dict[str, Running]
    seed: int

    def begin(self) -> None:
        """Is called when a simulation begins, after the class has reset its own state."""

    def submitted(self, job: Job) -> None:
        """Is called after a job has joined the queue."""

    def ended(self, ended: Running) -> None:
        """Is called after a job has ended and its processors are free."""

    def decide(self, now: float) -> None:
        """Starts jobs by calling start. It is called once an instant, in which anything has happened."""
        raise NotImplementedError

    def fits(self, job: Job) -> bool:
        """Tells whether enough processors are free."""
        return job.processors <= len(self.free)

    def start(self, job: Job, processors: Optional[Sequence[int]] = None) -> None:
        """Starts a job of the queue now, on the given free processors or on the lowest that are free."""
        if job.id in self.running:
            raise ValueError(f"job {job.id} has started already")
        taken = sorted(self.free[: job.processors] if processors is None else map(operator.index, processors))
        held = set(taken)
        if len(taken) != job.processors or len(held) != len(taken) or not held <= set(self.free):
            raise ValueError(f"job {job.id} needs {job.processors} different free processors; free are {alloc(self.free)}")
        self.queue.remove(job)
        self.free = [p for p in self.free if p not in held]
        self.running[job.id] = Running(job, self._now, self._now + job.walltime, taken)
        self._starts.append({"job_id": job.id, "alloc": alloc(taken)})

    def serve(self) -> None:
        """Answers schedsweep, at the socket $SCHEDSWEEP_SOCKET, until it hangs up."""
        address = os.environ.get("SCHEDSWEEP_SOCKET")
        if not address:
            raise SystemExit("$SCHEDSWEEP_SOCKET is not set: schedsweep starts this module (policy: {kind: external, ...})")
        conn = socket.socket(socket.AF_UNIX)
        conn.connect(address)
        for line in conn.makefile("r"):
            conn.sendall(json.dumps(self.answer(json.loads(line))).encode() + b"\n")

    def _enter(self, job: Job) -> None:
        """Puts a job into the queue. One that returns may come before others (engine.requeue)."""
        at = len(self.queue)
        while at > 0 and self.queue[at - 1].place > job.place:
            at -= 1
        self.queue.insert(at, job)
        self.submitted(job)

    def answer(self, message: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the answer to one message of Batsim's protocol; serve does the rest."""
        self._now = now = message["now"]
        self._starts: List[Dict[str, str]] = []
        over = False
        for event in message["events"]:
            kind, data = event["type"], event["data"]
            if kind == "SIMULATION_BEGINS":
                self.machine = data["nb_compute_resources"]
                self.seed = data.get("config", {}).get("random-seed", 0)
                self.free, self.queue, self.running = list(range(self.machine)), _Queue(), {}
                self.begin()
            elif kind == "JOB_SUBMITTED":
                job = data["job"]
                self._enter(Job(job["id"], job["res"], job.get("walltime", float("inf")), job["subtime"], job.get("place", 0)))
            elif kind == "JOB_COMPLETED":
                ended = self.running.pop(data["job_id"])
                self.free = sorted(self.free + ended.processors)
                self.ended(ended)
            elif kind == "SIMULATION_ENDS":
                over = True
        if over:
            events = [{"timestamp": now, "type": "NOTIFY", "data": {"type": "ready_for_another_simulation"}}]
        else:
            self.decide(now)
            events = [{"timestamp": now, "type": "EXECUTE_JOB", "data": start} for start in self._starts]
        return {"now": now, "events": events}


def alloc(processors: Sequence[int]) -> str:
    """Writes processors as the protocol has them: [0, 1, 2, 7] as "0-2 7"."""
    runs: List[List[int]] = []
    for p in processors:
        if runs and p == runs[-1][1] + 1:
            runs[-1][1] = p
        else:
            runs.append([p, p])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
