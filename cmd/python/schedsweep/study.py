"""Studies: a manifest, its run folder, and the tables of its analysis."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import weakref
from typing import Any, Dict, Iterable, List, Mapping, Optional, Union

from . import _program

PathLike = Union[str, "os.PathLike[str]"]
Manifest = Union[PathLike, Mapping[str, Any]]


class Figure:
    """A figure of a study. A notebook shows it as SVG."""

    def __init__(self, base: str):
        self._base = base

    @property
    def svg(self) -> str:
        """The drawing as SVG."""
        with open(self._base + ".svg", encoding="utf-8") as f:
            return f.read()

    def _repr_svg_(self) -> str:
        return self.svg

    def path(self, form: str = "svg") -> str:
        """Returns the path of the figure as svg, png, pdf, csv or vl.json."""
        return f"{self._base}.{form}"

    def vega(self) -> Dict[str, Any]:
        """Returns the figure as a Vega-Lite specification, with its data."""
        with open(self._base + ".vl.json", encoding="utf-8") as f:
            return _program.answer(f.read())

    def altair(self) -> Any:
        """Returns the figure as a chart of altair, to restyle it."""
        try:
            import altair
        except ImportError as e:
            raise ImportError(f"altair() needs {e.name}: pip install it, or use vega()") from e
        return altair.Chart.from_dict(self.vega())


def _text(value: Any) -> str:
    """Returns a value as a manifest has it: JSON, and infinity as .inf."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|Infinity', lambda m: m[1] or ".inf", json.dumps(value))


class Study:
    """A manifest with its run folder.

    manifest         a path, or the manifest itself as a dict, whose relative paths start at the working directory
    set              fields to override by their paths, such as {"replications": 2}
    out              the run folder (default: results/runs/NAME)
    data             folders in which to look for logs and modules
    allow_commands   lets the manifest start programs, such as scheduling modules
    """

    def __init__(self, manifest: Manifest, set: Optional[Mapping[str, Any]] = None, out: Optional[PathLike] = None,
                 data: Iterable[PathLike] = (), allow_commands: bool = False):
        folders = [os.fspath(d) for d in data]
        if isinstance(manifest, Mapping):
            kept = tempfile.mkdtemp(prefix="schedsweep-study-")
            weakref.finalize(self, shutil.rmtree, kept, ignore_errors=True)
            self.manifest = os.path.join(kept, "manifest.yaml")
            with open(self.manifest, "w", encoding="utf-8") as f:
                f.write(_text({"name": "study", **manifest}))
            folders.insert(0, os.getcwd())
        else:
            self.manifest = os.fspath(manifest)
        self._args = [self.manifest]
        for folder in folders:
            self._args += ["--data", folder]
        for path, value in (set or {}).items():
            self._args += ["--set", f"{path}={value if isinstance(value, str) else _text(value)}"]
        self._out = ["--out", os.fspath(out)] if out is not None else []
        self._commands = ["--allow-commands"] if allow_commands else []

    def _call(self, verb: str, *more: str, accept: Iterable[int] = (0,)) -> str:
        return _program.call([verb, *self._args, *self._out, *more], accept=tuple(accept))

    def plan(self) -> Dict[str, Any]:
        """Returns what the manifest expands to and what it will take."""
        return _program.answer(self._call("plan", "--json", *self._commands))

    def run(self, progress: bool = True, workers: int = 0, retry: bool = False) -> Dict[str, Any]:
        """Runs what the run folder does not hold yet, and returns the counts of this run.

        An interrupt finishes the running instances; the next run goes on. Instances without an answer raise
        InstancesFailed at the end, when all others have their rows.
        """
        args = [_program.program(), "run", *self._args, *self._out, *self._commands, "--json", "--workers", str(workers)]
        bar = _bar() if progress else None
        with tempfile.TemporaryFile() as stderr:
            process = subprocess.Popen(args + (["--retry"] if retry else []), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=stderr, encoding="utf-8")
            last: Dict[str, Any] = {}
            failed = ""  # the message of the first instance that failed
            interrupted = False
            while True:
                try:
                    for line in process.stdout:  # type: ignore[union-attr]
                        last = json.loads(line)
                        if not failed and "failure" in last:
                            failed = "\nThe first is {instance}: {error}".format_map(last["failure"])
                        if bar:
                            bar.show(last)
                    code = process.wait()
                    break
                except KeyboardInterrupt:
                    if os.name == "posix":
                        process.send_signal(signal.SIGINT)
                    else:
                        process.terminate()
                    interrupted = True
            if bar:
                bar.end()
            if interrupted:
                raise KeyboardInterrupt
            if code != 0:
                stderr.seek(0)
                raise _program.failure(code, stderr.read().decode("utf-8", "replace"), args, failed)
        return last

    def rows(self, as_: str = "pandas") -> Any:
        """Returns a row for each instance, as "pandas", "polars", "arrow" or "dicts"."""
        return self._dataset("instances", as_)

    def jobs(self, as_: str = "pandas") -> Any:
        """Returns a row for each job; the manifest must say datasets: [jobs]."""
        return self._dataset("jobs", as_)

    def series(self, as_: str = "pandas") -> Any:
        """Returns a row for each change of the machine; the manifest must say datasets: [series]."""
        return self._dataset("series", as_)

    def _dataset(self, name: str, as_: str) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv" if as_ == "dicts" else "rows.parquet")
            self._call("export", "--dataset", name, "--to", path)
            return _program.table(path, as_)

    def statistics(self, as_: str = "pandas") -> Any:
        """Returns the statistics of each point and metric, with their intervals and warnings."""
        return self._table("statistics", as_)

    def comparisons(self, as_: str = "pandas") -> Any:
        """Returns the paired comparisons with the baseline, with their verdicts."""
        return self._table("comparisons", as_)

    def _table(self, name: str, as_: str) -> Any:
        path = os.path.join(self._analysed(), name + ".csv")
        if not os.path.exists(path):
            raise _program.UsageError(f"the analysis of {self.manifest} has no table {name}", 2)
        return _program.table(path, as_)

    def _analysed(self) -> str:
        return os.path.join(_program.answer(self._call("analyze", "--json"))["folder"], "analysis")

    def claims(self) -> Dict[str, Any]:
        """Returns the verdicts on the study's claims. A claim that does not hold raises nothing."""
        return _program.answer(self._call("claims", "--json", accept=(0, 5)))

    def figures(self) -> List[str]:
        """Returns the names of the figures."""
        folder = os.path.join(self._analysed(), "figures")
        return sorted(f[: -len(".svg")] for f in os.listdir(folder) if f.endswith(".svg")) if os.path.isdir(folder) else []

    def figure(self, name: str) -> Figure:
        """Analyses the rows and returns a figure of the manifest."""
        base = os.path.join(self._analysed(), "figures", name)
        if not os.path.exists(base + ".svg"):
            raise _program.UsageError(f"there is no figure {name!r}; the figures are {', '.join(self.figures()) or 'none'}", 2)
        return Figure(base)


def simulate(manifest: Manifest, set: Optional[Mapping[str, Any]] = None, instance: Union[int, str] = 0, data: Iterable[PathLike] = (),
             allow_commands: bool = False, jobs: Optional[str] = None) -> Dict[str, Any]:
    """Runs one instance and returns its outcome and metrics. jobs="pandas" (or as in Study.rows) adds the table of its jobs."""
    study = Study(manifest, set=set, data=data, allow_commands=allow_commands)
    args = ["simulate", *study._args, *study._commands, "--instance", str(instance), "--json"]
    if jobs is None:
        return _program.answer(_program.call(args))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "jobs.csv" if jobs == "dicts" else "jobs.parquet")
        result = _program.answer(_program.call([*args, "--jobs", path]))
        result["jobs_table"] = _program.table(path, jobs)
    return result


class _TerminalBar:
    def show(self, event: Mapping[str, Any]) -> None:
        sys.stderr.write("\r" + _line(event, 30))
        sys.stderr.flush()

    def end(self) -> None:
        sys.stderr.write("\n")


class _NotebookBar:
    def __init__(self, display: Any, html: Any):
        self._html, self._handle = html, display(html(""), display_id=True)

    def show(self, event: Mapping[str, Any]) -> None:
        done, planned = _done(event), event["planned"]
        self._handle.update(self._html(f'<progress value="{done}" max="{max(planned, 1)}"></progress> {_line(event, 0)}'))

    def end(self) -> None:
        pass


def _bar() -> Any:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None and hasattr(shell, "kernel"):
        from IPython.display import HTML, display  # type: ignore[import-not-found]

        return _NotebookBar(display, HTML)
    return _TerminalBar() if sys.stderr.isatty() else None


def _done(event: Mapping[str, Any]) -> int:
    return sum(event[k] for k in ("existing", "ok", "failed", "timeout", "event_budget"))


def _line(event: Mapping[str, Any], width: int) -> str:
    done, planned = _done(event), event["planned"]
    full = width * done // planned if planned else width
    failed = sum(event[k] for k in ("failed", "timeout", "event_budget"))
    bar = "[" + "#" * full + "." * (width - full) + "] " if width else ""
    return f"{bar}{done} of {planned} instances" + (f", {failed} failed" if failed else "")
