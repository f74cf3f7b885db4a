package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
	"schedsweep/sweep"
)

// manifestFlags are the flags of every verb that reads a manifest.
func manifestFlags(more ...cli.Flag) []cli.Flag {
	return append([]cli.Flag{
		&cli.StringSliceFlag{Name: "data", Usage: "look for logs in `FOLDER` too, after the manifest's own and before $SCHEDSWEEP_DATA"},
		&cli.StringSliceFlag{Name: "set", Usage: "override a field: `PATH=VALUE`, such as --set workload.jobs=1000; pins an axis"},
	}, more...)
}

// load reads the manifest of the verb's argument.
func load(env environment, c *cli.Context, path string) (*sweep.Manifest, *harness.Inputs, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, nil, misuse("%s is a folder: give the manifest; a run folder goes to --out, and has a manifest of its own, %s", path, harness.ManifestPath(path))
	}
	data := c.StringSlice("data")
	data = append(data, filepath.SplitList(env.getenv("SCHEDSWEEP_DATA"))...)
	set := c.StringSlice("set")
	if c.IsSet("audit") {
		set = append(set, fmt.Sprintf("engine.audit=%t", c.Bool("audit")))
	}
	m, in, err := harness.Load(path, harness.LoadOptions{Data: data, Set: set})
	if err != nil && m == nil {
		return nil, nil, misuse("%w", err)
	}
	return m, in, err
}

// auditFlag stands for the manifest's engine.audit.
func auditFlag() cli.Flag {
	return &cli.BoolFlag{Name: "audit", Value: true, Usage: "check each run independently of its policy; --audit=false leaves it out (as engine.audit)"}
}

// study is a manifest with what belongs to it.
type study struct {
	path     string
	manifest *sweep.Manifest
	inputs   *harness.Inputs
	plan     *sweep.Plan
}

// openStudy loads the manifest that is the verb's only argument, and plans it.
func openStudy(env environment, c *cli.Context) (study, error) {
	path, err := oneArgument(c, "the manifest")
	if err != nil {
		return study{}, err
	}
	m, inputs, err := load(env, c, path)
	if err != nil {
		return study{}, err
	}
	plan, err := m.Plan()
	return study{path, m, inputs, plan}, err
}

// checked refuses impossible combinations and passes on what else there is to
// know.
func checked(env environment, st study) error {
	notes, err := harness.Check(st.plan, st.inputs)
	if err == nil {
		var samples []string
		samples, err = sampling(st)
		notes = append(notes, samples...)
	}
	for _, n := range notes {
		fmt.Fprintf(env.stderr, "note: %s\n", n)
	}
	return err
}

// outFlag names the run folder; see runFolder for its default.
func outFlag() cli.Flag {
	return &cli.StringFlag{Name: "out", Usage: "the run `FOLDER` (default: results/runs/NAME, by the manifest's name)"}
}

func runFolder(c *cli.Context, m *sweep.Manifest) string {
	if out := c.String("out"); out != "" {
		return out
	}
	return defaultFolder(m.Name)
}

// openRun opens the study of a verb that needs its run folder to be there.
func openRun(env environment, c *cli.Context) (study, string, error) {
	st, err := openStudy(env, c)
	if err != nil {
		return st, "", err
	}
	dir := runFolder(c, st.manifest)
	if _, err := harness.ReadProvenance(dir); err != nil {
		return st, "", misuse("%s: %w; run the manifest first, or point to its folder with --out", c.Command.Name, err)
	}
	return st, dir, nil
}

// defaultFolder is the run folder of the manifest of that name.
func defaultFolder(name string) string { return filepath.Join("results", "runs", name) }

// example indents a verb's examples under their heading.
func example(text string) string {
	return "Example:\n\n    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}
