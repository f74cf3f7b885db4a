package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"al.essio.dev/pkg/shellescape"
	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/harness/artifact"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

func manifestFlags(more ...cli.Flag) []cli.Flag {
	return append([]cli.Flag{
		&cli.StringSliceFlag{Name: "data", Usage: "look for logs in `FOLDER` too, before $SCHEDSWEEP_DATA"},
		&cli.StringSliceFlag{Name: "set", Usage: "override a field: `PATH=VALUE`, such as --set workload.jobs=1000; pins an axis"},
	}, more...)
}

func load(env environment, c *cli.Context, path string) (*sweep.Manifest, *input.Files, error) {
	if artifact.Is(path) {
		return nil, nil, misuse("%s is an artifact: run and verify take it as it is; for %s unpack it (tar -xf) and give a manifest in it, %s "+
			"or %s, and its folder as --out", path, c.Command.Name, artifact.ManifestFile, artifact.SmallFile)
	}
	m, in, err := input.Load(path, input.Options{Data: dataFolders(env, c), Set: overrides(c), Commands: c.Bool("allow-commands")})
	if err != nil && m == nil {
		return nil, nil, misuse("%w", err)
	}
	return m, in, err
}

func needed(c *cli.Context, name string) (string, error) {
	value := c.String(name)
	if value == "" {
		return "", misuse("%s needs --%s; see %s --help", strings.TrimPrefix(c.Command.HelpName, "schedsweep "), name, c.Command.HelpName)
	}
	return value, nil
}

func auditFlag() cli.Flag {
	return &cli.BoolFlag{Name: "audit", Value: true, Usage: "check each run independently of its policy (as engine.audit)"}
}

func commandsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "allow-commands", Usage: "let the manifest start programs and connect to sockets of modules"}
}

type study struct {
	path     string
	archive  string   // the artifact that it comes from, unpacked at path; "" for none
	small    bool     // --small was given
	data     []string // folders given with --data
	set      []string // overrides given with --set
	commands bool     // --allow-commands was given
	manifest *sweep.Manifest
	dir      string // the run folder: of --out, or the one of the manifest's name
	inputs   *input.Files
	plan     *sweep.Plan
	inquiry  *analysis.Inquiry // progress of its questions; nil where it has none
	whole    *sweep.Manifest   // with all of its looks; nil where it has none
}

func openStudy(env environment, c *cli.Context) (study, error) {
	path, err := oneArgument(c, "the manifest")
	if err != nil {
		return study{}, err
	}
	return studyAt(env, c, path)
}

// withStudy returns the action of a verb whose only argument is a manifest, opened by openStudy or openRun.
func withStudy(env environment, open func(environment, *cli.Context) (study, error), do func(*cli.Context, study) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		st, err := open(env, c)
		if err != nil {
			return err
		}
		return st.ofOtherFiles(do(c, st))
	}
}

// ofOtherFiles names the files that changed, where the folder has no row of the manifest because of them.
func (st study) ofOtherFiles(err error) error {
	if !errors.Is(err, folder.ErrOther) {
		return err
	}
	known, unknown := folder.Read(st.dir)
	if changed := known.Changed(st.inputs.Hashes()); unknown == nil && len(changed) > 0 {
		return fmt.Errorf("%w, or give the files of its rows: the contents of %s differ", err, strings.Join(changed, ", "))
	}
	return err
}

func studyAt(env environment, c *cli.Context, path string) (study, error) {
	own := false
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if own = true; c.IsSet("out") && filepath.Clean(c.String("out")) != filepath.Clean(path) {
			return study{}, misuse("%s is a run folder, and --out names another: give one of them", path)
		}
		if _, err := os.Stat(folder.ManifestPath(path)); err != nil {
			return study{}, misuse("%s is a folder without a manifest (%w): give a manifest, or the folder of a run", path, err)
		}
		path = folder.ManifestPath(path)
	}
	m, inputs, err := load(env, c, path)
	if err != nil {
		return study{}, err
	}
	if out := m.LeftOut; len(out) > 0 {
		env.note(fmt.Sprintf("%s: left out is what its parent says of axis values that are not here: %s", path, strings.Join(out, ", ")))
	}
	st := study{path: path, data: c.StringSlice("data"), set: overrides(c), commands: c.Bool("allow-commands"), manifest: m, inputs: inputs}
	if st.dir = cmp.Or(c.String("out"), defaultFolder(m.Name)); own {
		st.dir = filepath.Dir(path)
	}
	if st.plan, err = m.Plan(); err == nil {
		err = st.asFarAsRun()
	}
	return st, err
}

// spares refuses an output that would replace the manifest or another input of the study.
func (st study) spares(option, to string) error {
	if st.inputs.Reads(to) {
		return misuse("--%s %s is an input of the study: write to another file", option, to)
	}
	return nil
}

func (st study) at(number int) (inst sweep.Instance) {
	st.plan.At(number, &inst)
	return inst
}

// withLogs is the study with the instances that play logs themselves in its plan, for a verb that runs, counts or names instances.
// Verbs that read replications do without.
func (st study) withLogs() study {
	st.manifest = st.manifest.WithLogs()
	if plan, err := st.manifest.Plan(); err == nil { // it was loaded
		st.plan = plan
	}
	return st
}

// openWithLogs is openStudy with the logs themselves.
func openWithLogs(env environment, c *cli.Context) (study, error) {
	st, err := openStudy(env, c)
	if err != nil {
		return st, err
	}
	return st.withLogs(), nil
}

func overrides(c *cli.Context) []string {
	set := c.StringSlice("set")
	if c.IsSet("audit") {
		set = append(set, fmt.Sprintf("engine.audit=%t", c.Bool("audit")))
	}
	if limit := c.String("timeout"); limit != "" {
		set = append(set, "engine.timeout="+limit)
	}
	return set
}

func (st study) command(verb string, more ...string) string {
	return shellescape.QuoteCommand(append([]string{"schedsweep"}, st.args(verb, more...)...))
}

func (st study) args(verb string, more ...string) []string {
	args := []string{verb, st.path}
	if st.archive != "" && verb != isolatedVerb {
		if verb == "replay" { // takes no archive
			args[1] = filepath.Base(st.path)
		} else if args[1] = st.archive; st.small {
			args = append(args, "--small")
		}
	}
	for _, folder := range st.data {
		args = append(args, "--data", folder)
	}
	for _, s := range st.set {
		args = append(args, "--set", s)
	}
	if st.commands && (verb == "run" || verb == "simulate" || verb == "replay" || verb == "verify" || verb == isolatedVerb) {
		args = append(args, "--allow-commands")
	}
	return append(args, more...)
}

// checked refuses what [fits] refuses and controls that cannot be, and passes on what else there is to know.
func checked(env environment, st study) error {
	if err := fits(env, st); err != nil {
		return err
	}
	samples, err := sampling(st)
	if err == nil && len(st.manifest.Analysis.Controls) > 0 {
		err = input.CheckControls(st.plan, st.inputs)
	}
	for _, n := range samples {
		env.note(n)
	}
	return st.manifest.Placed(err)
}

// fits refuses combinations that make no sense, and passes on what there is to know of the others.
func fits(env environment, st study) error {
	notes, err := run.Check(st.plan, st.inputs)
	for _, n := range notes {
		env.note(n)
	}
	return st.manifest.Placed(err)
}

func outFlag() cli.Flag {
	return &cli.StringFlag{Name: "out", Usage: "the run `FOLDER` (default: results/runs/NAME, by the manifest's name)"}
}

func openRun(env environment, c *cli.Context) (study, error) {
	st, err := openStudy(env, c)
	if err != nil {
		return st, err
	}
	if err := ran(env, st); err != nil {
		return st, fmt.Errorf("%s: %w", c.Command.Name, err)
	}
	return st, nil
}

func ran(env environment, st study) error {
	if _, err := provenanceOf(env, st.dir); err != nil {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, folder.ErrBroken) {
			return err
		}
		return misuse("%w; run the manifest first: %s", err, st.command("run", outFlags(st.dir, st.manifest.Name)...))
	}
	frugal(env)
	return nil
}

// frugal is for verbs that read the rows of a run, which are long columns of numbers: these cost the collector nothing, so
// that it may run often. Half the memory of a million rows for a twentieth more time.
func frugal(env environment) {
	if env.getenv("GOGC") == "" {
		debug.SetGCPercent(20)
		untouched()
	}
}

// untouched counts as memory in use, so that a small heap may grow by a fifth of it, too. Nothing touches its pages, so that
// the system gives none.
var untouched = sync.OnceValue(func() []byte { return make([]byte, 32<<20) })

// provenanceOf reads a run folder's provenance and passes on what of it is lost.
func provenanceOf(env environment, dir string) (folder.Provenance, error) {
	p, err := folder.Read(dir)
	if p.Rebuilt != "" {
		env.note(p.Rebuilt)
	}
	return p, err
}

func waitFlag() cli.Flag {
	return &cli.GenericFlag{Name: "wait", Value: new(wait), Usage: "wait for a process at work in the folder, at most --wait=`DURATION`"}
}

func waiting(c *cli.Context) time.Duration { return time.Duration(*c.Generic("wait").(*wait)) }

// wait is a duration that may be left out, which means without an end.
type wait time.Duration

// IsBoolFlag tells the flag parser that the value may be missing.
func (*wait) IsBoolFlag() bool { return true }

func (w *wait) String() string {
	if *w == 0 {
		return ""
	}
	return time.Duration(*w).String()
}

// Set reads a duration, or what the flag parser puts for none.
func (w *wait) Set(text string) error {
	if text == "true" {
		*w = wait(store.Forever)
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("write a time above 0 such as 90s or 1h30m")
	}
	*w = wait(d)
	return nil
}

func defaultFolder(name string) string { return filepath.Join("results", "runs", name) }

func example(text string) string {
	return "Example:\n\n    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}
