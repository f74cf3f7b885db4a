"""Finds and runs the program, and turns its messages into exceptions."""
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence


class Mistake(NamedTuple):
    """One mistake of a manifest. line and column count from 1. remedy is the hint, else the allowed values; it may be "".

    A mistake of an override has the override as its file, such as "--set policy.kind=eazy", and line and column 0.
    """

    file: str
    line: int
    column: int
    message: str
    remedy: str


class Error(Exception):
    """The program refused or failed. code is its exit code, mistakes are those of the manifest and of its overrides."""

    def __init__(self, message: str, code: int = 1, overrides: Sequence[str] = ()):
        super().__init__(message)
        self.code = code
        self.mistakes: List[Mistake] = mistakes(message, overrides)


class UsageError(Error):
    """The manifest or a call is wrong (exit code 2)."""


class InstancesFailed(Error):
    """Instances have no answer (exit code 3). The others have their rows."""


class Stopped(Error):
    """The run stopped before its end (exit code 4). Call run again to go on."""


class Busy(Error):
    """Another process works in the run folder (exit code 6)."""


_errors = {2: UsageError, 3: InstancesFailed, 4: Stopped, 6: Busy}
_position = r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)"
_mistake = r"(?P<message>.*?)(?: \((?P<remedy>[^()]*(?:\([^()]*\)[^()]*)*)\))?$"


def mistakes(message: str, overrides: Sequence[str] = ()) -> List[Mistake]:
    """Reads the positions and remedies in a message of the program. overrides are the values of its options --set."""
    known = "|".join(re.escape("--set " + o) for o in sorted(overrides, key=len, reverse=True)) or "(?!)"
    line_of_one = re.compile(f"(?:(?P<set>{known})|{_position}): {_mistake}")
    found = []
    for line in message.splitlines():
        m = line_of_one.match(line)
        if m:
            wrong, remedy = m["message"], m["remedy"] or ""
            before, _, after = wrong.rpartition("; ")
            if not remedy and after.count('"') % 2 == 0:  # a semicolon within a quoted value divides nothing
                wrong, remedy = before or wrong, after if before else ""
            found.append(Mistake(m["file"] or m["set"], int(m["line"] or 0), int(m["column"] or 0), wrong, remedy))
    return found


def program() -> str:
    """Returns the path of the program: $SCHEDSWEEP_PROGRAM, else the one of this package, else the one on the PATH."""
    name = "schedsweep.exe" if sys.platform == "win32" else "schedsweep"
    given = os.environ.get("SCHEDSWEEP_PROGRAM")
    if given:
        return given
    folders = [sysconfig.get_path("scripts")]
    # pip install --target puts the scripts beside the packages.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin"))
    scheme = "nt_user" if os.name == "nt" else "osx_framework_user" if sys.platform == "darwin" and sys._framework else "posix_user"  # type: ignore[attr-defined]
    folders.append(sysconfig.get_path("scripts", scheme))
    for folder in folders:
        if os.path.isfile(os.path.join(folder, name)):
            return os.path.join(folder, name)
    found = shutil.which("schedsweep")
    if not found:
        raise FileNotFoundError("the program schedsweep is not installed with this package: install the wheel, or set $SCHEDSWEEP_PROGRAM")
    return found


def failure(code: int, said: str, args: Sequence[str], more: str = "") -> Error:
    """Returns the exception for an exit code, what the program wrote, and its arguments. Its message ends with more."""
    text = said.strip()
    start = text.rfind("schedsweep: ")
    overrides = [value for option, value in zip(args, args[1:]) if option == "--set"]
    text = text[start:].replace("schedsweep: ", "", 1) if start >= 0 else text
    return _errors.get(code, Error)(text + more, code, overrides)


def call(args: Sequence[str], accept: Sequence[int] = (0,), env: Optional[Dict[str, str]] = None) -> str:
    """Runs the program and returns its output."""
    done = subprocess.run([program(), *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", env=env)
    if done.returncode not in accept:
        raise failure(done.returncode, done.stderr, args)
    return done.stdout


def answer(text: str) -> Dict[str, Any]:
    """Reads the JSON object that a verb or a file of the analysis holds."""
    read: Dict[str, Any] = json.loads(text)
    return read


def table(path: str, as_: str) -> Any:
    """Reads a table that the program wrote: Parquet, or CSV for dicts and where the name says so."""
    if as_ == "dicts":
        return _dicts(path)
    module = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow"}.get(as_)
    if module is None:
        raise ValueError(f"as_={as_!r}: give 'pandas', 'polars', 'arrow' or 'dicts'")
    try:
        if as_ == "pandas":
            import pandas

            if path.endswith(".csv"):  # an empty cell alone is missing: NA and None are names
                return pandas.read_csv(path, float_precision="round_trip", keep_default_na=False, na_values=[""])
            return pandas.read_parquet(path)
        if as_ == "polars":
            import polars

            return polars.read_csv(path, infer_schema_length=None) if path.endswith(".csv") else polars.read_parquet(path)
        if path.endswith(".csv"):
            import pyarrow.csv

            return pyarrow.csv.read_csv(path)
        import pyarrow.parquet

        return pyarrow.parquet.read_table(path)
    except ImportError as e:
        raise ImportError(f"as_={as_!r} needs {e.name or module}: pip install it, or use as_='dicts'") from e


def _dicts(path: str) -> List[Dict[str, Any]]:
    """Reads a CSV file. A column of numbers has numbers, any other text; an empty cell is None."""
    import csv

    with open(path, newline="", encoding="utf-8") as f:
        names, *cells = csv.reader(f)
    columns: List[List[Any]] = []
    for i in range(len(names)):
        texts = [row[i] for row in cells]
        kinds: List[Callable[[str], Any]] = [int, float, {"true": True, "false": False}.__getitem__]
        for kind in kinds:
            try:
                columns.append([kind(t) if t else None for t in texts])
                break
            except (ValueError, KeyError):
                continue
        else:
            columns.append([t or None for t in texts])
    return [dict(zip(names, row)) for row in zip(*columns)]
