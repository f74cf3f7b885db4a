package cmd

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/urfave/cli/v2"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/store"
)

// release is the version of a program whose commit has no tag. Raise it with each
// release; make dist names its files by it.
const release = "0.2.0"

// version is the release and the commit that the program was built from: what rows
// and run folders say of their origin. Of a program of somebody else's that calls
// [Main] the commit is theirs and does not tell ours, so that its sum is added.
var version = sync.OnceValue(func() string {
	info := built()
	if info.Main.Path == modulePath || info.Main.Path == "" {
		return releaseOf(info) + " (" + commit(info.Settings) + ")"
	}
	return fmt.Sprintf("%s in %s %s (%s, SHA-256 %s)", releaseOf(info), info.Main.Path, info.Main.Version, commit(info.Settings), selfSum())
})

// releaseOf is the tag that the program was built from, without its v, else [release].
func releaseOf(info *debug.BuildInfo) string {
	ours := &info.Main
	for _, m := range info.Deps {
		if m.Path == modulePath {
			ours = m
		}
	}
	tag := strings.TrimSuffix(ours.Version, semver.Build(ours.Version)) // +dirty: the commit is marked as changed
	if ours.Path != modulePath || ours.Replace != nil || !semver.IsValid(tag) || module.IsPseudoVersion(tag) {
		return release
	}
	return tag[1:]
}

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
		Usage: "print the version, or the licences of the program and its parts",
		Description: "The semantic version is part of every instance's id. It is raised when answers of\nall kinds change.\n\n" +
			example("schedsweep version\nschedsweep version --licenses"),
		Flags: []cli.Flag{&cli.BoolFlag{Name: "licenses", Usage: "print the licence texts of the program, its modules and its fonts"}},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return misuse("%s takes no argument", c.Command.Name)
			}
			if c.Bool("licenses") {
				text, err := licenses()
				if err == nil {
					_, err = dataTo(env.stdout).Write(text) // as they are: a terminal is spared their form feeds
				}
				return err
			}
			source := sourceOf(built())
			if source != "" {
				source = "source: " + source + "\n"
			}
			return env.printf("schedsweep %s\n%ssemantic version %d\n%s %s/%s\n", version(), source, harness.SemanticVersion, runtime.Version(),
				runtime.GOOS, runtime.GOARCH)
		},
	})
}

//go:embed licenses.txt.gz
var compressedLicenses []byte

// licenses returns the licence texts of this program, of the modules that it links and of the fonts in it. They are compressed, as
// the program has a bound on its size: go test ./cmd -run Licenses -update writes them anew.
func licenses() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(compressedLicenses))
	if err != nil {
		return nil, fmt.Errorf("licences in the program: %w", err)
	}
	return io.ReadAll(r)
}
