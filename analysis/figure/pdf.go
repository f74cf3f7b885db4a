package figure

import (
	"fmt"
	"image/color"
	"io"
	"strings"
	"time"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
)

// PDF writes the figure as one page of its size, with the used part of the font embedded and text that can be searched.
func (f *Figure) PDF(w io.Writer) error {
	s, err := f.scene()
	if err != nil {
		return err
	}
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: s.w, Ht: s.h}})
	// A fixed date and sorted catalogues: the same figure gives the same bytes.
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	doc.SetCreationDate(epoch)
	doc.SetModificationDate(epoch)
	doc.SetCatalogSort(true)
	doc.SetProducer("schedsweep", true)
	doc.SetTitle(basicPlane(s.title), true)
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddUTF8FontFromBytes("sans", "", regular().ttf)
	doc.AddUTF8FontFromBytes("sans", "B", bold().ttf)
	doc.AddPage()
	s.paint(&pdfWriter{doc: doc})
	if err := doc.Output(w); err != nil {
		return fmt.Errorf("figure %q: writing pdf: %w", f.ID, err)
	}
	return nil
}

// basicPlane replaces characters beyond U+FFFF, such as emoji. The fonts have none of them, and the library panics.
func basicPlane(s string) string {
	return strings.Map(func(r rune) rune {
		if r > 0xFFFF {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// pdfWriter remembers the state of the page, so that thousands of equal marks do not repeat it.
type pdfWriter struct {
	doc    *fpdf.Fpdf
	fill   color.NRGBA
	stroke color.NRGBA
	width  float64
	dashed bool
	alpha  uint8
	begun  bool
}

func (p *pdfWriter) shape(it shapeItem) {
	if fill := it.fill; fill.A > 0 {
		p.setAlpha(fill.A)
		if fill != p.fill {
			p.doc.SetFillColor(int(fill.R), int(fill.G), int(fill.B))
			p.fill = fill
		}
		p.trace(it.path)
		p.doc.DrawPath("F")
	}
	if stroke := it.stroke; stroke.A > 0 {
		p.setAlpha(stroke.A)
		if stroke != p.stroke {
			p.doc.SetDrawColor(int(stroke.R), int(stroke.G), int(stroke.B))
			p.stroke = stroke
		}
		if it.width != p.width {
			p.doc.SetLineWidth(it.width)
			p.width = it.width
		}
		if p.dashed || len(it.dash) > 0 {
			p.doc.SetDashPattern(append([]float64{}, it.dash...), 0) // nil would leave the last
			p.dashed = len(it.dash) > 0
		}
		p.trace(it.path)
		p.doc.DrawPath("D")
	}
}

// marks presses a round pen at each place of a dot.
func (p *pdfWriter) marks(it marksItem) {
	if !it.dots() {
		it.each(p.shape)
		return
	}
	p.doc.SetLineCapStyle("round")
	for _, at := range it.at {
		p.shape(shapeItem{path: through(at, at), stroke: it.fill, width: 2 * it.radius})
	}
	p.doc.SetLineCapStyle("butt")
}

func (p *pdfWriter) setAlpha(a uint8) {
	if !p.begun || a != p.alpha {
		p.doc.SetAlpha(float64(a)/255, "Normal")
		p.alpha, p.begun = a, true
	}
}

// trace draws lines and cubics: quadratics are in outlines of letters only, which a PDF has from its font.
func (p *pdfWriter) trace(shape path) {
	for _, o := range shape.ops {
		switch o.kind {
		case moveTo:
			p.doc.MoveTo(o.p[0].X, o.p[0].Y)
		case lineTo:
			p.doc.LineTo(o.p[0].X, o.p[0].Y)
		case cubicTo:
			p.doc.CurveBezierCubicTo(o.p[0].X, o.p[0].Y, o.p[1].X, o.p[1].Y, o.p[2].X, o.p[2].Y)
		case closePath:
			p.doc.ClosePath()
		}
	}
}

func (p *pdfWriter) text(t textItem) {
	runs, width := shaped(t.s, t.size, t.bold)
	style := ""
	if t.bold {
		style = "B"
	}
	p.setAlpha(t.colour.A)
	p.doc.SetTextColor(int(t.colour.R), int(t.colour.G), int(t.colour.B))
	if t.angle != 0 {
		p.doc.TransformBegin()
		p.doc.TransformRotate(t.angle, t.x, t.y)
	}
	for _, run := range runs {
		p.doc.SetFont("sans", style, run.size)
		p.doc.Text(t.x+t.start(width)+run.dx, t.y+run.dy, basicPlane(run.s))
	}
	if t.angle != 0 {
		p.doc.TransformEnd()
		// The end of a transformation restores the page's font but not the library's memory of it: a size that no text has
		// makes the next SetFont speak again.
		p.doc.SetFont("sans", style, 1)
	}
}
