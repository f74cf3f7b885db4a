package cmd

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
	"schedsweep/sweep/schema"
)

// schemas describe what verbs print with --json, one file a verb; parts.json has the
// $defs of all.
//
//go:embed schemas/*.json
var schemas embed.FS

// sharedParts is the file of what several schemas refer to.
const sharedParts = "parts"

// describedVerbs are the verbs whose output has a schema.
func describedVerbs() []string {
	files, _ := schemas.ReadDir("schemas") // embedded: it is there
	var out []string
	for _, f := range files {
		if name := strings.TrimSuffix(f.Name(), ".json"); name != sharedParts {
			out = append(out, name)
		}
	}
	return out
}

// outputSchema is the JSON Schema of what a verb prints with --json.
func outputSchema(verb string) ([]byte, error) {
	var all [2]struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	whole := map[string]json.RawMessage{}
	for i, name := range []string{verb, sharedParts} {
		text, err := schemas.ReadFile("schemas/" + name + ".json")
		if err == nil {
			err = json.Unmarshal(text, &all[i])
		}
		if err == nil && i == 0 {
			err = json.Unmarshal(text, &whole)
		}
		if err != nil {
			return nil, fmt.Errorf("schema of %s --json: %w", verb, err)
		}
	}
	defs := all[1].Defs
	maps.Copy(defs, all[0].Defs)
	var err error
	if whole["$defs"], err = json.Marshal(defs); err != nil {
		return nil, fmt.Errorf("schema of %s --json: %w", verb, err)
	}
	return json.MarshalIndent(whole, "", "  ")
}

func schemaCommand(env environment) *cli.Command {
	verbs := strings.Join(describedVerbs(), ", ")
	return verb(cli.Command{
		Name:      "schema",
		Usage:     "print the JSON Schema of manifests, or of what a verb prints with --json",
		ArgsUsage: "[VERB]",
		Description: `Editors complete and check manifests by it. With a verb it is that of the
output of this verb with --json: ` + verbs + `.
Each has a version, which rises where a field changes its name or meaning;
fields may be added without.

` + example(`schedsweep schema > schedsweep.schema.json
schedsweep schema claims > claims.schema.json`),
		Action: func(c *cli.Context) error {
			name := c.Args().First()
			var text []byte
			var err error
			switch {
			case c.NArg() == 0:
				text, err = schema.JSON(harness.Registry())
			case c.NArg() == 1 && slices.Contains(describedVerbs(), name):
				text, err = outputSchema(name)
			default:
				return misuse("schedsweep schema takes no argument, or one of %s, and got %q", verbs, strings.Join(c.Args().Slice(), " "))
			}
			if err != nil {
				return err
			}
			return env.printf("%s\n", text)
		},
	})
}
