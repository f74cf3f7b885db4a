package input

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"schedsweep/harness"
	"schedsweep/sim/workload/lines"
	"schedsweep/sim/workload/logtable"
	"schedsweep/sim/workload/swf"
)

var pbsRecord = regexp.MustCompile(`^\d\d/\d\d/\d{4} \d\d:\d\d:\d\d;[A-Za-z];`)

// GuessMap writes the column map that a table seems to want, to be corrected: a shipped one where its columns are
// there, else one by the names and contents of columns.
func GuessMap(table string, data []string, w io.Writer) error {
	m, columns, sample, from, err := guessMap(NewFiles(append([]string{"."}, data...)...), table)
	if err != nil {
		return err
	}
	notes := []string{"Column map of " + filepath.Base(table) + ", guessed from the names of its columns: correct the wrong entries."}
	if from != "" {
		notes = []string{"Column map of " + filepath.Base(table) + " by the shipped map " + from + " (map: " + from + " does the same)."}
	}
	return m.Write(w, notes, columns, sample)
}

const sampleRows = 200

func guessMap(in *Files, path string) (m *logtable.Map, columns []string, sample [][]string, from string, err error) {
	f, err := in.open(path)
	if err != nil {
		return nil, nil, nil, "", err
	}
	defer f.Close()
	name := filepath.Base(path)
	text, _, err := lines.Open(name, io.NewSectionReader(f, 0, math.MaxInt64))
	if err != nil {
		return nil, nil, nil, "", harness.Unusable("%w", err)
	}
	begin := bufio.NewReader(io.LimitReader(text, 1<<20))
	head, err := begin.ReadString('\n')
	comments := strings.HasPrefix(head, ";")
	for err == nil && strings.HasPrefix(head, ";") {
		head, err = begin.ReadString('\n')
	}
	if err != nil && err != io.EOF {
		return nil, nil, nil, "", fmt.Errorf("%s: %w", name, err)
	}
	guess := logtable.Default()
	switch trimmed := strings.TrimLeft(head, " \t\r\n"); {
	case strings.HasPrefix(head, "PAR1"):
		guess.Format = "parquet"
	case pbsRecord.MatchString(head):
		m, err = in.columnMap("pbs")
		return m, nil, nil, "pbs", err
	case comments && len(strings.Fields(head)) == 10:
		m, err = in.columnMap("swf-10")
		return m, nil, nil, "swf-10", err
	case comments:
		return nil, nil, nil, "", harness.Unusable("%s begins with a comment of SWF. Such a log needs no map: name it .swf or .swf.gz", name)
	case strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "{"):
		guess.Format = "json"
	default:
		guess.Separator = logtable.Separator(head)
		guess.Quotes = guess.Separator != "|"
	}
	rows, err := openRows(path, f, &guess)
	if err != nil {
		return nil, nil, nil, "", harness.Unusable("%w", err)
	}
	columns = rows.Columns()
	if sample, err = firstRows(rows, len(columns)); err != nil {
		return nil, nil, nil, "", harness.Unusable("%w", err)
	}
	best := 4 // of columns, below which a likeness is chance
	for _, s := range logtable.Shipped() {
		known, err := in.columnMap(s)
		if err != nil {
			return nil, nil, nil, "", err
		}
		has := columns
		if guess.Format == "json" { // a path is there where its beginning is
			for _, c := range known.Columns {
				if top, _, _ := strings.Cut(c.Column, "."); slices.Contains(columns, top) {
					has = append(slices.Clip(has), c.Column)
				}
			}
		}
		if n := known.Fits(has); serves(known, guess.Format) && n > best {
			best, m, from = n, known, s
		}
	}
	if m != nil {
		if guess.Format != "json" {
			m = m.Only(columns)
		}
		m.Format, m.Separator, m.Quotes = guess.Format, guess.Separator, guess.Quotes
		return m, columns, sample, from, nil
	}
	m = logtable.Guess(columns, sample)
	m.Format, m.Separator, m.Quotes = guess.Format, guess.Separator, guess.Quotes
	return m, columns, sample, "", nil
}

// serves reports whether a map can be that of a file in the format. A table of CSV may be published as Parquet, too.
func serves(m *logtable.Map, format string) bool {
	return m.Format == format || m.Format == logtable.Default().Format && format == "parquet"
}

func firstRows(rows logtable.Rows, columns int) ([][]string, error) {
	all := make([]int, columns)
	for i := range all {
		all[i] = i
	}
	rows.Use(all, func(int, []byte) int { return 0 }, func(string, swf.Action, string, int) {})
	var sample [][]string
	for len(sample) < sampleRows {
		cells, _, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		row := make([]string, len(cells))
		for i := range cells {
			row[i] = cells[i].String()
		}
		sample = append(sample, row)
	}
	return sample, nil
}
