// Command mine is schedsweep with the policy mine: all verbs and all that comes
// with the program, as ever.
//
//	go test ./...
//	go run . run sweep.yaml
//	go run . analyze sweep.yaml
package main

import (
	"schedsweep/cmd"
	"schedsweep/sim"
)

func main() {
	sim.Policies.Add(kind)
	cmd.Main()
}
