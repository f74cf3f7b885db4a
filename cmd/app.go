package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/sweep/text"
)

// environment is everything outside the process that the command touches, so
// that tests can run the whole command in their own process.
type environment struct {
	args           []string
	stdout, stderr io.Writer
	getenv         func(string) string
	interrupts     func() <-chan os.Signal // begins to listen
}

func (e environment) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(e.stdout, format, args...)
	return err
}

func (e environment) note(text string) { e.tell("note: " + text) }

func (e environment) terminal() bool { return terminal(e.stderr) }

func execute(env environment) int {
	results := &outlet{to: env.stdout}
	stdout, stderr := &visible{to: results}, &visible{to: env.stderr}
	defer stdout.end()
	defer stderr.end()
	env.stdout, env.stderr = stdout, stderr
	app := newApp(env)
	args := env.args
	if n := len(args); n > 1 && args[n-1] == completionFlag {
		for _, name := range fitting(app, args[1:n-1]) {
			fmt.Fprintln(env.stdout, name)
		}
		return exitDone
	}
	if len(args) > 1 && (args[1] == "--version" || args[1] == "-version") {
		args = []string{args[0], "version"} // before any argument
	}
	cli.FlagStringer = optionHelp
	cli.HelpPrinter = func(w io.Writer, template string, data any) {
		var page strings.Builder
		cli.HelpPrinterCustom(&page, template, data, nil)
		fmt.Fprint(w, fitted(strings.ReplaceAll(page.String(), "[command options]", "[options]"), env.screen()))
	}
	err := app.Run(permute(app, args))
	if results.cut != nil && !errors.Is(err, results.cut) { // some verbs print lines and do not check the error
		err = errors.Join(err, results.cut)
	}
	return report(env, err)
}

func newApp(env environment) *cli.App {
	return &cli.App{
		Name:      "schedsweep",
		Usage:     "parameter sweeps of parallel-job scheduling simulations",
		UsageText: "schedsweep VERB [options] [arguments]",
		Description: `A manifest (YAML) expands into seeded simulation instances. A pool of workers
runs them and writes rows to Parquet files. The analysis turns rows into
statistics, trendlines and figures.

Start with:

    schedsweep init sweep.yaml       write a manifest to begin with
    schedsweep plan sweep.yaml       see what it would run
    schedsweep run sweep.yaml        run it, and go on after any interruption
    schedsweep analyze sweep.yaml    tables and figures
    schedsweep claims sweep.yaml     compare results with published values
    schedsweep report sweep.yaml     all of it as one page

` + exitCodesHelp,
		HideVersion: true,
		// Values hold commas: lists and maps in YAML.
		DisableSliceFlagSeparator: true,
		HideHelpCommand:           true,
		Writer:                    env.stdout,
		ErrWriter:                 env.stderr,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              usage,
		Action: func(c *cli.Context) error {
			first := c.Args().First()
			switch {
			case first == "help": // as other programs have it
				return c.App.Run(append([]string{c.App.Name}, append(c.Args().Tail(), "--help")...))
			case first != "" && isFile(first):
				return misuse("%s is no verb; the verb comes first: schedsweep run %[1]s", first)
			case first != "":
				return misuse("there is no verb %q; %s", first, text.MeantOneOf(first, verbs(c.App.Commands)))
			}
			return cli.ShowAppHelp(c)
		},
		// For the help only: execute turns it into the verb.
		Flags: []cli.Flag{&cli.BoolFlag{Name: "version", Usage: "print the version", DisableDefaultText: true}},
		Commands: []*cli.Command{
			initCommand(env), validateCommand(env), planCommand(env), runCommand(env), engineCommand(env), shardCommand(env), statusCommand(env),
			mergeCommand(env), exportCommand(env), analyzeCommand(env), claimsCommand(env), fidelityCommand(env), reportCommand(env),
			serveCommand(env), packCommand(env), compareCommand(env),
			simulateCommand(env), explainCommand(env), replayCommand(env), verifyCommand(env), ganttCommand(env), workloadCommand(env),
			platformCommand(env), listCommand(env), schemaCommand(env), completionCommand(env), versionCommand(env), isolatedCommand(env),
		},
	}
}

// usage marks the errors that the flag parser finds, and names the option that
// was meant.
func usage(c *cli.Context, err error, _ bool) error {
	flags := c.App.Flags
	if c.Command != nil && c.Command.Name != "" {
		flags = c.Command.Flags
	}
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return misuse("%s", optionMistake(err.Error(), flags))
	}
	bare := strings.TrimLeft(name, "-")
	if name = "--" + bare; len(bare) == 1 {
		name = "-" + bare
	}
	if near := text.Nearest(bare, text.Each(flags, func(f cli.Flag) string { return f.Names()[0] })); near != "" {
		return misuse("there is no option %s; did you mean --%s?", name, near)
	}
	return misuse("there is no option %s; the options are %s", name, join(options(flags)))
}

// optionMistake rewrites a message of the flag parser with options as people write them.
func optionMistake(said string, flags []cli.Flag) string {
	if name, bare := strings.CutPrefix(said, "flag needs an argument: -"); bare {
		return "--" + strings.TrimLeft(name, "-") + " needs a value"
	}
	parts := badValue.FindStringSubmatch(said)
	if parts == nil {
		return said
	}
	value, name, why := parts[1], parts[2], parts[3]
	if why == "parse error" {
		why = "want " + wanted(flags, name)
	}
	return fmt.Sprintf("--%s %s: %s", name, value, why)
}

// wanted names the values of an option that is not text.
func wanted(flags []cli.Flag, name string) string {
	i := slices.IndexFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 {
		return "another value; see --help"
	}
	switch flags[i].(type) {
	case *cli.BoolFlag:
		return "true or false"
	case *cli.DurationFlag:
		return "a duration such as 90s or 1h30m"
	case *cli.Float64Flag:
		return "a number"
	default:
		return "a whole number"
	}
}

var badValue = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-+(\S+): (.*)$`)

func options(flags []cli.Flag) []string {
	return text.Each(flags, func(f cli.Flag) string { return "--" + f.Names()[0] })
}

func verb(c cli.Command) *cli.Command {
	c.OnUsageError = usage
	c.HideHelpCommand = true
	c.Description = flowing(c.Description)
	return &c
}

// flowing returns a text whose paragraphs are a line each, for help is folded to the width of the screen.
// Indented text stays as it is.
func flowing(s string) string {
	var b strings.Builder
	before := ""
	for i, line := range strings.Split(s, "\n") {
		switch {
		case i == 0:
		case line == "" || before == "" || line[0] == ' ' || before[0] == ' ':
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
		b.WriteString(line)
		before = line
	}
	return b.String()
}

func group(c cli.Command) *cli.Command {
	names := text.Each(c.Subcommands, func(sub *cli.Command) string { return sub.Name })
	c.Action = func(ctx *cli.Context) error {
		if ctx.Args().Present() {
			return misuse("there is no verb %q of %s; valid: %s", ctx.Args().First(), c.Name, join(names))
		}
		return cli.ShowSubcommandHelp(ctx)
	}
	return verb(c)
}

func join(names []string) string { return strings.Join(names, ", ") }

// given returns the number of arguments. It lists several, because a value that was meant for an option may be among them.
func given(c *cli.Context) string {
	if c.NArg() < 2 {
		return strconv.Itoa(c.NArg())
	}
	return fmt.Sprintf("%d: %s", c.NArg(), strings.Join(text.Each(c.Args().Slice(), text.Quote), " "))
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

func oneArgument(c *cli.Context, what string) (string, error) {
	if c.NArg() != 1 {
		return "", misuse("%s takes one argument, %s, and got %s; see %s --help", c.Command.Name, what, given(c), c.Command.HelpName)
	}
	return c.Args().First(), nil
}

// printer keeps the first error of many prints, so that output lines need no
// check each.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// permute moves flags before arguments, so that they may stand in any order:
// the flag parser stops at the first argument. "--" ends the flags.
func permute(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	out := args[:1:1]
	rest := args[1:]
	commands, flags := app.Commands, app.Flags
	for len(rest) > 0 {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(rest[0]) })
		if i < 0 {
			break
		}
		out = append(out, rest[0])
		commands, flags, rest = commands[i].Subcommands, commands[i].Flags, rest[1:]
	}
	var values []string
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		if arg == "--" {
			values = append(values, rest...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			values = append(values, arg)
			continue
		}
		if slices.Contains(cli.HelpFlag.Names(), strings.TrimLeft(arg, "-")) {
			switch { // an argument would be taken for the topic of the help
			case commands == nil:
				return append(out, arg)
			case len(values) > 0:
				continue // there is no such verb
			}
		}
		out = append(out, arg)
		if !strings.Contains(arg, "=") && takesValue(flags, strings.TrimLeft(arg, "-")) {
			if len(rest) == 0 {
				return out // an argument after it would be taken for its value
			}
			out = append(out, rest[0])
			rest = rest[1:]
		}
	}
	if slices.ContainsFunc(values, func(v string) bool { return strings.HasPrefix(v, "-") && v != "-" }) {
		out = append(out, "--")
	}
	return append(out, values...)
}

func takesValue(flags []cli.Flag, name string) bool {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			if g, ok := f.(*cli.GenericFlag); ok {
				_, optional := g.Value.(interface{ IsBoolFlag() bool })
				return !optional
			}
			_, isBool := f.(*cli.BoolFlag)
			return !isBool
		}
	}
	return false
}
