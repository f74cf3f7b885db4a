// Package figure draws panels of points, lines, bands and trendlines to SVG, PNG and PDF for a paper.
//
// The pipeline: a [Figure] (plain data) is laid out into a scene, a list of filled paths, strokes, marks and texts in
// points (1/72 inch); [Figure.SVG], [Figure.PNG] and [Figure.PDF] write that one scene, and [Figure.CSV] the numbers in it.
//
// It embeds Liberation Sans, uses the colours of Okabe and Ito (2008, Color Universal Design) with a marker and a dash
// pattern of its own for every series, and gives the same bytes for the same figure: no clock, no fonts of the host.
// It computes no statistic: means, bands and trendlines reach it as coordinates.
package figure
