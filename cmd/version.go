package cmd

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/store"
)

// release is the program's version; the linker may set another.
var release = "0.1.0"

// version is the release and the commit that the program was built from: what rows
// and run folders say of their origin. Of a program of somebody else's that calls
// [Main] the commit is theirs and does not tell ours, so that its sum is added.
var version = sync.OnceValue(func() string {
	info := built()
	if info.Main.Path == "schedsweep" || info.Main.Path == "" {
		return release + " (" + commit(info.Settings) + ")"
	}
	return fmt.Sprintf("%s in %s %s (%s, SHA-256 %s)", release, info.Main.Path, info.Main.Version, commit(info.Settings), selfSum())
})

func selfSum() string {
	h := sha256.New()
	path, err := os.Executable()
	if err == nil {
		var f *os.File
		if f, err = store.OpenRegular(path); err == nil {
			defer f.Close()
			_, err = io.Copy(h, f)
		}
	}
	if err != nil {
		return "unknown"
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

func built() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{}
}

func origin(args []string) folder.Origin {
	revision, changed := revisionOf(built().Settings)
	return folder.Origin{Program: version(), Commit: revision, Changed: changed, Command: args}
}

// commit names the commit, and says so where the tree had changes that it has not.
// Builds outside of a repository know none.
func commit(settings []debug.BuildSetting) string {
	switch revision, changed := revisionOf(settings); {
	case revision == "":
		return "unknown commit"
	case changed:
		return "commit " + revision + " with changes"
	default:
		return "commit " + revision
	}
}

func revisionOf(settings []debug.BuildSetting) (revision string, changed bool) {
	known := map[string]string{}
	for _, s := range settings {
		known[s.Key] = s.Value
	}
	return known["vcs.revision"], known["vcs.modified"] == "true"
}

func versionCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:  "version",
		Usage: "print the version, or the licences of what is in the program",
		Description: "The semantic version is part of every instance's id and is raised when an\nanswer changes.\n\n" +
			example("schedsweep version\nschedsweep version --licenses"),
		Flags: []cli.Flag{&cli.BoolFlag{Name: "licenses", Usage: "print the licence texts of the program, its modules and its fonts"}},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return misuse("schedsweep %s takes no argument", c.Command.Name)
			}
			if c.Bool("licenses") {
				return env.printf("%s", licenses)
			}
			return env.printf("schedsweep %s\nsemantic version %d\n%s %s/%s\n", version(), harness.SemanticVersion, runtime.Version(), runtime.GOOS,
				runtime.GOARCH)
		},
	})
}

// licenses are the licence texts of this program, of the modules that it links and of
// the fonts in it: go test ./cmd -run Licenses -update writes them anew.
//
//go:embed licenses.txt
var licenses string
