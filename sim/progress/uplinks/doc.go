// Package uplinks holds the parts that progress models of several clusters share:
// the metrics of co-allocated jobs, and checks of the clusters' uplinks.
package uplinks
