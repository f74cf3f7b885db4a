// Package cmd is the command schedsweep: its verbs, one file each.
package cmd

import (
	"os"
	"os/signal"
	"syscall"
)

// Main runs the whole command on the process's arguments and ends the process
// with its exit code. A program of one's own that links more policies, metrics or
// workloads calls it from its main, and has every verb with them.
func Main() {
	signal.Ignore(syscall.SIGPIPE) // a process whose reader goes away ends what it does and writes its files
	os.Exit(execute(environment{
		args: os.Args, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, interrupts: interrupts,
	}))
}

// interrupts listens from now on; before, an interrupt ends the process. A hang-up
// that is ignored, as nohup has it, stays so.
func interrupts() <-chan os.Signal {
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
	return c
}
