// Package contract is the suite that every policy passes, on random workloads
// and on every platform, event order and rule for walltimes that it accepts:
//
//   - the audit of package sim/audit finds nothing: no processor is used twice,
//     nothing starts before its submission, everything submitted ends or is
//     rejected, walltimes hold;
//   - runs repeat: with an engine and a policy that have been used before, also for
//     a run that was aborted, and with new ones;
//   - it changes neither the platform nor its parameters, and its methods that have
//     the names of optional interfaces' have their signatures too;
//   - doubling all times doubles all results, unless the policy has times of its
//     own ([Absolute]);
//   - it does not know a job's run time before the job has ended, unless its kind
//     says that it is clairvoyant ([sim.Kind]);
//   - a promised start is kept ([Planner]).
//
// A package of policies joins the suite by a file of this package's tests that
// imports it; its kinds are then tested with their default parameters. A test of
// its own may call [Test] with others.
//
// The package is for tests only. It says nothing about whether a policy decides
// as published: that is for the tests against reference answers.
package contract
