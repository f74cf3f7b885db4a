// Package placement decides on which processors jobs run: five rules of placement, and a plan that knows for each
// moment which processors are free, in which the rules look for places.
//
// The rules know contiguous numbers and clusters of equal size; they know nothing of links and speeds.
package placement
