package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func formats(f *Figure) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{"svg": f.SVG, "png": f.PNG, "pdf": f.PDF, "csv": f.CSV}
}

func render(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSameFigureSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	for i, f := range gallery() {
		again := gallery()[i]
		for name, write := range formats(f) {
			if !bytes.Equal(render(t, write), render(t, formats(again)[name])) {
				t.Errorf("%s: two renderings of %s differ", f.ID, name)
			}
		}
	}
}

func TestPDFHoldsAFixedDate(t *testing.T) {
	b := render(t, one().PDF)
	if !bytes.Contains(b, []byte("D:20000101000000")) {
		t.Error("the creation date is not the fixed one")
	}
}

func TestSVGIsSmallAndWellFormed(t *testing.T) {
	for _, f := range gallery() {
		b := render(t, f.SVG)
		d := xml.NewDecoder(bytes.NewReader(b))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", f.ID, err)
			}
		}
		points := 0
		for _, p := range f.Panels {
			points += p.points()
		}
		if limit := 80000 + 50*points; len(b) > limit {
			t.Errorf("%s: %d bytes of SVG for %d points, limit %d", f.ID, len(b), points, limit)
		}
	}
}

// Figures of one page share no ids, for they have none. Texts are texts, and readers who cannot see get a description.
func TestSVGHasTextsAndNoIDs(t *testing.T) {
	for _, f := range gallery() {
		f.Caption = "what marks are"
		b := string(render(t, f.SVG))
		if strings.Contains(b, ` id="`) || strings.Contains(b, "<use") {
			t.Errorf("%s: has an id", f.ID)
		}
		if strings.Contains(b, "<title></title>") || !strings.Contains(b, "what marks are</desc>") ||
			!strings.Contains(b, ">what marks are") { // and where intervals are cut off
			t.Errorf("%s: lacks a title, a description or a text", f.ID)
		}
	}
	b := string(render(t, dutot().SVG))
	if want := `Communication factor (×10<tspan dy="-3.06" font-size="5.78">6</tspan><tspan dy="3.06" font-size="8.5">)</tspan></text>`; !strings.Contains(b, want) {
		t.Errorf("no %s in the SVG", want)
	}
	if want := "<desc>Makespan (h) against Communication factor (×10⁶). Panels: basic, best-effort contiguous, "; !strings.Contains(b, want) {
		t.Errorf("no %s in the SVG", want)
	}
}

func TestNamesAreEscaped(t *testing.T) {
	f := one()
	f.Title = `a < b & "c"`
	f.Series[0] = "<script>"
	b := string(render(t, f.SVG))
	if strings.Contains(b, "<script>") || strings.Contains(b, "a < b") {
		t.Error("a name is written as markup")
	}
}

func TestCSVHoldsEveryNumber(t *testing.T) {
	f := categories()
	mark[*Line](f.Panels[0], 0).At[0].Y = math.Pi
	lines := strings.Split(strings.TrimSpace(string(render(t, f.CSV))), "\n")
	if want := 1 + 2*(2*(4*200+4+4)+1); len(lines) != want {
		t.Errorf("%d lines, want %d", len(lines), want)
	}
	found := false
	for _, l := range lines {
		found = found || l == "case 1,two jobs,line,FCFS,3.141592653589793,,,,"
	}
	if !found {
		t.Error("the changed mean does not stand in the CSV")
	}
}

func TestWriteErrorsNameTheFigure(t *testing.T) {
	f := one()
	for name, write := range formats(f) {
		if err := write(broken{}); err == nil || !strings.Contains(err.Error(), `"one"`) {
			t.Errorf("%s: error %v does not name the figure", name, err)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no room") }

// BenchmarkFormats draws five panels of 800 points with trends. Target: 100 ms for all four files.
func BenchmarkFormats(b *testing.B) {
	f := dutot()
	b.ReportAllocs()
	for b.Loop() {
		for name, write := range formats(f) {
			if err := write(io.Discard); err != nil {
				b.Fatal(name, err)
			}
		}
	}
}

// TestLongTextsSayTheirWidth: a browser with wider letters cannot push a long text over the edge.
func TestLongTextsSayTheirWidth(t *testing.T) {
	text := regexp.MustCompile(`<text [^>]*font-size="([^"]*)"[^>]*>([^<]*)</text>`)
	said := regexp.MustCompile(` textLength="([^"]*)" lengthAdjust="spacingAndGlyphs"`)
	long := 0
	for _, f := range gallery() {
		var b bytes.Buffer
		if err := f.SVG(&b); err != nil {
			t.Fatal(err)
		}
		for _, m := range text.FindAllStringSubmatch(b.String(), -1) {
			size, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			width := textWidth(html.UnescapeString(m[2]), size, strings.Contains(m[0], "bold"))
			switch says := said.FindStringSubmatch(m[0]); {
			case width < fitted && says != nil, width >= fitted && (says == nil || says[1] != short(width)):
				t.Errorf("%s: %q is %.2f pt wide and says %q", f.ID, m[2], width, says)
			case says != nil:
				long++
			}
		}
	}
	if long < 50 {
		t.Errorf("%d long texts", long)
	}
}
