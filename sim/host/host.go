// Package host has what a policy may ask of the machine that the simulation runs on: programs, modules beside it, and a clock. Package
// sim itself never touches them.
package host

// Host is the environment of the engine: it runs programs, starts modules and has a
// clock. All that it starts and opens ends with the run at the latest.
type Host interface {
	// Run runs a program to its end, see Env.Run of package sim.
	Run(Command) (Output, error)
	// Start starts a module, see Env.Start of package sim.
	Start(Module) (Talk, error)
	// Seconds returns the wall-clock time since an arbitrary moment.
	Seconds() float64
}

// Command is a program to run once. It gets no shell.
type Command struct {
	// Program is its name, looked for where the user's shell would, or its path.
	Program string
	// Args are its arguments without the name.
	Args []string
	// Stdin is all of its standard input.
	Stdin []byte
	// Files are put into the program's working directory, which is a new one and
	// goes with it: content by name, without folders.
	Files map[string][]byte
	// Read are the names of files that it may leave there, to be read back.
	Read []string
	// Limit is after how many seconds it is killed with all that it started; 0
	// leaves it to the limits of the run.
	Limit float64
}

// Output is the result of a program.
type Output struct {
	Stdout, Stderr []byte
	// Files are those of [Command.Read] that exist.
	Files map[string][]byte
	// Exit is its exit code.
	Exit int
	// Seconds is the wall-clock time of the run: a measure, no part of the
	// answer.
	Seconds float64
}

// Module is a program that runs beside the simulation and answers messages.
type Module struct {
	// Command is the program and its arguments, without a shell. {module} in an argument means the path of File,
	// {socket} the address. It runs in a folder of its own, which goes with it.
	Command []string
	// File is an input file named by the manifest, "" for none.
	File string
	// Protocol is the transport of messages: "lines" for a line each over a Unix domain socket, to
	// which the module connects; "zeromq" for a REP socket, which the module binds. The environment
	// variable SCHEDSWEEP_SOCKET has the path of the Unix socket too.
	Protocol string
	// Socket is the address of a module that another program has started; Command is
	// empty then.
	Socket string
	// Limit is the longest time in s that the module may take to come up, and to answer a message.
	Limit float64
}

// Talk is the exchange of messages with a module.
type Talk interface {
	// Ask sends a message and waits for the answer, which is valid until the next
	// message. An error says what the module did instead, and with what last words.
	Ask(message []byte) ([]byte, error)
	// End ends the module, or keeps it for the next run that starts the same one.
	End(keep bool) error
}
