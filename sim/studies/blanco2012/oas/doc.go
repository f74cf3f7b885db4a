// Package oas schedules rigid jobs on several clusters whose links can be
// saturated, after H. Blanco, F. Guirado, J. L. Lérida, V. M. Albornoz, "MIP model
// scheduling for multi-clusters", Euro-Par 2012 workshops: the policy oas, which
// asks a solver for order and allocation of a whole set of jobs, and
// multicluster-list, the six heuristics that the paper compares it with.
//
// Both take processors for the paper's nodes, [sim.Cluster.Speed] for their
// effective power, uplinks for the inter-cluster links, and a job's walltime at
// full speed for its base time Tb: what a planner knows. Package solver has the
// model and the builtin solver.
package oas
