// Package sweep turns a manifest into instances: a strict YAML file becomes
// axes, axes become points, points and replications become instances with ids,
// seeds and shards. It is pure: bytes in, values out. It runs nothing, and knows
// what can be swept only from a [params.Registry] of names and parameter structs.
//
//	text      YAML with positions, numbers and units, mistakes
//	params    the registry, and sections decoded into parameter structs
//	design    samples over many knobs, which know no field
//	manifest  one tree of a file, its parents and --set; blocks, axes, samples, conditions
//	study     the parts of a manifest on its rows: analysis, figures, claims
//	schema    the language, for editors (JSON Schema) and for people
//	sweep     Load -> Manifest -> Plan -> At(i) -> Instance
//
// Each imports those above it only.
//
// # Manifests
//
// schema/language.md is the guide to manifests for their authors; package
// sweep/schema gives it to programs. What it leaves out:
//
// A label of a plain value may not read as another value of the axis. Claims,
// conditions and --set take value or label; rows and ids hold the value, and tables
// as CSV both.
//
// Steps are computed in decimal and rounded once, so that three steps of 0.1 are
// 0.3; values of a logspace are rounded to 12 digits. A path
// leads into a list by the number of an element, from 0: platform.clusters[0].nodes.
// Fields of a kind that an element chooses have no path: vary the list as a whole.
//
// Points with the same parameters are one: repeats, also between blocks, are dropped. The point has the most replications that a
// block gives it (the manifest's is for the blocks that do not say, one that --set gives for all). The columns of a plan are the
// axes of all blocks. Where a path is no axis, the column holds the resolved value, and null where the instance's kind has no such
// field.
//
// A section's fields are those of its kind. A field of another kind may stand in
// the base when the manifest chooses that kind somewhere; it is ignored, and not
// hashed, where it does not apply.
//
// A list in place of a section means the one kind that takes such a list, where the section has one: in policy, stages.
// Each is a whole section and says from when on it holds.
//
//	policy:
//	  - {from: 0, kind: fcfs}
//	  - {from: 30d, kind: easy, order: sjf}
//
// The same is written {kind: switch, stages: [...]}, and has this form in the resolved manifest. An axis varies the
// stages as a whole, through policy or policy.stages.
//
// A figure whose where: leaves one value of an axis has no panels and no legend for
// it. A claim whose points have different numbers of replications uses all of them,
// and each point weighs the same; a paired one uses the replications that all points have.
//
// # Identity
//
// An instance's id is SHA-256 over the registry's version, the master seed, the
// replication and the hash of every section. A section's hash is over its kind,
// the kind's version and all its decoded fields that are not at their default. Names, labels, titles, metrics,
// analysis, claims, paths and the order of axes are not in it. See
// [params.Resolved.Canonical].
package sweep
