"""What became of the schedulers: compare.py ROWS... SCHEDULE SCHEDULE"""

import csv
import sys

rows = [row for path in sys.argv[1:-2] for row in csv.DictReader(open(path))]
for row in rows:
    each = float(row["module_seconds"]) / float(row["module_messages"]) * 1e3 if row["module_messages"] else float("nan")
    print(f"{row['policy']:22} {row['outcome']:7} audit {row['audit']:4} mean wait {row['mean_wait_time'] or '-':>12} s  {each:8.2f} ms a message")
bad = [row["policy"] for row in rows if row["audit"] != "ok"]
starts = [{row["job_id"]: row["start"] for row in csv.DictReader(open(path))} for path in sys.argv[-2:]]
same = sum(starts[0][job] == starts[1][job] for job in starts[0])
print(f"easyBackfill starts {same} of {len(starts[0])} jobs when our contiguous EASY does")
# They take different blocks, so that later jobs find others; most starts are the same.
sys.exit(bool(bad) or same < 750)
