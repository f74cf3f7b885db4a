// Command schedsweep runs parameter sweeps of parallel-job scheduling
// simulations. See schedsweep --help.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
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

// outlivePipes keeps the process alive when whoever reads its output goes away.
func outlivePipes() { signal.Ignore(syscall.SIGPIPE) }
