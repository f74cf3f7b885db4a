// Command schedsweep runs parameter sweeps of parallel-job scheduling
// simulations. See schedsweep --help.
package main

import "schedsweep/cmd"

func main() { cmd.Main() }
