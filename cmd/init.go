package cmd

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/harness/store"
	"schedsweep/manifests"
	"schedsweep/sweep/text"
)

func initCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "init",
		Usage:     "write a manifest, or a policy in Go, to begin with",
		ArgsUsage: "FILE.yaml | --policy NAME [FOLDER]",
		Description: `Copies one of the manifests that come with the program. It never overwrites.
The manifests: ` + join(starters()) + `.

With --policy it writes a folder with a policy of your own in Go, its test, and
a program that is schedsweep with this policy.

` + example(`schedsweep init sweep.yaml
schedsweep init curie.yaml --from curie
schedsweep init --policy mine --source ~/schedsweep`),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "from", Usage: "the manifest to copy: `NAME`", Value: "quickstart"},
			&cli.StringFlag{Name: "policy", Usage: "write a policy of that `NAME`, into a folder of that name or the one that is the argument"},
			&cli.StringFlag{Name: "source", Usage: "with --policy, schedsweep's source: `FOLDER`; by default the one that this program or the working directory lies in"},
		},
		Action: func(c *cli.Context) error {
			if c.IsSet("policy") {
				return initPolicy(env, c)
			}
			file, err := oneArgument(c, "the file to write")
			if err != nil {
				return err
			}
			name := c.String("from")
			copied, err := manifests.Files.ReadFile(name + ".yaml")
			if err != nil {
				return misuse("--from %s: there is no such manifest; %s", name, text.MeantOneOf(name, starters()))
			}
			err = store.NewFile(file, func(w io.Writer) error {
				_, err := w.Write(copied)
				return err
			})
			if errors.Is(err, fs.ErrExist) {
				return misuse("%s exists; choose another name or remove it", file)
			}
			if err != nil {
				return misuse("init: %w", err)
			}
			return env.printf("wrote %s; next: schedsweep run %s%s\n", file, file, needs(string(copied)))
		},
	})
}

// needs is the flag without which a manifest that names logs finds them only
// beside itself or in SCHEDSWEEP_DATA.
func needs(manifest string) string {
	if strings.Contains(manifest, ".swf") {
		return " --data FOLDER-OF-LOGS"
	}
	return ""
}

// starters are the names of the manifests that come with the program.
func starters() []string {
	files, err := fs.Glob(manifests.Files, "*.yaml")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	return text.Names(files, func(f string) string { return strings.TrimSuffix(path.Base(f), ".yaml") })
}
