// Package store keeps the rows of a run as typed Parquet datasets.
//
// A dataset is a folder of part files with the same meaning: RUN/instances, RUN/jobs,
// RUN/series. Rows are appended through a Writer, which writes a part when enough are
// buffered or when Flush is called. WithIndex finds the rows of all complete parts. Merge
// makes few parts of many. Check reads everything and names the faults. A FileWriter
// writes one table to one Parquet or CSV file.
//
// # Names
//
//	part-SHARD-ATTEMPT-SEQ.parquet      a part: SHARD is i-of-n, SEQ counts from 000000
//	merged-ID.parquet                   a merged part, ID random
//	.part-...parquet.tmp                a part being written, or what a killed writer left
//	.merge.lock, .shard-SHARD.lock      held while a merge or a shard runs
//	.merge.running                      of a merge, where the file system has no locks
//
// An attempt is one process that writes. Its name is unique and begins with a
// number above all that the folder held when the process started (NewAttempt
// makes such names); no clock decides. Where several rows belong to one record
// (Records), an answer counts before a row without one, then the later attempt;
// answers that differ are an error.
//
// # Complete or absent
//
// A part is written under its hidden temporary name, synced, renamed, and the
// folder is synced. Files and folders follow the umask. A part is never overwritten. A
// write error is final for the file, not for the rows: the temporary is removed
// and the rows stay in memory for the next try. Scans see neither temporaries
// nor hidden files. A writer removes temporaries of older attempts of its own
// shard, and no others.
//
// # Inside a part
//
// zstd level 1, with a checksum in every page. Row groups of at most 131,072
// rows. One flat Parquet column for each Column: DOUBLE, INT64, INT32, BOOLEAN,
// UTF-8 text stored plain (String) or with a dictionary (Category); required, or
// optional when Nullable. Field metadata carries unit and doc. The footer
// carries the provenance given as Options.Meta, the arrow schema, and
//
//	schedsweep.store.format     version of this format, "1"
//	schedsweep.store.schema     JSON list of the columns: name, type, unit, doc, nullable
//	schedsweep.store.part       random id of the part
//	schedsweep.store.segments   JSON list of {shard, attempt, seq, rows}: who wrote which rows, in order
//	schedsweep.store.sums       JSON: CRC-32C of each column chunk, and of the footer's keys and values
//	schedsweep.store.sources    of a merged part: JSON list of the ids it was merged from
//
// Order and precedence come from the segments, not from file names, so files
// may be renamed and merged without a change of what a scan returns.
//
// # What it does not do
//
// It knows no column by name, computes nothing from the rows, and reads no
// Parquet file that it did not write.
//
// # Locks
//
// Locks save work; nothing rests on them but that merges exclude one another.
// Where the file system has none, shards go on without: names of parts are unique
// to shard and attempt, parts appear by a rename, no process removes what another may
// be writing, and Records say which rows count. Merges then exclude one another by a
// file that only one of them can make ([LockShard], [Merge]).
package store
