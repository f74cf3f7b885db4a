// Package analysis turns the rows of a sweep into statistics, paired comparisons, trends, tables and figures.
//
// The pipeline: a [frame.Frame] holds the rows by column and a [frame.Design] says which columns are axes, replication, outcome
// and metrics. [Summarise] groups the rows and computes, package compare sets points against one another and package plot makes
// drawings. [Analyse] does all of it from one [Spec], and [Result.Write] leaves the files in a folder. Package claim compares
// what a study published with the rows.
//
// What holds everywhere:
//
//   - Rows in any order, from any number of shards, give the same bits: groups are sorted by their axes, values before they
//     are summed. Statistics are computed from the union of the rows; statistics of shards are never merged.
//   - Failed instances, missing ones and metrics that are not finite are counted beside each statistic and warned of.
//   - Comparisons are paired on common random numbers: same replication, same other axes.
//
// It reads no file (package store does) and knows nothing of the simulator. Package stats has the numerics, package table
// the layout of tables, package figure the drawing.
package analysis
