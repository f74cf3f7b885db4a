package figure

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"

	"golang.org/x/image/font/sfnt"
)

// SVG writes the figure as SVG 1.1. Letters are outlines, drawn once and referred to, so that the picture needs no font;
// coordinates carry two decimals of a point.
func (f *Figure) SVG(w io.Writer) error {
	s, err := f.scene()
	if err != nil {
		return err
	}
	var b svgWriter
	b.write(s)
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("figure %q: writing svg: %w", f.ID, err)
	}
	return nil
}

type glyphKey struct {
	bold  bool
	index sfnt.GlyphIndex
}

func (k glyphKey) id() string {
	if k.bold {
		return "b" + strconv.Itoa(int(k.index))
	}
	return "r" + strconv.Itoa(int(k.index))
}

type svgWriter struct{ bytes.Buffer }

func (b *svgWriter) write(s *scene) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%spt" height="%spt" viewBox="0 0 %[1]s %[2]s">`+"\n", short(s.w), short(s.h))
	if s.title != "" {
		b.WriteString("<title>")
		b.escaped(s.title)
		b.WriteString("</title>\n")
	}
	b.glyphs(s)
	marks := 0
	for _, item := range s.items {
		switch it := item.(type) {
		case shapeItem:
			b.shape(it)
		case marksItem:
			b.marks(it, marks)
			marks++
		case textItem:
			b.text(it)
		}
	}
	b.WriteString("</svg>\n")
}

// glyphs writes the outlines of every character used, in font units.
func (b *svgWriter) glyphs(s *scene) {
	used := map[glyphKey]*glyph{}
	for _, item := range s.items {
		if t, ok := item.(textItem); ok {
			runs, _ := shaped(t.s, t.size, t.bold)
			for _, run := range runs {
				for _, r := range run.s {
					index, g := face(t.bold).glyph(r)
					used[glyphKey{t.bold, index}] = g
				}
			}
		}
	}
	keys := make([]glyphKey, 0, len(used))
	for k := range used {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y glyphKey) int {
		if x.bold != y.bold {
			return cmp.Compare(x.id(), y.id())
		}
		return cmp.Compare(x.index, y.index)
	})
	b.WriteString("<defs>\n")
	for _, k := range keys {
		if len(used[k].outline.ops) > 0 {
			fmt.Fprintf(b, `<path id="%s" d="`, k.id())
			b.path(used[k].outline)
			b.WriteString("\"/>\n")
		}
	}
	b.WriteString("</defs>\n")
}

func (b *svgWriter) shape(it shapeItem) {
	b.WriteString(`<path d="`)
	b.path(it.path)
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

func (b *svgWriter) marks(it marksItem, number int) {
	if it.dots() {
		// A dot is a stroke of no length with a round cap: half the bytes of a reference to an outline.
		fmt.Fprintf(b, `<g fill="none" stroke-linecap="round" stroke="%s" stroke-width="%s" stroke-opacity="%s">`+"\n", hex(it.fill), short(2*it.radius), short(float64(it.fill.A)/255))
		for _, p := range it.at {
			fmt.Fprintf(b, `<path d="M%s %sh0"/>`+"\n", short(p.X), short(p.Y))
		}
		b.WriteString("</g>\n")
		return
	}
	fmt.Fprintf(b, `<defs><path id="m%d" d="`, number)
	b.path(it.shape.outline(it.radius))
	b.WriteString(`"/></defs>` + "\n<g")
	b.paint(it.fill, it.stroke, it.width)
	b.WriteString(">\n")
	for _, p := range it.at {
		fmt.Fprintf(b, `<use xlink:href="#m%d" x="%s" y="%s"/>`+"\n", number, short(p.X), short(p.Y))
	}
	b.WriteString("</g>\n")
}

// text writes a label as a group of glyphs, with the characters as its accessible name.
func (b *svgWriter) text(t textItem) {
	runs, width := shaped(t.s, t.size, t.bold)
	f := face(t.bold)
	b.WriteString(`<g role="img" aria-label="`)
	b.escaped(t.s)
	fmt.Fprintf(b, `" fill="%s" transform="translate(%s %s)`, hex(t.colour), short(t.x), short(t.y))
	if t.angle != 0 {
		fmt.Fprintf(b, ` rotate(%s)`, short(-t.angle))
	}
	b.WriteString("\">")
	for _, run := range runs {
		fmt.Fprintf(b, `<g transform="translate(%s %s) scale(%s)">`, short(t.start(width)+run.dx), short(run.dy), strconv.FormatFloat(run.size/f.perEm, 'g', 6, 64))
		x := 0.0
		for _, r := range run.s {
			index, g := f.glyph(r)
			if len(g.outline.ops) > 0 {
				fmt.Fprintf(b, `<use xlink:href="#%s" x="%s"/>`, glyphKey{t.bold, index}.id(), short(x))
			}
			x += g.advance
		}
		b.WriteString("</g>")
	}
	b.WriteString("</g>\n")
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

func (b *svgWriter) path(p path) {
	letters := [...]byte{moveTo: 'M', lineTo: 'L', quadTo: 'Q', cubicTo: 'C', closePath: 'Z'}
	for _, o := range p.ops {
		b.WriteByte(letters[o.kind])
		for k := range o.points() {
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(short(o.p[k].X))
			b.WriteByte(' ')
			b.WriteString(short(o.p[k].Y))
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
	s := strconv.FormatFloat(v, 'f', 2, 64)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	if s == "-0" {
		return "0"
	}
	return s
}
