package cmd

import (
	"encoding/csv"
	"html"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var numberIn = regexp.MustCompile(`^-?\d+(\.\d+)?(e[-+]\d+)?$`)

// TestResultPagesHaveTheNumbersOfTheirFiles: every number in a table of a result page is one of its row in the CSV file beside it,
// rounded. Words of a page may change, numbers may not.
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
						if !isRounded(part, full[i+1]) {
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

// isRounded reports whether a number is one of the cells to its digits.
func isRounded(text string, cells []string) bool {
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
			if v, err := strconv.ParseFloat(part, 64); err == nil && math.Abs(v-want) <= half*(1+1e-6) {
				return true
			}
		}
	}
	return false
}
