// Package stats computes the statistics that the studies report: means, quantiles, paired differences and ratios on
// common random numbers, least-squares lines, and indices of samples. Each kind has one [Rule] for its interval.
//
// It takes slices of numbers and returns values; it knows no table, no file and no figure. Three rules hold throughout:
//
//   - The order of the input never matters, bit for bit: values are sorted before they are summed.
//   - Values that are not finite are left out, counted, and reported as a [Warning]; nothing is dropped in silence.
//   - Too few values never give a wrong interval: the interval is infinite and a warning says how many are needed.
//
// Warnings are data. They travel with the result and stop nothing.
package stats
