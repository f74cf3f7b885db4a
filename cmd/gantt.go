package cmd

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/gantt"
	"schedsweep/harness/store"
)

func ganttCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "gantt",
		Usage:     "draw schedules: processors over time",
		ArgsUsage: "FILE [FILE ...]",
		Description: `Draws the schedules that simulate --jobs writes, or any CSV with the columns
job_id, start, finish and allocated (Batsim's too). They are side by side on the
same axes, each under its file's name. It also draws the traces (.jsonl) that
simulate and replay write with --trace: preempted and requeued jobs are in
pieces, and nodes that are off, boot or shut down are grey (--load adds the
power). It draws the shares of sites over time that simulate --shares writes
(columns site, job, from, to, share) too. Of more than 3000 rectangles it draws
how dense they are, and ignores --by.

` + example(`schedsweep simulate manifests/blanco2012.yaml --jobs OAS.csv
schedsweep gantt OAS.csv --clusters 4,4,4 --slot 335000 --to schedule.svg
schedsweep replay manifests/quickstart.yaml 17 --trace t.jsonl
schedsweep gantt t.jsonl --by size --load --to schedule.svg`),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "to", Usage: "`FILE`, .svg, .pdf, .png or .csv"},
			&cli.StringFlag{Name: "clusters", Usage: "mark clusters of N processors each, and jobs on several: `N,N,...`"},
			&cli.StringFlag{Name: "by", Usage: "`QUANTITY` that colours show: job, user or size", Value: gantt.ByJob},
			&cli.BoolFlag{Name: "load", Usage: "draw queue length and busy processors beneath"},
			&cli.Float64Flag{Name: "from", Usage: "draw the part of the time that begins at `SECONDS`"},
			&cli.Float64Flag{Name: "until", Usage: "draw the part of the time that ends at `SECONDS` (default: the last end)"},
			&cli.Float64Flag{Name: "slot", Usage: "mark slots of `SECONDS` each"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return misuse("gantt: name at least one file of jobs, such as simulate --jobs writes")
			}
			o := gantt.Options{Slot: c.Float64("slot"), By: c.String("by"), Load: c.Bool("load"),
				From: c.Float64("from"), To: c.Float64("until")}
			for _, n := range strings.FieldsFunc(c.String("clusters"), func(r rune) bool { return r == ',' }) {
				k, err := strconv.Atoi(n)
				if err != nil || k < 1 {
					return misuse("gantt --clusters %s: give numbers of processors of at least 1, such as 4,4,4", c.String("clusters"))
				}
				o.Clusters = append(o.Clusters, k)
			}
			if !(o.Slot >= 0) {
				return misuse("gantt --slot %g: it must be at least 0", o.Slot)
			}
			to, err := needed(c, "to")
			if err != nil {
				return err
			}
			ext := filepath.Ext(to)
			form := figure.FormOf(ext)
			if form == nil {
				return misuse("gantt --to %s: the ending of the name chooses the format; use .svg, .pdf, .png or .csv", to)
			}
			var schedules []*gantt.Schedule
			old, _ := os.Stat(to) // none, as a rule
			for _, path := range c.Args().Slice() {
				if info, err := os.Stat(path); err == nil && old != nil && os.SameFile(info, old) {
					return misuse("gantt --to %s: the drawing would replace the schedule that it is of; write it to another file", to)
				}
				s, err := readSchedule(path)
				if err != nil {
					return err
				}
				schedules = append(schedules, s)
			}
			nameApart(schedules, c.Args().Slice())
			f, err := gantt.Draw(strings.TrimSuffix(filepath.Base(to), ext), schedules, o)
			if err != nil {
				return misuse("gantt: %w", err)
			}
			return store.ReplaceFile(to, func(w io.Writer) error { return form.Write(f, w) })
		},
	})
}

// nameApart titles schedules whose files have the same name by their paths.
func nameApart(schedules []*gantt.Schedule, paths []string) {
	seen := map[string]int{}
	for _, s := range schedules {
		seen[s.Title]++
	}
	for i, s := range schedules {
		if seen[s.Title] > 1 {
			s.Title = paths[i]
		}
	}
}

func readSchedule(path string) (*gantt.Schedule, error) {
	r, err := store.OpenRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, misuse("gantt: there is no file %s; simulate --jobs and export --dataset jobs write schedules", path)
	}
	if err != nil {
		return nil, misuse("gantt: %w", err)
	}
	defer r.Close()
	read := gantt.Read
	if filepath.Ext(path) == ".jsonl" {
		read = gantt.ReadTrace
	}
	s, err := read(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), r)
	if err != nil {
		return nil, misuse("gantt: %w", err)
	}
	return s, nil
}
