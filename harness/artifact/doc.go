// Package artifact makes of a run folder what committees and readers of a study ask
// for: one archive with the manifest, a smaller one, the rows, what the analysis made
// of them, and descriptions for people (README.md, columns.md, CITATION.cff) and for
// machines (an RO-Crate, Croissant); and it opens such archives. It knows run folders
// and their rows, and neither simulates nor analyses: what others computed lies in the
// folder that it packs.
package artifact
