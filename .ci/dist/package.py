"""The Python package, from its wheel alone: what needs nothing but Python. Writes results/runs/quickstart."""
import inspect
import os
import platform
import subprocess
import sys
import unittest

import schedsweep

program = schedsweep.program()
assert os.path.realpath(program).startswith(os.path.realpath(sys.prefix)), program
subprocess.run([program, "init", "sweep.yaml"], check=True, stdout=subprocess.DEVNULL)
study = schedsweep.Study("sweep.yaml")
assert study.plan()["instances"] == 300, study.plan()
assert study.run()["ok"] == 300
assert study.run()["ok"] == 0  # nothing is left
rows = study.rows(as_="dicts")
assert len(rows) == 300 and {row["outcome"] for row in rows} == {"ok"}, rows[0]
assert len(study.statistics(as_="dicts")) > 40 and study.comparisons(as_="dicts")
assert study.figures() == ["ratio", "slowdown", "wait"], study.figures()
assert study.figure("wait").svg.startswith("<"), study.figure("wait").svg[:80]
assert study.figure("wait").vega()["$schema"].startswith("https://vega.github.io/schema/vega-lite/")

small = {"workload": {"kind": "lublin", "jobs": 100}, "platform": {"processors": 128}, "policy": {"kind": "easy"}, "datasets": ["jobs", "series"]}
assert schedsweep.simulate(small)["audit"] == "ok"
assert len(schedsweep.simulate(small, jobs="dicts")["jobs_table"]) == 100
one = schedsweep.Study({"replications": 2, **small}, out="small")
one.run(progress=False)
assert len(one.jobs(as_="dicts")) == 200 and one.series(as_="dicts")

for wrong, place in (({**small, "policy": {"kind": "eazy"}}, "manifest.yaml"), (small, "--set policy.kind=eazy")):
    try:
        schedsweep.Study(wrong, set={} if wrong is not small else {"policy.kind": "eazy"}).plan()
    except schedsweep.UsageError as e:
        (mistake,) = e.mistakes
        assert mistake.file.endswith(place) and 'did you mean "easy"' in mistake.remedy, mistake
        assert (mistake.line, mistake.column > 1) == ((0, False) if place.startswith("--set") else (1, True)), mistake
    else:
        sys.exit(f"{wrong}: no error")

try:
    schedsweep.simulate({**small, "workload": {"kind": "lublin", "jobs": "many; more"}})
except schedsweep.UsageError as e:
    assert [(m.message, m.remedy) for m in e.mistakes] == [('workload.jobs is the string "many; more"', "want a whole number")], e.mistakes

try:
    schedsweep.Study("sweep.yaml", set={"workload": {"kind": "lublin", "jobs": -1}}).plan()
except schedsweep.UsageError as e:  # a value may hold the characters that end a position
    (mistake, *_) = e.mistakes
    assert mistake.file == '--set workload={"kind": "lublin", "jobs": -1}' and mistake.remedy, mistake

for missing in ("import schedsweep.gym", "study.figure('wait').altair()", "study.rows()", "study.rows('polars')", "study.rows('arrow')"):
    try:
        exec(missing)
    except ImportError as e:
        assert "pip install" in str(e), e  # the missing package, and how to get it
    else:
        sys.exit(f"{missing}: this test wants an environment without it")

subprocess.run([program, "init", "--module", "mine.py"], check=True, stdout=subprocess.DEVNULL)
sys.path.insert(0, os.getcwd())
result = unittest.TextTestRunner(stream=sys.stdout).run(unittest.defaultTestLoader.loadTestsFromName("test_mine"))
assert result.wasSuccessful() and result.testsRun == 2
from schedsweep import easy  # noqa: E402

module = {"kind": "external", "command": [sys.executable, "{module}"], "module": "easy.py"}
found = [schedsweep.simulate({**small, "policy": p}, data=[os.path.dirname(inspect.getfile(easy))], allow_commands=True, jobs="dicts")["jobs_table"]
         for p in (small["policy"], module)]
assert [row["start"] for row in found[0]] == [row["start"] for row in found[1]]
print(f"wheel under Python {platform.python_version()}")
