"""tables.py REPOSITORY: what the readers of tables make of our files, held against docs/how-to/load-rows.md and docs/reference/columns.md.

It runs in a folder with a run (results/runs/quickstart), one that grew (grown/) and their exports.
"""
import pathlib
import re
import sys

import duckdb
import matplotlib.pyplot as plt
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
from evalys.jobset import JobSet

root = pathlib.Path(sys.argv[1])
HOW, PAGE = (root / "docs/how-to/load-rows.md").read_text(), (root / "docs/reference/columns.md").read_text()


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)


def cells(line):
    return [c.strip() for c in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def table(text):
    """The first Markdown table of a text, as dicts."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    head = cells(lines[0])
    return [dict(zip(head, cells(line))) for line in lines[2:]]


# The documented types, and of each dataset the columns.
intro, *sections = re.split(r"^## ", PAGE, flags=re.M)
TYPES = {row["type"]: row for row in table(intro)}
DATASETS = {s.split("\n", 1)[0]: {r["column"].strip("`"): r for r in table(s)} for s in sections}
assert set(DATASETS) == {"instances", "classes", "jobs", "derived", "series", "evalys", "shares"}, DATASETS.keys()
DATASETS["jobs"] |= DATASETS["derived"]  # of files

FILES = {"instances": "rows.parquet", "jobs": "jobs.parquet", "series": "series.parquet", "evalys": "evalys.parquet"}
checked = 0
for name, file in FILES.items():
    arrow = pq.read_table(file)
    frame, polar = arrow.to_pandas(), pl.read_parquet(file)
    duck = {column: kind for column, kind, *_ in duckdb.sql(f"DESCRIBE SELECT * FROM '{file}'").fetchall()}
    assert frame.equals(pd.read_parquet(file)) and polar.height == len(frame) > 0
    missing = set(DATASETS[name]) - set(arrow.column_names)
    assert not missing, f"{file} lacks the documented columns {missing}"
    for field in arrow.schema:
        doc = field.metadata[b"doc"].decode()
        documented = DATASETS[name].get(field.name)
        if documented is None:
            assert name == "instances" and doc.startswith("axis: "), f"{file}: {field.name} is not documented"
            continue
        kind, nulls = TYPES[documented["type"]], arrow[field.name].null_count
        want, _, with_nulls = kind["pandas"].partition(", where nulls are ")
        got = str(frame[field.name].dtype)
        assert got == (with_nulls if nulls and with_nulls else want), f"{file}: {field.name} is {got} in pandas, not {kind['pandas']} ({nulls} nulls)"
        assert str(polar.schema[field.name]).partition("(")[0] == kind["polars"], f"{file}: {field.name} is {polar.schema[field.name]} in polars"
        assert duck[field.name] == kind["DuckDB"], f"{file}: {field.name} is {duck[field.name]} in DuckDB"
        assert field.nullable == (documented["null"] == "yes") and (field.nullable or nulls == 0), f"{file}: {field.name}"
        assert field.metadata.get(b"unit", b"-").decode() == documented["unit"], f"{file}: {field.name}"
        assert doc == documented["definition"].replace("\\|", "|"), f"{file}: {field.name}: {doc}"
        checked += 1
    about = pq.read_metadata(file).metadata
    assert about[b"schedsweep.title"] == b"Backfilling against load on a machine of 128 processors" and about[b"schedsweep.seed"] == b"42"
    for key in "manifest", "program", "semantic_version", "manifest_hash":
        assert about[f"schedsweep.{key}".encode()], key
rows = pd.read_parquet("rows.parquet")
assert rows["error"].isna().all() and rows["workload.offered_load"].nunique() == 5 and str(rows["policy.kind"].dtype) == "category"
series = pd.read_parquet("series.parquet")
assert series["link"].isna().all() and series["queue_length"].notna().all()
text = pd.read_csv("rows.csv")  # the same numbers, nulls as empty cells
for column in text.columns:
    if pd.api.types.is_numeric_dtype(rows[column].dtype):
        pd.testing.assert_series_equal(text[column], rows[column], check_dtype=False, check_exact=True)
print(f"{checked} columns are as docs/reference/columns.md says, in pandas, polars and DuckDB")

# The snippets, as they stand there.
with_pandas, with_polars = blocks(HOW, "python")
lines = with_pandas.strip().splitlines()
means = {}
exec("\n".join(lines[:-1]) + "\nresult = " + lines[-1], means)
exec(with_polars, {})
sql, joined = blocks(HOW, "sql")
answer = duckdb.sql(sql)
assert answer.columns == ["policy.kind", "n", "wait"]
waits = {kind: wait for kind, n, wait in answer.fetchall()}
for kind in ("easy", "fcfs", "conservative"):
    assert abs(means["result"][kind].mean() / waits[kind] - 1) < 1e-12, kind
for kind, wait in duckdb.sql(joined).fetchall():  # every instance measures as many jobs
    assert abs(wait / waits[kind] - 1) < 1e-9, kind
about, gantt = blocks(PAGE, "python")
told = {}
exec(about, told)
assert told["about"].startswith("Backfilling") and len(told["rows"]) == len(rows)
exec(gantt, {})
print("the snippets of docs/how-to/load-rows.md and of docs/reference/columns.md run")

# A folder that grew has an axis that its first files lack, and does what the page says of it.
files = sorted(pathlib.Path("grown/results/runs/quickstart/instances").glob("*.parquet"))
assert "workload.load_factor" not in pq.read_schema(files[0]).names and "workload.load_factor" in pq.read_schema(files[-1]).names
folder = str(files[0].parent)
assert "workload.load_factor" not in pd.read_parquet(folder).columns  # dropped in silence
for refused in (lambda: duckdb.sql(f"SELECT \"workload.load_factor\" FROM '{folder}/*.parquet'").fetchall(), lambda: pl.read_parquet(f"{folder}/*.parquet")):
    try:
        refused()
    except (duckdb.Error, pl.exceptions.PolarsError):
        continue
    raise SystemExit("a reader takes the files of a folder that grew, and the page asks for union_by_name")
grown = dict(duckdb.sql(f"SELECT \"policy.kind\", count(*) FROM read_parquet('{folder}/*.parquet', union_by_name = true) "
                        "WHERE outcome = 'ok' GROUP BY ALL").fetchall())
assert grown == {"easy": 20, "fcfs": 20, "conservative": 20}, grown
exported = pd.read_parquet("grown/rows.parquet")
assert exported["workload.load_factor"].value_counts().to_dict() == {1.0: 30, 2.0: 30}, "an export fills in what old rows ran with"
print("a folder that grew is read as the page says")

# evalys draws a job as a rectangle for each of its intervals of processors.
jobs = JobSet.from_csv("evalys.csv")
plt.close("all")
jobs.gantt()
drawn = len(plt.gcf().axes[0].patches)
intervals = sum(len(list(s.intervals())) for s in jobs.df.allocated_resources)
plt.savefig("gantt.png")
assert drawn == intervals >= len(jobs.df) == 3000, (drawn, intervals, len(jobs.df))
mine = pd.read_parquet("jobs.parquet")
assert (mine["start"] >= mine["submit"]).all()
print(f"evalys draws {len(jobs.df)} jobs as {drawn} rectangles")

# Names that readers take for missing values are names in tables of the Python package.
sys.path.insert(0, str(root / "cmd/python"))
from schedsweep import _program  # noqa: E402

pathlib.Path("names.csv").write_text("policy,mean\nNA,1.5\nNone,\nnull,Inf\n")
for form in ("pandas", "polars", "arrow"):
    names = [getattr(name, "as_py", lambda: name)() for name in _program.table("names.csv", form)["policy"]]
    assert names == ["NA", "None", "null"], (form, names)
means = _program.table("names.csv", "pandas")["mean"]
assert means.isna().tolist() == [False, True, False] and means.sum() == float("inf"), means
