package figure

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"
)

// svgFonts are those whose letters are as wide as the ones that the layout measures, then any.
const svgFonts = "Liberation Sans, Arimo, Arial, Helvetica, sans-serif"

// SVG writes the figure as SVG 1.1 with a title, a description and texts that can be searched and copied. It has no ids,
// so that a page can hold many; coordinates carry two decimals of a point.
func (f *Figure) SVG(w io.Writer) error {
	s, err := f.scene()
	if err != nil {
		return err
	}
	var b svgWriter
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%spt" height="%spt" viewBox="0 0 %[1]s %[2]s" font-family="%[3]s">`+
		"\n<title>", short(s.w), short(s.h), svgFonts)
	b.escaped(s.title)
	b.WriteString("</title>\n<desc>")
	b.escaped(s.description)
	b.WriteString("</desc>\n")
	s.paint(&b)
	b.WriteString("</svg>\n")
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("figure %q: writing svg: %w", f.ID, err)
	}
	return nil
}

type svgWriter struct{ bytes.Buffer }

func (b *svgWriter) shape(it shapeItem) {
	b.WriteString(`<path d="`)
	b.path(it.path, false)
	b.WriteByte('"')
	b.paint(it.fill, it.stroke, it.width)
	if it.stroke.A > 0 && len(it.dash) > 0 {
		b.WriteString(` stroke-dasharray="`)
		for i, d := range it.dash {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(short(d))
		}
		b.WriteByte('"')
	}
	b.WriteString("/>\n")
}

func (b *svgWriter) marks(it marksItem) {
	if it.dots() {
		// A dot is a stroke of no length with a round cap: fewer bytes than an outline.
		fmt.Fprintf(b, `<g fill="none" stroke-linecap="round" stroke="%s" stroke-width="%s" stroke-opacity="%s">`+"\n", hex(it.fill),
			short(2*it.radius), short(float64(it.fill.A)/255))
		for _, p := range it.at {
			fmt.Fprintf(b, `<path d="M%s %sh0"/>`+"\n", short(p.X), short(p.Y))
		}
		b.WriteString("</g>\n")
		return
	}
	var outline svgWriter
	outline.path(it.shape.outline(it.radius), true)
	b.WriteString("<g")
	b.paint(it.fill, it.stroke, it.width)
	b.WriteString(">\n")
	for _, p := range it.at {
		fmt.Fprintf(b, `<path d="M%s %s%s"/>`+"\n", short(p.X), short(p.Y), outline.Bytes())
	}
	b.WriteString("</g>\n")
}

// fitted is from which width on, in points, a text says how wide it is. So it keeps its place where a browser lacks the fonts and
// takes one with wider letters. Shorter texts have room for that.
const fitted = 30

// text writes a line; a raised or lowered run is a part that moves the baseline and moves it back.
func (b *svgWriter) text(t textItem) {
	runs, width := shaped(t.s, t.size, t.bold)
	fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s" fill="%s"`, short(t.x), short(t.y), short(t.size), hex(t.colour))
	if t.bold {
		b.WriteString(` font-weight="bold"`)
	}
	if width >= fitted {
		fmt.Fprintf(b, ` textLength="%s" lengthAdjust="spacingAndGlyphs"`, short(width))
	}
	if a := [...]string{atStart: "", atMiddle: "middle", atEnd: "end"}[t.anchor]; a != "" {
		fmt.Fprintf(b, ` text-anchor="%s"`, a)
	}
	if t.angle != 0 {
		fmt.Fprintf(b, ` transform="rotate(%s %s %s)"`, short(-t.angle), short(t.x), short(t.y))
	}
	b.WriteByte('>')
	baseline := 0.0
	for _, run := range runs {
		if run.size == t.size && run.dy == baseline {
			b.escaped(run.s)
			continue
		}
		fmt.Fprintf(b, `<tspan dy="%s" font-size="%s">`, short(run.dy-baseline), short(run.size))
		b.escaped(run.s)
		b.WriteString("</tspan>")
		baseline = run.dy
	}
	b.WriteString("</text>\n")
}

func (b *svgWriter) paint(fill, stroke color.NRGBA, width float64) {
	if fill.A == 0 {
		b.WriteString(` fill="none"`)
	} else {
		fmt.Fprintf(b, ` fill="%s"`, hex(fill))
		if fill.A < 255 {
			fmt.Fprintf(b, ` fill-opacity="%s"`, short(float64(fill.A)/255))
		}
	}
	if stroke.A > 0 {
		fmt.Fprintf(b, ` stroke="%s" stroke-width="%s"`, hex(stroke), short(width))
		if stroke.A < 255 {
			fmt.Fprintf(b, ` stroke-opacity="%s"`, short(float64(stroke.A)/255))
		}
	}
}

// path writes operations, in absolute coordinates or each relative to the end of the one before.
func (b *svgWriter) path(p path, relative bool) {
	letters := "MLQCZ"
	if relative {
		letters = "mlqcz"
	}
	var from, first Point
	for _, o := range p.ops {
		b.WriteByte(letters[o.kind])
		for k := range o.points() {
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(short(o.p[k].X - from.X))
			b.WriteByte(' ')
			b.WriteString(short(o.p[k].Y - from.Y))
		}
		if !relative {
			continue
		}
		switch o.kind {
		case closePath:
			from = first
		case moveTo:
			from, first = o.p[0], o.p[0]
		default:
			from = o.p[o.points()-1]
		}
	}
}

func (b *svgWriter) escaped(s string) {
	// A bytes.Buffer never fails.
	_ = xml.EscapeText(b, []byte(s))
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// short prints a coordinate with two decimals and no more characters than needed.
func short(v float64) string {
	s := strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}
