// Command schedsweep runs parameter sweeps of parallel-job scheduling
// simulations. See schedsweep --help.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	os.Exit(execute(environment{
		args: os.Args, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, interrupts: interrupts,
	}))
}
