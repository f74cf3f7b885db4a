// Package logtable makes job logs of tables: accounting dumps and published data sets
// with a row for each job and any names of columns. A [Map] is data: it says which column gives which value, in which
// unit and by which clock, and which rows count. Maps of known formats are shipped ([Shipped]), and [Guess] proposes
// one for an unknown table.
//
// A table is read row by row ([Rows]): what lies outside the dates that [Options] name
// costs no memory. Rows come from text ([NewCSV], [NewPBS], [NewJSON]); others, such as
// Parquet, are handed in. The result is a [swf.Log] like any other, and its hygiene
// report counts what became of every row that is no job, by cause.
package logtable
