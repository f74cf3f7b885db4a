package cmd

import _ "embed"

// licenses are the licence texts of this program, of the modules that it links and of
// the fonts in it: go test ./cmd -run Licenses -update writes them anew.
//
//go:embed licenses.txt
var licenses string
