package sim

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

// Start starts a module, or takes one that was kept by [Talk.End]. It ends with the
// run at the latest. A policy that starts one is an [io.Closer], and does so in the run
// and not in Reset: a check of a manifest runs nothing.
func (e Env) Start(m Module) (Talk, error) {
	if e.host == nil {
		return nil, errNoHost
	}
	return e.host.Start(m)
}
