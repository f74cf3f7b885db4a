package cmd

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"schedsweep/harness/input"
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
			&cli.StringFlag{Name: "source", Usage: "with --policy, schedsweep's source: `FOLDER`; by default the one that this program or the " +
				"working directory lies in"},
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

func starters() []string {
	files, err := fs.Glob(manifests.Files, "*.yaml")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	return text.Names(files, func(f string) string { return strings.TrimSuffix(path.Base(f), ".yaml") })
}

// A policy that is complete and runs: package main of cmd/template, called mine.
//
//go:embed template/*.go template/*.yaml
var template embed.FS

var policyName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func initPolicy(env environment, c *cli.Context) error {
	name := c.String("policy")
	if !policyName.MatchString(name) {
		return misuse("--policy %q: small letters, digits and hyphens are needed, such as narrow-first", name)
	}
	for _, s := range input.Registry().Sections {
		for _, k := range s.Kinds {
			if s.Name == "policy" && k.Name == name {
				return misuse("--policy %s: there is such a policy (%s); choose another name", name, k.Doc)
			}
		}
	}
	dir := name
	if c.NArg() > 0 {
		var err error
		if dir, err = oneArgument(c, "the folder to write"); err != nil {
			return err
		}
	}
	source, err := sourceFolder(c.String("source"))
	if err != nil {
		return err
	}
	files, err := policyFiles(name, source)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); errors.Is(err, fs.ErrExist) {
		return misuse("%s exists; choose another folder or remove it", dir)
	} else if err != nil {
		return misuse("init: %w", err)
	}
	for name, content := range files {
		if err := store.NewFile(filepath.Join(dir, name), func(w io.Writer) error { _, err := w.Write(content); return err }); err != nil {
			return fmt.Errorf("init: %w", err)
		}
	}
	return env.printf("wrote %s; next, in it: go test ./... && go run . run sweep.yaml\n", dir)
}

// sourceFolder is where our source is: given, or around this program or the working
// directory.
func sourceFolder(given string) (string, error) {
	if given != "" {
		abs, err := filepath.Abs(given)
		if err == nil && !isSource(abs) {
			err = errors.New("its go.mod is not that of schedsweep")
		}
		if err != nil {
			return "", misuse("--source %s: %w", given, err)
		}
		return abs, nil
	}
	var starts []string
	if self, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(self))
	}
	if here, err := os.Getwd(); err == nil {
		starts = append(starts, here)
	}
	for _, dir := range starts {
		for ; ; dir = filepath.Dir(dir) {
			if isSource(dir) {
				return dir, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", misuse("schedsweep's source, which a policy in Go is built with, is not around this program: say --source FOLDER")
}

func isSource(dir string) bool {
	text, err := store.ReadRegular(filepath.Join(dir, "go.mod"))
	return err == nil && modfile.ModulePath(text) == "schedsweep"
}

// policyFiles are the template's under the name, and what binds it to our source:
// the versions that we are built with, so that nothing has to be looked up.
func policyFiles(name, source string) (map[string][]byte, error) {
	files := map[string][]byte{}
	entries, err := fs.Glob(template, "template/*")
	if err != nil {
		return nil, err
	}
	for _, path := range entries {
		text, err := template.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[strings.TrimPrefix(path, "template/")] = []byte(strings.ReplaceAll(string(text), "mine", name))
	}
	ours := filepath.Join(source, "go.mod")
	text, err := store.ReadRegular(ours)
	if err != nil {
		return nil, fmt.Errorf("init: %w", err)
	}
	known, err := modfile.ParseLax(ours, text, nil)
	if err != nil {
		return nil, fmt.Errorf("init: %w", err)
	}
	for _, r := range known.Require {
		r.Indirect = true
	}
	mod := new(modfile.File)
	if err := errors.Join(mod.AddModuleStmt("example.org/"+name), mod.AddGoStmt(known.Go.Version),
		mod.AddReplace("schedsweep", "", source, "")); err != nil {
		return nil, fmt.Errorf("init: %w", err)
	}
	mod.SetRequireSeparateIndirect(append(known.Require, &modfile.Require{Mod: module.Version{Path: "schedsweep", Version: "v0.0.0"}}))
	files["go.mod"] = modfile.Format(mod.Syntax)
	if files["go.sum"], err = store.ReadRegular(filepath.Join(source, "go.sum")); err != nil {
		return nil, fmt.Errorf("init: %w", err)
	}
	return files, nil
}
