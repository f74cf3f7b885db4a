package logtable

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sim/workload/swf"
)

// Fits returns the number of the map's columns in a table, 0 where one is missing without which the
// map cannot be used.
func (m *Map) Fits(columns []string) int {
	part := m.Only(columns)
	lacks := func(f Filter) bool { return !slices.Contains(columns, f.Column) && !slices.Contains(columns, f.Or) }
	if !part.complete() || slices.ContainsFunc(m.Filters, lacks) || m.States.Column != "" && !slices.Contains(columns, m.States.Column) {
		return 0
	}
	return len(part.Columns)
}

// Only is the map without the columns that a table lacks.
func (m *Map) Only(columns []string) *Map {
	part := *m
	part.Columns = slices.DeleteFunc(slices.Clone(m.Columns), func(c Column) bool { return !slices.Contains(columns, c.Column) })
	part.Free = slices.DeleteFunc(slices.Clone(m.Free), func(c string) bool { return !slices.Contains(columns, c) })
	return &part
}

// Separator is the one of the usual separators that a header has most of.
func Separator(header string) string {
	best, most := ",", 0
	for _, s := range []string{",", "|", "\t", ";"} {
		if n := strings.Count(header, s); n > most {
			best, most = s, n
		}
	}
	if best == "\t" {
		return "tab"
	}
	return best
}

// usual are names that columns have in many places, without case and signs.
var usual = map[string][]string{
	"id": {"jobid", "id", "jobidraw", "jobnumber", "job", "jid", "idjob"},
	"submit": {"submit", "submittime", "submission", "submissiontime", "timesubmit", "queued", "queuedtimestamp", "queuetime",
		"submittedtime", "qtime", "ctime", "arrival", "arrivaltime", "submitts"},
	"start":    {"start", "starttime", "timestart", "started", "starttimestamp", "begintime", "begin", "startts"},
	"end":      {"end", "endtime", "timeend", "ended", "endtimestamp", "finish", "finishtime", "endts", "stop", "stoptime"},
	"wait":     {"wait", "waittime", "queuewait", "waiting"},
	"run_time": {"runtime", "duration", "elapsed", "elapsedraw", "runtimeseconds", "runseconds"},
	"walltime": {"walltime", "timelimit", "timelimitraw", "wallclockreq", "requestedtime", "walltimeseconds", "reqwalltime", "limit",
		"reqtime"},
	"soft_walltime": {"softwalltime", "timemin"},
	"processors": {"processors", "processorsreq", "procs", "cpus", "ncpus", "reqcpus", "cores", "coresrequested", "numcoresreq",
		"numcpusreq", "cpunum", "reqprocs", "corecount", "slots", "nbresources"},
	"allocated": {"alloccpus", "cpusalloc", "coresused", "numcoresalloc", "numcpusalloc", "allocatedprocs", "processorsalloc"},
	"nodes": {"nodes", "nodesreq", "reqnodes", "nnodes", "nodesrequested", "numnodesreq", "nodenum", "allocnodes", "numnodes",
		"nodecount"},
	"gpus":      {"gpus", "gpusreq", "numgpusreq", "gpunum", "ngpus", "gpucount"},
	"user":      {"user", "username", "userid", "uid", "usr", "hasheduserid", "owner", "usernamegenid", "iduser"},
	"group":     {"group", "groupid", "gid", "groupname", "idgroup"},
	"account":   {"account", "project", "projectname", "projectnamegenid", "accountname"},
	"queue":     {"queue", "queuename", "qos", "class"},
	"partition": {"partition", "partitionname", "vc", "cluster"},
	"preceding": {"dependency", "precedingjob"},
}

// Guess proposes a map for a table of these columns and first rows. It may lack what a map must have: the user
// completes it.
func Guess(columns []string, rows [][]string) *Map {
	m := Default()
	plain := func(name string) string {
		return strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, strings.ToLower(name))
	}
	for _, field := range fieldNames {
		for i, column := range columns {
			if !slices.Contains(usual[field], plain(column)) {
				continue
			}
			c := Column{Field: field, Column: column}
			if fits := units[field]; !slices.Contains(fits, "") {
				c.Unit = unitOf(fits, column, sampleOf(rows, i))
			}
			m.Columns = append(m.Columns, c)
			if field == "id" && steps(sampleOf(rows, i)) && len(m.Filters) == 0 {
				m.Filters = []Filter{{Column: column, Lacks: "."}}
			}
		}
	}
	for i, column := range columns {
		if p := plain(column); (p == "state" || p == "status" || p == "jobstate" || p == "exitstate") && m.States.Column == "" {
			m.States.Column = column
			for _, v := range sampleOf(rows, i) {
				v, _, _ = strings.Cut(v, " ")
				if list := m.States.listOf(v); list != nil && !slices.Contains(*list, v) {
					*list = append(*list, v)
				}
			}
		}
	}
	return &m
}

// steps reports whether some rows are of steps of a job: 12.batch and 12.0 behind 12, as sacct has them without -X.
func steps(ids []string) bool {
	jobs := map[string]bool{}
	for _, id := range ids {
		if job, _, step := strings.Cut(id, "."); step && jobs[job] {
			return true
		}
		jobs[id] = true
	}
	return false
}

// What final states are called, in small letters, and those of jobs that have not ended.
var (
	completedState = regexp.MustCompile(`^(compl.*|pass|done|finished|success|terminated)$`) // the last is OAR's
	openState      = regexp.MustCompile(`^(run|pend|queue|susp)`)
	cancelledState = regexp.MustCompile(`^(cancel|kill)`)
)

// listOf is the list that a state belongs to, nil of a job that has not ended.
func (s *States) listOf(state string) *[]string {
	switch state = strings.ToLower(state); {
	case completedState.MatchString(state):
		return &s.Completed
	case openState.MatchString(state):
		return nil
	case cancelledState.MatchString(state):
		return &s.Cancelled
	}
	return &s.Failed
}

func sampleOf(rows [][]string, column int) []string {
	var out []string
	for _, r := range rows {
		if column < len(r) {
			if c := (Cell{Text: []byte(r[column])}); !c.null() {
				out = append(out, r[column])
			}
		}
	}
	return out
}

// unitOf is the unit in which all samples of a column can be read.
func unitOf(units []string, column string, samples []string) string {
	all := func(read func(b []byte) bool) bool {
		return len(samples) > 0 && !slices.ContainsFunc(samples, func(s string) bool { return !read([]byte(s)) })
	}
	switch units[0] {
	case "date":
		if all(func(b []byte) bool { _, _, ok := date(b, true); return ok }) {
			return "us-date"
		}
		least := math.Inf(1)
		if all(func(b []byte) bool { x, ok := swf.Decimal(b); least = min(least, x); return ok && x >= 0 }) {
			return epochOf(least)
		}
	case "s":
		if all(func(b []byte) bool {
			_, ok := Duration(b)
			return endless(b) || ok && strings.ContainsRune(string(b), ':')
		}) {
			return "clock"
		}
		if column == "TimelimitRaw" || strings.Contains(strings.ToLower(column), "min") {
			return "min"
		}
	}
	return units[0]
}

// yaml is the column in flow style.
func (c *Column) yaml() string {
	text := "{field: " + c.Field + ", column: " + strconv.Quote(c.Column)
	if c.Unit != "" {
		text += ", unit: " + c.Unit
	}
	if c.Key != "" {
		text += ", key: " + strconv.Quote(c.Key)
	}
	return text + "}"
}

// Write writes the map as YAML, each column with one of its values, where that is no person's name.
func (m *Map) Write(w io.Writer, notes []string, columns []string, rows [][]string) error {
	var b strings.Builder
	for _, n := range notes {
		b.WriteString("# " + n + "\n")
	}
	line := func(key, value, unless string) {
		if value != unless {
			b.WriteString(key + ": " + value + "\n")
		}
	}
	q := strconv.Quote
	list := func(of []string) string {
		quoted := make([]string, len(of))
		for i, s := range of {
			quoted[i] = q(s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	line("doc", q(m.Doc), q(""))
	line("source", q(m.Source), q(""))
	line("format", m.Format, "")
	if m.Format == "csv" {
		line("separator", q(m.Separator), "")
		line("quotes", strconv.FormatBool(m.Quotes), "")
	}
	line("header", list(m.Header), "[]")
	if m.Zone != "" {
		line("zone", q(m.Zone), "")
	} else {
		b.WriteString("# zone: UTC        # the clock of times without a zone, such as Europe/Rome, UTC or UTC-7; or workload.zone\n")
	}
	b.WriteString("columns:\n")
	used := []string{m.States.Column}
	for _, c := range m.Columns {
		used = append(used, c.Column)
		b.WriteString("  - " + c.yaml())
		private := c.Field == "user" || c.Field == "group" || c.Field == "account"
		if s := sampleOf(rows, slices.Index(columns, c.Column)); !private && slices.Contains(columns, c.Column) && len(s) > 0 {
			fmt.Fprintf(&b, "   # such as %q", cut(s[0], 40))
		}
		b.WriteString("\n")
	}
	if len(m.Filters) > 0 {
		b.WriteString("filters:\n")
		for _, f := range m.Filters {
			used = append(used, f.Column, f.Or)
			b.WriteString("  - {column: " + q(f.Column))
			if f.Or != "" {
				b.WriteString(", or: " + q(f.Or))
			}
			if len(f.Is) > 0 {
				b.WriteString(", is: " + list(f.Is))
			}
			if len(f.Not) > 0 {
				b.WriteString(", not: " + list(f.Not))
			}
			if f.Lacks != "" {
				b.WriteString(", lacks: " + q(f.Lacks))
			}
			b.WriteString("}\n")
		}
	}
	if m.States.Column != "" {
		b.WriteString("states:\n  column: " + q(m.States.Column) + "\n")
		for _, s := range []struct {
			name string
			of   []string
		}{{"completed", m.States.Completed}, {"failed", m.States.Failed}, {"cancelled", m.States.Cancelled}} {
			if len(s.of) > 0 {
				b.WriteString("  " + s.name + ": " + list(s.of) + "\n")
			}
		}
	}
	line("free", list(m.Free), "[]")
	var unused []string
	for _, c := range columns {
		if !slices.Contains(used, c) && c != "" {
			unused = append(unused, c)
		}
	}
	if len(unused) > 0 {
		b.WriteString("# columns not used: " + strings.Join(unused, ", ") + "\n")
	}
	m.writeDoubts(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeDoubts writes what the user must complete or check.
func (m *Map) writeDoubts(b *strings.Builder) {
	m.Validate(func(field, message string) { fmt.Fprintf(b, "# to be completed: %s %s\n", field, message) })
	if limit := slices.IndexFunc(m.Columns, func(c Column) bool { return c.Field == "walltime" }); limit >= 0 && !m.timed() {
		fmt.Fprintf(b, "# to be checked: %s may be the run time of jobs and not their limit\n", m.Columns[limit].Column)
	}
}

func cut(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
