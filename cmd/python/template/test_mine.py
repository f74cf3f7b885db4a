"""Tests of mine.py: python3 -m unittest test_mine"""
import os
import sys
import unittest

import schedsweep
from mine import Mine

HERE = os.path.dirname(os.path.abspath(__file__))
MANIFEST = {
    "workload": {"kind": "lublin", "jobs": 300, "offered_load": 0.8},
    "platform": {"processors": 128},
    "policy": {"kind": "external", "command": [sys.executable, "{module}"], "module": "mine.py", "timeout": 60},
    "metrics": ["mean_wait_time"],
}


class TestMine(unittest.TestCase):
    def test_every_job_runs(self):
        result = schedsweep.simulate(MANIFEST, data=[HERE], allow_commands=True)
        self.assertEqual((result["audit"], result["finished"] + result["killed"]), ("ok", 300))

    def test_narrow_jobs_go_first(self):
        module = Mine()
        job = {"subtime": 0, "walltime": 10}
        events = [("SIMULATION_BEGINS", {"nb_compute_resources": 4})]
        events += [("JOB_SUBMITTED", {"job": {"id": i, "res": n, **job}}) for i, n in (("wide", 3), ("narrow", 2))]
        answer = module.answer({"now": 0, "events": [{"type": kind, "data": data} for kind, data in events]})
        self.assertEqual([e["data"] for e in answer["events"]], [{"job_id": "narrow", "alloc": "0-1"}])


if __name__ == "__main__":
    unittest.main()
