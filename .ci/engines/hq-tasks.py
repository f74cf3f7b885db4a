"""Runs the tasks of a HyperQueue job file on a cluster of this process, by the Python
interface of the same engine. No package has the program hq.

    hq-tasks.py FILE              the tasks of a job file
    hq-tasks.py --tasks N ARG...  one command N times, as hq submit --array=0-N
"""
import sys
import tomllib

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig
from hyperqueue.ffi.protocol import ResourceRequest

job = Job(max_fails=None)
if sys.argv[1] == "--tasks":
    for i in range(int(sys.argv[2])):
        job.program(sys.argv[3:], stdout=f"task-{i}.out", stderr=f"task-{i}.err")
else:
    with open(sys.argv[1], "rb") as f:
        file = tomllib.load(f)
    known = {"id", "cwd", "env", "stdout", "stderr", "task_dir", "crash_limit", "command", "deps", "request"}
    tasks = {}
    for t in file["task"]:
        assert set(t) <= known, f"keys that this script does not know: {set(t) - known}"
        tasks[t["id"]] = job.program(
            t["command"],
            cwd=t.get("cwd"),
            env=t.get("env"),
            stdout=t["stdout"],
            stderr=t["stderr"],
            deps=[tasks[d] for d in t.get("deps", [])],
            task_dir=t.get("task_dir", False),
            crash_limit=t.get("crash_limit"),
            # workers of this cluster have cores alone; those of hq detect their memory
            resources=[ResourceRequest(cpus=r["resources"]["cpus"]) for r in t.get("request", [])] or None,
        )

with LocalCluster() as cluster:
    for _ in range(2):
        cluster.start_worker(WorkerConfig(cores=4))
    client = cluster.client()
    sys.exit(0 if client.wait_for_jobs([client.submit(job)], raise_on_error=True) else 1)
