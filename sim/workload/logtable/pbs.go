package logtable

import (
	"bytes"
	"io"
	"slices"
	"strconv"

	"schedsweep/sim/workload/lines"
	"schedsweep/sim/workload/swf"
)

// PBS is a table of accounting records: "date;type;id;key=value key=value". Its columns
// are date, type, jobid, the keys that the map asks for, and three that are computed:
//
//   - exec_host.slots is the number of slots in exec_host.
//   - exec_host.processors is this number, or Resource_List.ncpus where that is more. A default ncpus of 1 may stand beside
//     nodes=2:ppn=8, and jobs of ncpus=8 may have one slot. On Cray machines exec_host may be the node that starts the job. Its
//     processing elements are mppwidth, with mppdepth processors each.
//   - Resource_List.nodes.gpus is the number of GPUs of all nodes in nodes=2:ppn=8:gpus=1.
type PBS struct {
	lines   *lines.Reader
	columns []string
	use     []int
	cells   []Cell
	found   Found
	slots   []byte
}

// NewPBS reads accounting records, plain or compressed by gzip.
func NewPBS(name string, r io.Reader, m *Map) (*PBS, error) {
	l, err := lines.NewReader(name, r, text)
	if err != nil {
		return nil, err
	}
	// A record has the keys that it has: the columns are those which the map knows.
	p := &PBS{lines: l, columns: []string{"date", "type", "jobid"}}
	for _, name := range m.names() {
		if !slices.Contains(p.columns, name) {
			p.columns = append(p.columns, name)
		}
	}
	return p, nil
}

func (p *PBS) Columns() []string { return p.columns }

func (p *PBS) Use(columns []int, _ Fit, found Found) {
	p.use, p.found, p.cells = columns, found, make([]Cell, len(columns))
}

func (p *PBS) Next() ([]Cell, int, error) {
	for {
		line, err := p.lines.Next()
		if err != nil {
			return nil, 0, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		parts := bytes.SplitN(line, []byte(";"), 4)
		if len(parts) != 4 {
			p.found("no accounting record", swf.Dropped, "not date;type;id;message", p.lines.Line())
			continue
		}
		for k, col := range p.use {
			c := &p.cells[k]
			*c = Cell{}
			if col < 3 {
				c.Text = parts[col]
				continue
			}
			switch name := p.columns[col]; name {
			case "exec_host.slots":
				c.Text = p.count(value(parts[3], "exec_host"))
			case "exec_host.processors":
				c.Text = p.processors(parts[3])
			case "Resource_List.nodes.gpus":
				c.Text = gpus(value(parts[3], "Resource_List.nodes"))
			default:
				c.Text = value(parts[3], name)
			}
		}
		return p.cells, p.lines.Line(), nil
	}
}

// quoted reports whether a place of a record is inside of a value in quotes.
func quoted(message []byte, place int) bool {
	for at := 0; ; {
		i := bytes.Index(message[at:place], []byte(`="`))
		if i < 0 {
			return false
		}
		at += i + 2
		end := bytes.IndexByte(message[at:], '"')
		if end < 0 {
			return false // it is not closed, so it opens nothing
		}
		if at += end + 1; at > place {
			return true
		}
	}
}

// value is the text behind key= up to the next key=.
func value(message []byte, key string) []byte {
	for rest := message; ; {
		i := bytes.Index(rest, append([]byte(key), '='))
		if i < 0 {
			return nil
		}
		if i > 0 && rest[i-1] != ' ' || quoted(message, len(message)-len(rest)+i) {
			rest = rest[i+1:]
			continue
		}
		rest = rest[i+len(key)+1:]
		if len(rest) > 0 && rest[0] == '"' {
			if end := bytes.IndexByte(rest[1:], '"'); end >= 0 {
				return rest[1 : end+1]
			}
		}
		end := len(rest)
		for at := 0; at < len(rest); at++ {
			next := bytes.IndexByte(rest[at:], ' ')
			if next < 0 {
				break
			}
			at += next
			word, _, _ := bytes.Cut(rest[at+1:], []byte(" "))
			if bytes.IndexByte(word, '=') > 0 {
				end = at
				break
			}
		}
		return bytes.TrimSpace(rest[:end])
	}
}

// processors is the largest of the slots of a job, its ncpus, and mppwidth times mppdepth. It is nil where there is none.
func (p *PBS) processors(message []byte) []byte {
	most, largest := p.count(value(message, "exec_host")), -1.
	if most != nil {
		largest, _ = swf.Decimal(most)
	}
	ncpus := value(message, "Resource_List.ncpus")
	if n, ok := swf.Decimal(ncpus); most == nil || ok && n > largest {
		most, largest = ncpus, n
	}
	width, ok := swf.Decimal(value(message, "Resource_List.mppwidth"))
	if depth, deep := swf.Decimal(value(message, "Resource_List.mppdepth")); deep && depth > 1 {
		width *= depth
	}
	if ok && width > largest {
		most = strconv.AppendFloat(nil, width, 'f', -1, 64)
	}
	return most
}

// gpus adds up the GPUs of 2:ppn=8:gpus=1+n7:gpus=2. It is nil where there are none, and nodes itself where they cannot be read.
func gpus(nodes []byte) []byte {
	total := 0
	for chunk := range bytes.SplitSeq(nodes, []byte("+")) {
		times, each := 1, 0
		for i, item := range bytes.Split(chunk, []byte(":")) {
			if n, err := strconv.Atoi(string(item)); i == 0 && err == nil {
				times = n
			}
			text, ok := bytes.CutPrefix(item, []byte("gpus="))
			n, err := strconv.Atoi(string(text))
			if ok && (err != nil || n < 0 || n > 1<<20) {
				return nodes
			} else if ok {
				each = n
			}
		}
		if times < 0 || times > 1<<20 {
			return nodes
		}
		total += times * each
	}
	if total == 0 {
		return nil
	}
	return strconv.AppendInt(nil, int64(total), 10)
}

// count adds up the slots of n1/0-31+n2/0*8+n3/1: a range or list of slots, or their number behind a star.
func (p *PBS) count(hosts []byte) []byte {
	total := 0
	for _, host := range bytes.Split(hosts, []byte("+")) {
		_, slots, ok := bytes.Cut(host, []byte("/"))
		if !ok {
			return nil
		}
		if _, times, ok := bytes.Cut(slots, []byte("*")); ok {
			n, err := strconv.Atoi(string(times))
			if err != nil || n < 1 || n > 1<<20 {
				return nil
			}
			total += n
			continue
		}
		for _, r := range bytes.Split(slots, []byte(",")) {
			from, to, ranged := bytes.Cut(r, []byte("-"))
			lo, err := strconv.Atoi(string(from))
			hi := lo
			if ranged && err == nil {
				hi, err = strconv.Atoi(string(to))
			}
			if err != nil || hi < lo || lo < 0 || hi > 1<<20 {
				return nil
			}
			total += hi - lo + 1
		}
	}
	p.slots = strconv.AppendInt(p.slots[:0], int64(total), 10)
	return p.slots
}
