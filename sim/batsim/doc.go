// Package batsim has the shapes that Batsim's JSON workloads and its JSON protocol
// (version 4) share: jobs, profiles, interval sets of resources. It reads bytes and
// knows no files.
package batsim
