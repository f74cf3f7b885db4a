// Package manifests holds the studies and the starters as files of the program.
package manifests

import "embed"

// Files are the manifests of this folder.
//
//go:embed *.yaml
var Files embed.FS
