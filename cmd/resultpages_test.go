package cmd

import (
	"encoding/csv"
	"html"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var numberIn = regexp.MustCompile(`^-?\d+(\.\d+)?(e[-+]\d+)?$`)

// TestResultPagesHaveTheNumbersOfTheirFiles: every number in a table of a result page is one of its row in the CSV file beside it,
// rounded. It may be in a multiple of the unit, such as kW. Words of a page may change, numbers may not.
func TestResultPagesHaveTheNumbersOfTheirFiles(t *testing.T) {
	numbers, pages := 0, 0
	err := filepath.WalkDir("../results", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		file, err := os.Open(strings.TrimSuffix(path, ".md") + ".csv")
		if err != nil {
			return nil // prose
		}
		defer file.Close()
		full, err := csv.NewReader(file).ReadAll()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		pages++
		var rows [][]string
		for _, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "| ") {
				rows = append(rows, strings.Split(strings.Trim(line, "| "), " | "))
			}
		}
		if len(rows) != len(full) {
			t.Errorf("%s has %d rows, its CSV %d", path, len(rows), len(full))
			return nil
		}
		for i, row := range rows[1:] {
			for k, cell := range row {
				if k < len(rows[0]) && rows[0][k] == "notes" {
					continue
				}
				for _, part := range strings.Split(html.UnescapeString(cell), "/") {
					if part = strings.TrimSpace(part); numberIn.MatchString(part) {
						numbers++
						if !isRounded(part, full[i+1], 1) && !isRounded(part, full[i+1], multiple(at(rows[0], row, "unit"), at(full[0], full[i+1], "unit"))) {
							t.Errorf("%s, row %d, %q: %s is no number of %v", path, i+1, rows[0][k], part, full[i+1])
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if numbers == 0 {
		t.Error("there are no numbers")
	}
	t.Logf("compared %d numbers of %d pages", numbers, pages)
}

// at is the cell of a row below a head, "" where there is none.
func at(heads, row []string, head string) string {
	if k := slices.Index(heads, head); k >= 0 && k < len(row) {
		return row[k]
	}
	return ""
}

// multiple is the number of units in a multiple of the unit, such as 1000 of kW and W, and 1 for other texts.
func multiple(of, unit string) float64 {
	prefix, found := strings.CutSuffix(of, unit)
	k := strings.Index("kMGTPE", prefix)
	if !found || unit == "" || len(prefix) != 1 || k < 0 {
		return 1
	}
	return math.Pow(1000, float64(k+1))
}

// isRounded reports whether a number, in multiples of the cells' unit, is one of the cells to its digits.
func isRounded(text string, cells []string, multiple float64) bool {
	want, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	mantissa, exponent, _ := strings.Cut(text, "e")
	_, decimals, _ := strings.Cut(mantissa, ".")
	power, _ := strconv.Atoi(exponent) // none: 0
	half := 0.5 * math.Pow(10, float64(power-len(decimals)))
	for _, cell := range cells {
		for _, part := range strings.Split(cell, "/") {
			if v, err := strconv.ParseFloat(part, 64); err == nil && math.Abs(v/multiple-want) <= half*(1+1e-6) {
				return true
			}
		}
	}
	return false
}
