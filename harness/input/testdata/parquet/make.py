# Writes the Parquet files of the tests as others write them: pyarrow 26.0.1, polars 2.1.0.
import datetime as dt, pyarrow as pa, pyarrow.parquet as pq, polars as pl

n = 300
t0 = dt.datetime(2024, 3, 30, 23, 0, 0)
sub = [t0 + dt.timedelta(seconds=7 * i) for i in range(n)]
cols = {
    "job_id": pa.array(range(1, n + 1), pa.int64()),
    "submit_time": pa.array(sub, pa.timestamp("us", tz="UTC")),
    "start_time": pa.array([s + dt.timedelta(seconds=i % 90) for i, s in enumerate(sub)], pa.timestamp("us", tz="UTC")),
    "end_time": pa.array([s + dt.timedelta(seconds=i % 90 + 60 + i) for i, s in enumerate(sub)], pa.timestamp("us", tz="UTC")),
    "run_time": pa.array([60.0 + i if i % 10 else None for i in range(n)], pa.float64()),
    "time_limit": pa.array([60 + i % 5 for i in range(n)], pa.int32()),
    "num_cores_req": pa.array([1 + i % 64 for i in range(n)], pa.int32()),
    "user_id": pa.array([i % 17 for i in range(n)], pa.int64()),
    "partition": pa.array(["p%d" % (i % 3) for i in range(n)]),
    "job_state": pa.array(["COMPLETED" if i % 20 else "RUNNING" for i in range(n)]),
    "power": pa.array([[1.0, 2.0] for i in range(n)], pa.list_(pa.float64())),
}
t = pa.table(cols)
flat = t.drop_columns(["power"])
w = dict(row_group_size=100)
pq.write_table(t, "plain.parquet", compression="none", use_dictionary=False, **w)
pq.write_table(t, "snappy.parquet", compression="snappy", **w)
pq.write_table(t, "zstd-v2.parquet", compression="zstd", data_page_version="2.0", **w)
pq.write_table(t, "gzip.parquet", compression="gzip", **w)
pq.write_table(flat, "split.parquet", use_dictionary=False, use_byte_stream_split=["run_time"], **w)
pq.write_table(flat, "split-int.parquet", use_dictionary=False, use_byte_stream_split=["job_id", "time_limit"], **w)
pq.write_table(flat, "delta.parquet", use_dictionary=False, column_encoding={"job_id": "DELTA_BINARY_PACKED", "time_limit": "DELTA_BINARY_PACKED", "partition": "DELTA_BYTE_ARRAY", "job_state": "DELTA_LENGTH_BYTE_ARRAY"}, **w)
c = pl.from_arrow(flat).with_columns(pl.col("partition").cast(pl.Categorical), pl.col("job_state").cast(pl.Categorical))
c.write_parquet("categorical.parquet", row_group_size=100)
local = flat.set_column(1, "submit_time", pa.array(sub, pa.timestamp("ms"))).set_column(2, "start_time", flat["start_time"].cast(pa.timestamp("us"))).set_column(3, "end_time", flat["end_time"].cast(pa.timestamp("us")))
pq.write_table(local, "local.parquet", **w)
pq.write_table(flat.set_column(6, "num_cores_req", flat["num_cores_req"].cast(pa.decimal128(10, 0))), "decimal.parquet", **w)
pq.write_table(t, "int96.parquet", use_deprecated_int96_timestamps=True, **w)

# Durations, in a folder of their own: by pyarrow, and by polars without the structure.
e = pa.table({
    "ms": pa.array([1500], pa.duration("ms")),
    "us": pa.array([3600000000], pa.duration("us")),
    "ns": pa.array([86400000000000], pa.duration("ns")),
    "job": pa.array([{"limit": 60}], pa.struct([("limit", pa.duration("s"))])),
    "plain": pa.array([7], pa.int64()),
})
pq.write_table(e, "../elapsed-pyarrow.parquet")
pl.from_arrow(e.drop_columns(["job"])).write_parquet("../elapsed-polars.parquet")

# Jobs of Kestrel and of Marconi100, in a folder of their own, by the published columns and types.
def at(*times, zone="UTC"):
    return pa.array([t and dt.datetime.fromisoformat(t) for t in times], pa.timestamp("us", tz=zone))

pq.write_table(pa.table({
    "id": ["9001", "9002", "9003", "9004"],
    "job_id": ["501", "501", "502", "503"],  # two jobs of an array
    "array_pos": pa.array([1, 2, None, None], pa.int64()),
    "user_hash": ["a1", "a1", "b2", "b2"],
    "account_hash": ["p1", "p1", "p2", "p2"],
    "partition": ["standard", "standard", "gpu-h100", "shared"],
    "qos": ["normal", "normal", "high", "normal"],
    "state": ["COMPLETED", "TIMEOUT", "CANCELLED by 131", "PENDING"],
    "state_simple": ["COMPLETED", "TIMEOUT", "CANCELLED", "PENDING"],
    "submit_time": at("2024-07-01 12:00:00", "2024-07-01 12:00:00", "2024-07-01 12:10:00", "2024-07-01 12:20:00"),
    "start_time": at("2024-07-01 12:00:30", "2024-07-01 12:01:00", "2024-07-01 13:10:00", None),
    "end_time": at("2024-07-01 13:00:30", "2024-07-01 14:01:00", "2024-07-01 13:20:00", None),
    "wallclock_req": pa.array([7200, 7200, 172800, 60], pa.duration("s")).cast(pa.duration("ns")),
    "wallclock_used": pa.array([3600, 7200, 600, None], pa.duration("s")).cast(pa.duration("ns")),
    "nodes_req": pa.array([2, 1, 1, 1], pa.int64()),
    "nodes_used": pa.array([2, 2, 1, None], pa.int64()),
    "processors_req": pa.array([208, 208, 32, 1], pa.int64()),
    "processors_used": pa.array([208, 208, 64, None], pa.int64()),
    "memory_req": ["480G", "104000M", "2Gc", "1G"],
    "gpus_requested": pa.array([None, None, 4, None], pa.float64()),
}), "../today/kestrel-202407.parquet")

pq.write_table(pa.table({
    "job_id": pa.array([71, 72, 73, 74], pa.int64()),
    "array_job_id": pa.array([0, 71, 0, 0], pa.int64()),
    "user_id": pa.array([5, 6, 5, 7], pa.int64()),
    "group_id": pa.array([50, 50, 50, 50], pa.int64()),
    "partition": ["1", "1", "2", "1"],
    "qos": ["1", "1", "3", "1"],
    "job_state": ["COMPLETED", "TIMEOUT", "CANCELLED", "RUNNING"],
    "submit_time": at("2022-02-01 08:00:00", "2022-02-01 08:05:00", "2022-02-01 08:06:00", "2022-02-01 08:07:00"),
    "start_time": at("2022-02-01 08:01:00", "2022-02-01 08:05:30", "2022-02-01 09:06:00", "2022-02-01 08:07:00"),
    "end_time": at("2022-02-01 09:01:00", "2022-02-01 08:35:30", "2022-02-01 09:07:00", "2022-02-02 08:07:00"),
    "run_time": pa.array([3600, 1800, 60, 60], pa.int64()),
    "time_limit": pa.array([120, 30, 4294967295, 1440], pa.int64()),
    "num_cpus": pa.array([256, 128, 4, 128], pa.int64()),
    "num_nodes": pa.array([2, 1, 1, 1], pa.int64()),
    "tres_req_str": ["cpu=64,mem=460000M,node=2,billing=64,gres/gpu=8", "cpu=128,mem=237.5G,node=1", None, "cpu=128,node=1"],
    "tres_alloc_str": ["cpu=256,mem=460000M,node=2,billing=256,gres/gpu=8", "cpu=128,mem=237.5G,node=1", None, "cpu=128,node=1"],
}), "../today/m100-job_table.parquet")

# Eagle's times have no zone. Its summer time begins at 2:00 of this day.
pq.write_table(pa.table({
    "job_id": pa.array([1, 2], pa.int64()),
    "user": ["user1", "user2"],
    "account": ["a1", "a1"],
    "partition": ["p1", "p1"],
    "qos": ["normal", "normal"],
    "wallclock_req": [7200.0, 7200.0],
    "nodes_req": [2, 1],
    "processors_req": [72, 36],
    "gpus_req": [0, 2],
    "mem_req": [72000.0, None],
    "submit_time": at("2019-03-10 01:30:00", "2019-03-10 01:40:00", zone=None),
    "start_time": at("2019-03-10 03:30:00", "2019-03-10 03:30:00", zone=None),
    "end_time": at("2019-03-10 04:30:00", "2019-03-10 04:30:00", zone=None),
    "run_time": [3600.0, 3600.0],
    "state": ["COMPLETED", "CANCELLED"],
}), "../today/eagle-data.parquet")
