package swf

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

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
				return 0, fmt.Errorf("%s:%d: field %d (%s) is %q; it is to be a whole number from 0 to %d", name, at, i+1, what, excerpt([]byte(fields[i])), most)
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
		for int(n) >= len(*names) {
			*names = append(*names, "")
		}
		(*names)[n] = strings.TrimSpace(fields[1])
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if ending == ".machines" && l.Header.Procs() == 0 && procs > 0 {
		l.Header.Lines = append(l.Header.Lines, "MaxProcs: "+strconv.FormatInt(procs, 10))
	}
	return nil
}
