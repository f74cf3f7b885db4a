// Package report writes what an analysis gives as one HTML page that needs nothing else: no network, no font, no file beside it.
//
// The pipeline: a [Page] (results, coverage, manifest, provenance) becomes what page.html shows; style.css and page.js go into the
// page as they are. Texts of manifests and rows reach it through html/template, which escapes them, and the page's own policy lets no
// other script or style run. It computes no statistic, reads no clock, and gives the same bytes for the same page.
package report
