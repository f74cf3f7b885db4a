"""croissant.py FOLDER: an artifact's Croissant is valid, and its records are the rows; one whose fields come from nowhere is not."""
import json
import pathlib
import sys

import mlcroissant

folder = pathlib.Path(sys.argv[1])
data = mlcroissant.Dataset(str(folder / "croissant.json"))
assert not data.metadata.ctx.issues.errors, data.metadata.ctx.issues.errors
for records in data.metadata.record_sets:
    first = next(iter(data.records(records.id)))
    assert len(first) == len(records.fields) > 5, records.id
rows = sum(1 for _ in data.records("instances"))
assert rows == 30, rows
row = next(iter(data.records("instances")))
assert row["instances/policy.kind"] == b"fcfs" and row["instances/workload.offered_load"] == 0.3

about = json.loads((folder / "croissant.json").read_text())
about["recordSet"][0]["field"][0]["source"]["fileObject"]["@id"] = "elsewhere"
(folder / "broken.json").write_text(json.dumps(about))
try:
    mlcroissant.Dataset(str(folder / "broken.json"))
except mlcroissant.ValidationError:
    print(f"Croissant is valid, and its records are the {rows} rows")
else:
    raise SystemExit("a Croissant whose fields come from nowhere is taken as valid")
finally:
    (folder / "broken.json").unlink()
