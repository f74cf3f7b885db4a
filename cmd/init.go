package cmd

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"al.essio.dev/pkg/shellescape"
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
		Usage:     "write a manifest, or a policy in Go or Python, to begin with",
		ArgsUsage: "FILE.yaml | --policy NAME [FOLDER] | --module FILE.py",
		Description: `Copies one of the manifests that come with the program. It never overwrites.

With --log it writes a manifest that compares three policies on windows of your
log, with a figure of paired ratios.

With --policy it writes a Go module: a policy of your own, its test, and a
program that is schedsweep with this policy. The module holds the source of
schedsweep, so you can publish the folder as it is. Building it takes Go.

With --module it writes a scheduling module in Python, and its test beside it.
They need the Python package schedsweep.

The manifests: ` + join(starters()) + `.

` + example(`schedsweep init sweep.yaml
schedsweep init mine.yaml --log LOG.swf.gz
schedsweep init curie.yaml --from curie
schedsweep init --policy mine
schedsweep init --module mine.py`),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "from", Usage: "the manifest to copy: `NAME`", Value: "quickstart"},
			&cli.StringFlag{Name: "log", Usage: "write a manifest for a log in the Standard Workload Format: `LOG.swf.gz`"},
			&cli.StringFlag{Name: "policy", Usage: "write a policy `NAME` into a folder (default: of the policy's name)"},
			&cli.StringFlag{Name: "module", Usage: "write a scheduling module in Python to `FILE.py`, and its test beside it"},
			&cli.StringFlag{Name: "source", Usage: "with --policy, take schedsweep's source from `PATH`, a checkout or source.tar",
				DefaultText: "beside or around this program"},
		},
		Action: func(c *cli.Context) error {
			if c.IsSet("policy") {
				return initPolicy(env, c)
			}
			if c.IsSet("module") {
				return initModule(env, c)
			}
			file, err := oneArgument(c, "the file to write")
			if err != nil {
				return err
			}
			content, next := "", ""
			if log := c.String("log"); log != "" {
				if c.IsSet("from") {
					return misuse("--log and --from: give one of the two")
				}
				content, err = starterFor(log, file, dataFolders(env, c))
			} else {
				content, err = starter(c.String("from"))
				if strings.Contains(content, ".swf") { // logs that are neither beside it nor in SCHEDSWEEP_DATA
					next = " --data FOLDER-OF-LOGS"
				}
			}
			if err != nil {
				return err
			}
			err = store.NewFile(file, store.Content(content))
			if errors.Is(err, fs.ErrExist) {
				return misuse("%s exists; choose another name or remove it", file)
			}
			if err != nil {
				return misuse("init: %w", err)
			}
			return env.printf("wrote %s; next: schedsweep run %s%s\n", file, shellescape.Quote(file), next)
		},
	})
}

func starter(name string) (string, error) {
	content, err := manifests.Files.ReadFile(name + ".yaml")
	if err != nil {
		return "", misuse("--from %s: there is no such manifest; %s", name, text.MeantOneOf(name, starters()))
	}
	return string(content), nil
}

func starters() []string {
	files, err := fs.Glob(manifests.Files, "*.yaml")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	return text.Each(files, func(f string) string { return strings.TrimSuffix(path.Base(f), ".yaml") })
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
	source, err := programSource(c.String("source"))
	if err != nil {
		return err
	}
	files, err := policyFiles(name, source)
	if err != nil {
		return err
	}
	if err := store.MakeFolder(filepath.Dir(filepath.Clean(dir))); err != nil {
		return misuse("init: %w", err)
	}
	if err := os.Mkdir(dir, 0o777); errors.Is(err, fs.ErrExist) {
		return misuse("%s exists; choose another folder or remove it", dir)
	} else if err != nil {
		return misuse("init: %w", err)
	}
	for name, content := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		err := store.MakeFolder(filepath.Dir(to))
		if err == nil {
			err = store.UnsyncedFile(to, store.Content(content))
		}
		if err != nil {
			return fmt.Errorf("init: %w", err)
		}
	}
	return env.printf("wrote %s; next, in it: go test ./... && go run . run sweep.yaml\n", dir)
}

// A scheduling module that is complete and runs, and its test.
//
//go:embed python/template/*.py
var moduleTemplate embed.FS

var moduleName = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

func initModule(env environment, c *cli.Context) error {
	to := c.String("module")
	dir, file := filepath.Split(to)
	name, ok := strings.CutSuffix(file, ".py")
	switch {
	case c.Args().Present():
		return misuse("init --module takes no argument")
	case !ok || !moduleName.MatchString(name) || name == "schedsweep":
		return misuse("--module %s: small letters, digits and underscores before .py are needed, such as narrow_first.py", to)
	}
	class := ""
	for word := range strings.SplitSeq(name, "_") {
		if word != "" {
			class += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	files := map[string]string{"mine.py": to, "test_mine.py": filepath.Join(dir, "test_"+file)}
	for _, path := range files {
		if _, err := os.Stat(path); err == nil {
			return misuse("%s exists; choose another name or remove it", path)
		}
	}
	for from, path := range files {
		text, err := moduleTemplate.ReadFile("python/template/" + from)
		if err != nil {
			return err
		}
		content := strings.NewReplacer("mine", name, "Mine", class).Replace(string(text))
		if err := store.NewFile(path, store.Content(content)); err != nil {
			return fmt.Errorf("init: %w", err)
		}
	}
	return env.printf("wrote %s and %s; next, beside them: python3 -m unittest test_%s\n", to, files["test_mine.py"], name)
}

// policyFiles are the template's under the name, our source, and what binds the two: the
// versions that we are built with, so that nothing has to be looked up.
func policyFiles(name string, source map[string][]byte) (map[string][]byte, error) {
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
	for path, text := range source {
		files[sourceFolder+"/"+path] = text
	}
	known, err := modfile.ParseLax("go.mod", source["go.mod"], nil)
	if err != nil {
		return nil, fmt.Errorf("init: %w", err)
	}
	for _, r := range known.Require {
		r.Indirect = true
	}
	mod := new(modfile.File)
	if err := errors.Join(mod.AddModuleStmt("example.org/"+name), mod.AddGoStmt(known.Go.Version),
		mod.AddReplace(modulePath, "", "./"+sourceFolder, "")); err != nil {
		return nil, fmt.Errorf("init: %w", err)
	}
	mod.SetRequireSeparateIndirect(append(known.Require, &modfile.Require{Mod: module.Version{Path: modulePath, Version: "v0.0.0"}}))
	files["go.mod"], files["go.sum"] = modfile.Format(mod.Syntax), source["go.sum"]
	return files, nil
}
