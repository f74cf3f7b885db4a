package swf

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"schedsweep/sim"
)

// TodayFields is the number of fields of a line with the three that AleaNG adds:
// GPUs, soft walltime, required property.
const TodayFields = 21

// named are the fields whose numbers stand for names, so that names may stand
// there themselves.
var named = [Fields]bool{11: true, 12: true, 13: true, 14: true, 15: true}

// read takes in the values of a line, and returns the fault of the line, nil if it has none. Logs of today have 21
// fields, names instead of their numbers, a job number with the number of its array behind, and decimal commas.
func (p *parser) read(line []byte) *LineError {
	n, plain, bad := scan(line, &p.values)
	if bad == nil && n == Fields && (plain || p.fit()) {
		return nil
	}
	p.odd = true
	mistake := func(field int, token []byte, problem string) *LineError {
		return &LineError{Name: p.log.Name, Line: p.line, Field: field, Text: excerpt(token), Problem: problem, short: field == 0}
	}
	tokens := bytes.Fields(line)
	switch {
	case len(tokens) == Fields || len(tokens) == TodayFields:
	case bad != nil:
		return mistake(n+1, bad, noNumber(n))
	case n < Fields:
		return mistake(0, line, fmt.Sprintf("the number of fields is %d, and that of an SWF line %d", n, Fields))
	default:
		return mistake(0, line, fmt.Sprintf("the line has more than the %d fields of an SWF line", Fields))
	}
	x := noExtra
	for i, token := range tokens {
		if i == TodayFields-1 {
			p.property(string(token), &x)
			continue
		}
		v, problem := p.value(i, token)
		if problem != "" {
			return mistake(i+1, token, problem)
		}
		switch i {
		case Fields:
			x.GPUs = int32(v)
		case Fields + 1:
			x.SoftWalltime = v
		default:
			p.values[i] = v
		}
	}
	if len(tokens) == TodayFields {
		for len(p.log.extras) < p.log.size {
			p.log.extras = append(p.log.extras, noExtra)
		}
		p.log.extras = append(p.log.extras, x)
	}
	return nil
}

// fit reports whether all values are what their fields can hold.
func (p *parser) fit() bool {
	for i, x := range p.values {
		if misfit(i, x) != "" {
			return false
		}
	}
	return true
}

func (p *parser) value(field int, token []byte) (v float64, problem string) {
	if field == 0 {
		if at := bytes.IndexByte(token, '['); at > 0 && token[len(token)-1] == ']' && digits(token[at+1:len(token)-1]) {
			token = token[:at]
		}
	}
	v, ok := Number(token)
	if !ok && !whole[field] {
		v, ok = Decimal(token)
	}
	switch {
	case ok:
		return v, misfit(field, v)
	case !whole[field] && Grouped(token):
		return 0, "either thousands or a decimal comma: write it without a comma, or with a point"
	case field < Fields && named[field]:
		// a name: numbers at the lowest end of the range, until names and numbers of the field are numbered together
		return float64(math.MinInt32 + p.labels[field].Number(token)), ""
	}
	return 0, noNumber(field)
}

func noNumber(field int) string {
	if field == 0 {
		return "not a number (the lines of an SWF log hold 18 numbers)"
	}
	return "not a number"
}

func digits(text []byte) bool {
	for _, c := range text {
		if c-'0' > 9 {
			return false
		}
	}
	return len(text) > 0
}

// property takes "normal:excl:3x112" apart: what the nodes must have, whether the job shares them, and how many of how many cores. Nodes of
// all clusters do for "all".
func (p *parser) property(text string, x *Extra) {
	parts := strings.Split(text, ":")
	if parts[0] != "-1" && parts[0] != "all" {
		x.Property = p.properties.number(parts[0])
	}
	for _, part := range parts[1:] {
		if part == "excl" {
			p.log.count(WholeNodes, Kept, "a partition with allocate: whole gives them", p.line)
		}
		if nodes, cores, ok := NodesAndCores(part); ok {
			x.Nodes, x.Required = nodes, nodes*cores
		}
	}
}

// NodesAndCores reads a number of nodes and that of their cores, such as 3x112.
func NodesAndCores(text string) (nodes, cores int32, ok bool) {
	before, behind, _ := strings.Cut(text, "x")
	n, err1 := strconv.ParseInt(before, 10, 32)
	c, err2 := strconv.ParseInt(behind, 10, 32)
	return int32(n), int32(c), err1 == nil && err2 == nil && n > 0 && c > 0 && n*c <= math.MaxInt32
}

// A Dictionary numbers names from 0 in the order in which they come. The zero
// value is empty.
type Dictionary struct {
	// Names are they, each at the place of its number.
	Names   []string
	numbers map[string]int32
	last    int32 // the last requested one
}

func (d *Dictionary) Number(name []byte) int32 {
	if int(d.last) < len(d.Names) && d.Names[d.last] == string(name) {
		return d.last
	}
	n, ok := d.numbers[string(name)]
	if !ok {
		n = d.number(string(name))
	}
	d.last = n
	return n
}

func (d *Dictionary) number(name string) int32 {
	if n, ok := d.numbers[name]; ok {
		return n
	}
	if d.numbers == nil {
		d.numbers = map[string]int32{}
	}
	n := int32(len(d.Names))
	d.numbers[name] = n
	d.Names = append(d.Names, name)
	return n
}

// relabel numbers the contents of a field with names in order of appearance, also numbers among the names.
func (p *parser) relabel(field int, of func(*Record) *int32) []string {
	labels := p.labels[field].Names
	if len(labels) == 0 {
		return nil
	}
	var all Dictionary
	for _, block := range p.log.records {
		for i := range block {
			v := of(&block[i])
			switch at := int64(*v) - math.MinInt32; {
			case at < int64(len(labels)):
				*v = all.number(labels[at])
			case *v < 0:
				*v = -1
			default:
				*v = all.number(strconv.Itoa(int(*v)))
			}
		}
	}
	return all.Names
}

func (p *parser) names() {
	n := &p.log.Names
	n.Users = p.relabel(11, func(r *Record) *int32 { return &r.User })
	n.Groups = p.relabel(12, func(r *Record) *int32 { return &r.Group })
	p.relabel(13, func(r *Record) *int32 { return &r.Executable })
	n.Queues = p.relabel(14, func(r *Record) *int32 { return &r.Queue })
	n.Partitions = p.relabel(15, func(r *Record) *int32 { return &r.Partition })
	n.Properties = p.properties.Names
	for len(p.log.extras) > 0 && len(p.log.extras) < p.log.size {
		p.log.extras = append(p.log.extras, noExtra)
	}
}

// SideFiles are the endings of the files that AleaNG puts beside a log.
var SideFiles = []string{".machines", ".users", ".groups", ".queues"}

// ReadSideFile takes in a file beside the log, before the log is shared: names of
// users, groups and queues for their numbers, or of clusters, whose nodes times CPUs
// are the machine's size where the header does not say it. Fields are separated by
// tabs; lines that begin with a semicolon are comments.
func (l *Log) ReadSideFile(ending string, r io.Reader) error {
	names := map[string]*[]string{".users": &l.Names.Users, ".groups": &l.Names.Groups, ".queues": &l.Names.Queues}[ending]
	name := l.Name + ending
	procs := int64(0)
	lines := bufio.NewScanner(r)
	for at := 1; lines.Scan(); at++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == ';' {
			continue
		}
		fields := strings.Split(line, "\t")
		number := func(i int, what string, most int64) (int64, error) {
			if i >= len(fields) {
				return 0, fmt.Errorf("%s:%d: the line has %d fields, separated by tabs; field %d is to be %s", name, at, len(fields), i+1, what)
			}
			n, err := strconv.ParseInt(strings.TrimSpace(fields[i]), 10, 64)
			if err != nil || n < 0 || n > most {
				return 0, fmt.Errorf("%s:%d: field %d (%s) is %q; it is to be a whole number from 0 to %d", name, at, i+1, what,
					excerpt([]byte(fields[i])), most)
			}
			return n, nil
		}
		if ending == ".machines" {
			nodes, err := number(2, "nodes", math.MaxInt32)
			if err != nil {
				return err
			}
			cpus, err := number(3, "CPUs", math.MaxInt32)
			if err != nil {
				return err
			}
			if procs += nodes * cpus; procs > math.MaxInt32 {
				return fmt.Errorf("%s:%d: the clusters have more than %d processors", name, at, math.MaxInt32)
			}
			continue
		}
		n, err := number(0, "number", 1<<20)
		if err != nil {
			return err
		}
		if len(fields) < 2 {
			return fmt.Errorf("%s:%d: there is no name in field 2", name, at)
		}
		*sim.Entry(names, int32(n)) = strings.TrimSpace(fields[1])
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if l.Header.Procs() == 0 && procs > 0 {
		l.Header.Lines = append(l.Header.Lines, "MaxProcs: "+strconv.FormatInt(procs, 10))
	}
	return nil
}
