package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"schedsweep/harness"
	"schedsweep/harness/artifact"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

const (
	exitDone       = 0
	exitUnexpected = 1
	exitMisuse     = 2
	exitFailed     = 3
	exitDrained    = 4
	exitClaim      = 5
	exitBusy       = 6
)

const exitCodesHelp = `Exit codes:

    0  done
    1  unexpected error
    2  bad use or bad manifest
    3  finished, with failed instances (run --exit-failed chooses another code)
    4  stopped before the end; the same command goes on (run --exit-drained)
    5  a claim did not hold (with claims --strict: or is inconclusive), a
       row was not repeated, or compare found a regression
    6  another process is at work in the folder (run and merge --wait wait for it)`

// errMisuse marks errors of the person at the keyboard.
var errMisuse = errors.New("bad use")

// errFailedInstances and errDrained end a run that did what it could; errClaim
// is the verdict on a study.
var (
	errFailedInstances = errors.New("instances without an answer")
	errGivenUp         = fmt.Errorf("%w", errFailedInstances) // before the others ran
	errDrained         = errors.New("stopped before the end")
	errClaim           = errors.New("a claim does not hold")
)

func misuse(format string, args ...any) error {
	return harness.Mark(fmt.Errorf(format, args...), errMisuse)
}

// gone reports whether all that is wrong is that no program reads the standard output any more, as head does when it has enough.
func gone(err error) bool {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return !slices.ContainsFunc(all.Unwrap(), func(e error) bool { return !gone(e) })
	}
	if _, is := err.(readerGone); is {
		return true
	}
	err = errors.Unwrap(err)
	return err != nil && gone(err)
}

// report prints the error and chooses the exit code: the only place that does.
func report(env environment, err error) int {
	if err == nil || gone(err) {
		return exitDone
	}
	env.tell("schedsweep: " + err.Error())
	var manifest *text.Errors
	switch {
	case errors.Is(err, errGivenUp): // its work is not done, so that it is no success
		return cmp.Or(exitsOf(err).failed, exitFailed)
	case errors.Is(err, errFailedInstances):
		return exitsOf(err).failed
	case errors.Is(err, errDrained):
		return exitsOf(err).drained
	case errors.Is(err, errClaim), errors.Is(err, errDiffers), errors.Is(err, errRegression):
		return exitClaim
	case errors.Is(err, store.ErrBusy):
		return exitBusy
	case errors.Is(err, errMisuse), errors.As(err, &manifest), errors.Is(err, input.ErrNotFound),
		errors.Is(err, folder.ErrOther), errors.Is(err, rows.ErrNone), errors.Is(err, run.ErrCombination), errors.Is(err, harness.ErrInput),
		errors.Is(err, run.ErrCommands), errors.Is(err, store.ErrNotRegular), errors.Is(err, artifact.ErrArchive):
		return exitMisuse
	default:
		return exitUnexpected
	}
}
