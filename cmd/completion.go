package cmd

import (
	"slices"
	"strings"

	"schedsweep/analysis/gantt"
	"schedsweep/harness/engine/jobfile"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sweep/text"

	"github.com/urfave/cli/v2"
)

// completionFlag as the last argument asks what could stand in its place.
const completionFlag = "--complete-here"

// completionScripts ask the program itself for what fits, so that they never
// fall behind it; where nothing fits, the shell completes file names.
var completionScripts = map[string]string{
	"bash": `_schedsweep() {
  local cur=${COMP_WORDS[COMP_CWORD]} words=("${COMP_WORDS[@]:0:COMP_CWORD}")
  [[ $cur == -* ]] && words+=("$cur")
  COMPREPLY=($(compgen -W "$("${words[@]}" ` + completionFlag + ` 2>/dev/null)" -- "$cur"))
}
complete -o bashdefault -o default -F _schedsweep schedsweep
`,
	"zsh": `#compdef schedsweep
_schedsweep() {
  local cur=${words[CURRENT]}
  local -a before=("${(@)words[1,CURRENT-1]}") fits
  [[ $cur == -* ]] && before+=("$cur")
  fits=("${(@f)$("${before[@]}" ` + completionFlag + ` 2>/dev/null)}")
  if [[ -n ${fits[1]} ]]; then compadd -a fits; else _files; fi
}
compdef _schedsweep schedsweep
`,
	"fish": `function __schedsweep_complete
    set -l words (commandline -opc)
    set -l cur (commandline -ct)
    string match -q -- '-*' $cur; and set -a words $cur
    $words ` + completionFlag + ` 2>/dev/null
end
complete -c schedsweep -a '(__schedsweep_complete)'
`,
}

var completionShells = []string{"bash", "zsh", "fish"}

func completionCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "completion",
		Usage:     "print a script that completes verbs, options and names in a shell",
		ArgsUsage: strings.Join(completionShells, " | "),
		Description: `Put the first line into your ~/.bashrc. For another shell, save its script
where that shell looks for completions.

` + example(`source <(schedsweep completion bash)
schedsweep completion zsh > "${fpath[1]}/_schedsweep"
schedsweep completion fish > ~/.config/fish/completions/schedsweep.fish`),
		Action: func(c *cli.Context) error {
			shell, err := oneArgument(c, "the shell")
			if err != nil {
				return err
			}
			script := completionScripts[shell]
			if script == "" {
				return misuse("there is no completion for %q; there is one for %s", shell, join(completionShells))
			}
			return env.printf("%s", script)
		},
	})
}

// fitting returns the completions of the words: verbs, the options that begin as the last word, or
// names; nil where file names do.
func fitting(app *cli.App, words []string) []string {
	if len(words) == 0 {
		return verbs(app.Commands)
	}
	command, name, given := (*cli.Command)(nil), "", words
	for under := app.Commands; len(under) > 0; under = command.Subcommands {
		if len(given) == 0 {
			return verbs(under)
		}
		at := slices.IndexFunc(under, func(c *cli.Command) bool { return c.HasName(given[0]) })
		if at < 0 {
			return nil
		}
		command, given = under[at], given[1:]
		name = strings.TrimSpace(name + " " + command.Name)
	}
	if len(given) > 0 {
		last := given[len(given)-1]
		if offer := optionNames[name+" "+last]; offer != nil {
			return offer()
		}
		if strings.HasPrefix(last, "-") {
			begun := func(name string) bool { return strings.HasPrefix(name, last) && name != last }
			return text.Those(append(options(command.Flags), "--help"), begun)
		}
	}
	if offer := argumentNames[name]; offer != nil {
		return offer(given)
	}
	return nil
}

// argumentNames are the names that arguments of verbs can be, behind the given ones.
var argumentNames = map[string]func(given []string) []string{
	"list":          listable,
	"completion":    first(func() []string { return completionShells }),
	"schema":        first(describedVerbs),
	"engine print":  first(jobfile.Names),
	"engine submit": first(jobfile.Names),
}

// optionNames are the names that values of options can be.
var optionNames = map[string]func() []string{
	"init --from":           starters,
	"export --dataset":      func() []string { return append([]string{folder.Instances}, rows.DatasetNames()...) },
	"gantt --by":            func() []string { return []string{gantt.ByJob, gantt.ByUser, gantt.BySize} },
	"workload redact --map": input.ShippedMaps,
}

// first offers names as the first argument alone.
func first(names func() []string) func(given []string) []string {
	return func(given []string) []string {
		if len(given) > 0 {
			return nil
		}
		return names()
	}
}

func verbs(commands []*cli.Command) []string {
	var names []string
	for _, c := range commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}
