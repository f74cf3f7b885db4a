package workload

import (
	"fmt"
)

// TableFile says which rows of which table are jobs. It is the part of the kind's
// parameters by which logs are shared.
type TableFile struct {
	Path string `sweep:"path" doc:"the table: CSV and the like (also .gz), PBS accounting, JSON, Parquet" required:"true" file:"input"`
	Map  string `sweep:"map" doc:"column map: one that is shipped, or a YAML file (schedsweep workload map)" required:"true" file:"input"`
	Zone string `sweep:"zone" doc:"clock of times without a zone, such as Europe/Rome, UTC or UTC-7; empty: the map's"`
	From string `sweep:"from" doc:"date from which submissions count, and time 0; empty: the first submission's"`
	To   string `sweep:"to" doc:"date before which submissions count; empty: all"`
}

type TableParams struct {
	TableFile
	LogRules
	Transforms
}

func (p *TableParams) Validate(report func(field, message string)) {
	if p.Path == "" {
		report("path", "is empty; name a table")
	}
	if p.Map == "" {
		report("map", "is empty; name a column map")
	}
	if p.Size == "property" {
		report("size", "property is for logs of 21 fields; take another")
	}
	p.LogRules.validate(report, &p.Transforms)
	p.Transforms.Validate(report)
}

func init() {
	add("table", "A job log in a table, such as an accounting dump or a published data set, by a column map.",
		TableParams{LogRules: defaultRules(), Transforms: logTransforms()}, func(p *TableParams, in Input) (Workload, error) {
			if in.Table == nil {
				return nil, fmt.Errorf("workload table: there is no access to tables, so %q cannot be read", p.Path)
			}
			log, err := in.Table(p.TableFile)
			if err != nil {
				return nil, err
			}
			return p.origin(log, in, false, p.Transforms)
		})
}
