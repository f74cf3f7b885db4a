// Package placement holds the policies that decide not only when a job starts
// but on which processors: conservative backfilling over a profile of sets of
// free processors, with five rules of placement, and plain first fit.
//
// The rules of placement know contiguous numbers and clusters of equal size;
// they know nothing of links and speeds.
package placement
