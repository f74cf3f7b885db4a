// Package platform makes machines: from a number of processors, from clusters
// written out in a manifest, or from a preset of a published study.
//
// What it does not do: it simulates nothing. Whether links matter is up to the
// progress model.
package platform
