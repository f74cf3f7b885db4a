"""Parameter sweeps of parallel-job scheduling simulations.

    study = schedsweep.Study("sweep.yaml", set={"replications": 2})
    study.run()
    study.statistics()
    study.figure("wait")

The program does the work; this package runs it and reads its tables. It needs nothing but Python. pandas, polars,
pyarrow and altair are used where you ask for them.
"""
from ._program import Busy, Error, InstancesFailed, Mistake, Stopped, UsageError, program
from .scheduler import Job, Running, Scheduler
from .study import Figure, Study, simulate

__all__ = ["Busy", "Error", "Figure", "InstancesFailed", "Job", "Mistake", "Running", "Scheduler", "Stopped", "Study", "UsageError", "program",
           "simulate"]


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module 'schedsweep' has no attribute {name!r}")
    from importlib import metadata

    try:
        return metadata.version("schedsweep")
    except metadata.PackageNotFoundError:
        return "unknown"  # a checkout
