package main

import (
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
)

// release is the program's version; the linker may set another.
var release = "0.1.0"

// version is the release and, where the build knows it, the commit.
func version() string {
	text := release
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return text
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			text += "+" + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			text += "-modified"
		}
	}
	return text
}

func versionCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:        "version",
		Usage:       "print the version",
		Description: "The semantic version is part of every instance's id and is raised when an\nanswer changes.\n\n" + example("schedsweep version"),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return misuse("schedsweep %s takes no argument", c.Command.Name)
			}
			p := printer{w: env.stdout}
			p.printf("schedsweep %s\nsemantic version %d\n%s %s/%s\n", version(), harness.SemanticVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return p.err
		},
	})
}
