package rows

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"strings"

	"schedsweep/harness/folder"
	"schedsweep/sim/metrics"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/text"
)

// Datasets are the datasets of runs, and the files of rows that verbs write.
func Datasets() []Dataset {
	all := []Dataset{{Name: folder.Instances, Doc: "one row per instance; a column for each axis comes between id and replication",
		Columns: newLayout(nil, metrics.Catalog()).schema}}
	byClass := text.Each(ClassMetrics([]manifest.Class{{Name: "CLASS"}}, nil), metricColumn)
	all = append(all, Dataset{Name: "classes", Doc: "further columns of instances for each class of jobs that the manifest declares, its " +
		"name in the place of CLASS. For a class without jobs the counts are 0 and all else is null. In a row that was made without the " +
		"class all is null", Columns: byClass})
	all = append(all, beside[0], Dataset{Name: "derived", Doc: "further columns of jobs in the files that simulate --jobs and export " +
		"--dataset jobs write: the quantities that figures are of", Columns: derivedSchema})
	all = append(all, beside[1:]...)
	return append(all, Dataset{Name: "evalys", Doc: "one row a job, as simulate --jobs and export --dataset jobs write it with --columns " +
		"evalys. Rows of a window of a log are also of the jobs around it, which metrics do not count", Columns: evalysSchema}, shares)
}

// datasetsHead is the text above the columns on the page of the datasets.
//
//go:embed datasets-head.md
var datasetsHead string

// WriteDatasets writes the page that documents datasets column by column, as Markdown.
func WriteDatasets(w io.Writer, all []Dataset) error {
	text := []byte(datasetsHead)
	for _, d := range all {
		text = fmt.Appendf(text, "\n## %s\n\n%s.\n\n| column | type | null | unit | definition |\n|---|---|---|---|---|\n", d.Name, d.Doc)
		for _, c := range d.Columns {
			null := "no"
			if c.Nullable {
				null = "yes"
			}
			text = fmt.Appendf(text, "| `%s` | %s | %s | %s | %s |\n", c.Name, c.Type, null, cmp.Or(c.Unit, "-"),
				strings.ReplaceAll(c.Doc, "|", "\\|"))
		}
	}
	_, err := w.Write(text)
	return err
}
